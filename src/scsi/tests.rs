//! What holds for all replies alike.

mod golden_rest;
mod lying_lengths;
mod numbers;
mod replies;
