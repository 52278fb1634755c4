//! Writing: blanking, tracks, cue sheets, calibration.
