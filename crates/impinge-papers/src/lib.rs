//! The five papers that impinge unites, as their authors would recognize them: engines that no measurement favors, protocols, tables, figures.
//!
//! | module | paper |
//! | --- | --- |
//! | [`van_waveren`] | van Waveren 2005, robust continuous collision detection between arbitrary polyhedra |
//! | [`zachmann`] | Zachmann 1998, rapid collision detection by dynamically aligned DOP-trees |
//! | [`blow`] | Blow 1997, practical collision detection |
//! | [`knott_pai`] | Knott and Pai 2003, collision and interference detection in real time using graphics hardware |
//! | [`maia`] | Maia et al. 2006, transformation semantics |
//!
//! Beside them are all engines under one name each ([`engine`]), what the papers share ([`chart`], [`comparison`], [`stopwatch`]), and the way to other libraries:
//! [`peer`] loads one, [`peerbench`] is a plug-in for harnesses that compare libraries.

pub mod blow;
pub mod chart;
pub mod comparison;
pub mod engine;
pub mod knott_pai;
pub mod maia;
pub mod peer;
pub mod peerbench;
pub mod stopwatch;
pub mod van_waveren;
pub mod zachmann;
