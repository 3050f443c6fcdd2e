//! Sets of parts in a file of rules: by patterns on names and paths, by class, by properties.

use std::collections::BTreeMap;
use std::fmt;

use serde::Deserialize;
use serde::de::{Deserializer, Error, MapAccess, SeqAccess, Visitor};

use crate::clash::parts::Part;
use crate::clash::pattern::{matches, means};

/// The parts for which all that is said holds.
#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct SetOfParts {
    /// Patterns of names and paths, of which one has to fit.
    #[serde(rename = "match", default)]
    patterns: Option<Patterns>,
    /// Patterns of classes, of which one has to fit.
    #[serde(default)]
    class: Option<Patterns>,
    /// Patterns of the values of properties, all of which have to fit.
    #[serde(default)]
    properties: BTreeMap<String, Wanted>,
    /// Patterns of names and paths, of which none may fit.
    #[serde(default)]
    except: Option<Patterns>,
}

impl SetOfParts {
    /// Why no part could be meant.
    pub(super) fn fault(&self) -> Option<&'static str> {
        let is_empty = |list: &Option<Patterns>| list.as_ref().is_some_and(|list| list.0.is_empty());
        if is_empty(&self.patterns) {
            Some("match has no pattern")
        } else if is_empty(&self.class) {
            Some("class has no pattern")
        } else if self.patterns.is_none() && self.class.is_none() && self.properties.is_empty() {
            Some("says neither match nor class nor properties")
        } else {
            None
        }
    }

    pub(super) fn contains(&self, part: &Part) -> bool {
        let named = |list: &Patterns| list.0.iter().any(|pattern| means(pattern, &part.called));
        let is_class = |list: &Patterns| {
            let class = class_of(part).map(str::to_ascii_lowercase);
            class.is_some_and(|class| {
                list.0.iter().any(|pattern| matches(&pattern.to_ascii_lowercase(), &class))
            })
        };
        self.patterns.as_ref().is_none_or(named)
            && self.class.as_ref().is_none_or(is_class)
            && self.properties.iter().all(|(name, wanted)| wanted.holds(name, &part.properties.values))
            && !self.except.as_ref().is_some_and(named)
    }
}

/// The class of a part: that of the file, or the last piece of its path that is a name of IFC, as converters write it.
fn class_of(part: &Part) -> Option<&str> {
    let is_class = |piece: &&str| {
        let rest = piece.strip_prefix("Ifc").unwrap_or_default();
        rest.starts_with(|c: char| c.is_ascii_uppercase()) && rest.chars().all(|c| c.is_ascii_alphanumeric())
    };
    part.properties.class.as_deref().or_else(|| part.called.path_in_file().rsplit('/').find(is_class))
}

/// A pattern, or a list of them.
#[derive(Debug)]
struct Patterns(Vec<String>);

impl<'de> Deserialize<'de> for Patterns {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Patterns, D::Error> {
        struct OneOrMore;
        impl<'de> Visitor<'de> for OneOrMore {
            type Value = Patterns;

            fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
                f.write_str("a pattern or a list of patterns")
            }

            fn visit_str<E: Error>(self, pattern: &str) -> Result<Patterns, E> {
                Ok(Patterns(vec![pattern.to_owned()]))
            }

            fn visit_seq<A: SeqAccess<'de>>(self, mut list: A) -> Result<Patterns, A::Error> {
                let mut patterns = Vec::new();
                while let Some(pattern) = list.next_element()? {
                    patterns.push(pattern);
                }
                Ok(Patterns(patterns))
            }
        }
        deserializer.deserialize_any(OneOrMore)
    }
}

/// The value that a property has to have, or the values of those within it.
#[derive(Debug)]
enum Wanted {
    Value(String),
    Within(BTreeMap<String, Wanted>),
}

impl Wanted {
    fn holds(&self, name: &str, values: &BTreeMap<String, String>) -> bool {
        match self {
            Wanted::Within(list) => {
                list.iter().all(|(own, wanted)| wanted.holds(&format!("{name}.{own}"), values))
            }
            Wanted::Value(pattern) => values.get(name).is_some_and(|value| {
                // 2 and 2.0 are one number.
                let numbers = [pattern, value].map(|text| text.parse::<f64>().ok());
                matches(pattern, value) || numbers[0].is_some() && numbers[0] == numbers[1]
            }),
        }
    }
}

impl<'de> Deserialize<'de> for Wanted {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Wanted, D::Error> {
        struct ValueOrTable;
        impl<'de> Visitor<'de> for ValueOrTable {
            type Value = Wanted;

            fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
                f.write_str("a pattern, a number, true, false, or a table of such")
            }

            fn visit_str<E: Error>(self, pattern: &str) -> Result<Wanted, E> {
                Ok(Wanted::Value(pattern.to_owned()))
            }

            fn visit_bool<E: Error>(self, value: bool) -> Result<Wanted, E> {
                Ok(Wanted::Value(value.to_string()))
            }

            fn visit_i64<E: Error>(self, value: i64) -> Result<Wanted, E> {
                Ok(Wanted::Value(value.to_string()))
            }

            fn visit_f64<E: Error>(self, value: f64) -> Result<Wanted, E> {
                Ok(Wanted::Value(value.to_string()))
            }

            fn visit_map<A: MapAccess<'de>>(self, mut map: A) -> Result<Wanted, A::Error> {
                let mut list = BTreeMap::new();
                while let Some((name, wanted)) = map.next_entry()? {
                    list.insert(name, wanted);
                }
                Ok(Wanted::Within(list))
            }
        }
        deserializer.deserialize_any(ValueOrTable)
    }
}
