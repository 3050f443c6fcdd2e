//! The numbered examples of impinge; each is a file beside this one.
