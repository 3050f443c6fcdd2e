//! The numbered examples of impinge are files beside this one. This library only makes the test command run what the
//! README shows.
#![doc = include_str!("../README.md")]
