//! What was read from one session, and why each lesson was found.
