//! Every tolerance of the library: meaning, unit, default, and what breaks when it is changed.
