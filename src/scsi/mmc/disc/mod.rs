//! What is on a disc: tables of contents, CD-TEXT, information on discs and tracks, features.
