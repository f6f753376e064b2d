//! Whether everything works, and what to do where it does not.
