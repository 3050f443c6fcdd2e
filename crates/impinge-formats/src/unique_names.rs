//! Paths of instances: no two are the same.

use std::collections::HashMap;

/// What an instance is called.
pub(crate) struct Named {
    /// Its own name.
    pub(crate) name: String,
    /// The names of what is above it and its own; no other instance has the same.
    pub(crate) path: String,
    /// What both end with where others have the same names: 2 for `#2`.
    pub(crate) number: Option<usize>,
}

/// The paths that are taken, and how often each was asked for.
#[derive(Default)]
pub(crate) struct Taken(HashMap<String, usize>);

impl Taken {
    /// Gives a name and a path that ends with it, with a number behind both where the path is taken.
    pub(crate) fn name(&mut self, name: String, path: String) -> Named {
        let asked = self.0.entry(path.clone()).or_insert(0);
        *asked += 1;
        if *asked == 1 {
            return Named { name, path, number: None };
        }
        let mut number = *asked;
        // Something may be called so already.
        while self.0.contains_key(&format!("{path}#{number}")) {
            number += 1;
        }
        self.0.insert(path.clone(), number);
        let ending = format!("#{number}");
        let named = Named { name: name + &ending, path: path + &ending, number: Some(number) };
        self.0.insert(named.path.clone(), 1);
        named
    }
}
