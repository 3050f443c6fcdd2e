//! A small binary form of what serde writes: any byte may be changed, and floats may be NaN and infinite, which JSON cannot say.

use serde::de::value::{Error, MapAccessDeserializer, MapDeserializer, SeqDeserializer};
use serde::de::{Deserializer, Error as _, IntoDeserializer, Visitor};
use serde::forward_to_deserialize_any;
use serde_json::Value;

/// What can be written.
#[derive(Clone, Debug)]
pub(crate) enum Item {
    Null,
    Bool(bool),
    Whole(u64),
    Negative(i64),
    Float(f64),
    Text(String),
    List(Vec<Item>),
    Map(Vec<(String, Item)>),
}

/// Deeper than this, nothing is read.
const DEEPEST: u32 = 64;

impl Item {
    pub(crate) fn of(value: &Value) -> Item {
        match value {
            Value::Null => Item::Null,
            Value::Bool(is) => Item::Bool(*is),
            Value::String(text) => Item::Text(text.clone()),
            Value::Array(list) => Item::List(list.iter().map(Item::of).collect()),
            Value::Object(map) => {
                Item::Map(map.iter().map(|(key, value)| (key.clone(), Item::of(value))).collect())
            }
            Value::Number(number) => match (number.as_u64(), number.as_i64(), number.as_f64()) {
                (Some(whole), ..) => Item::Whole(whole),
                (_, Some(negative), _) => Item::Negative(negative),
                (.., float) => Item::Float(float.unwrap_or(f64::NAN)),
            },
        }
    }

    pub(crate) fn write(&self, bytes: &mut Vec<u8>) {
        let text = |text: &str, bytes: &mut Vec<u8>| {
            bytes.extend((text.len() as u32).to_le_bytes());
            bytes.extend(text.as_bytes());
        };
        match self {
            Item::Null => bytes.push(0),
            Item::Bool(is) => bytes.extend([1, u8::from(*is)]),
            Item::Whole(number) => bytes.extend([2].into_iter().chain(number.to_le_bytes())),
            Item::Negative(number) => bytes.extend([3].into_iter().chain(number.to_le_bytes())),
            Item::Float(number) => bytes.extend([4].into_iter().chain(number.to_le_bytes())),
            Item::Text(own) => {
                bytes.push(5);
                text(own, bytes);
            }
            Item::List(items) => {
                bytes.push(6);
                bytes.extend((items.len() as u32).to_le_bytes());
                items.iter().for_each(|item| item.write(bytes));
            }
            Item::Map(items) => {
                bytes.push(7);
                bytes.extend((items.len() as u32).to_le_bytes());
                for (key, item) in items {
                    text(key, bytes);
                    item.write(bytes);
                }
            }
        }
    }

    /// What bytes say, if they say anything.
    pub(crate) fn read(bytes: &mut &[u8], depth: u32) -> Option<Item> {
        fn number<const N: usize>(bytes: &mut &[u8]) -> Option<[u8; N]> {
            let (first, rest) = bytes.split_first_chunk::<N>()?;
            *bytes = rest;
            Some(*first)
        }
        fn text(bytes: &mut &[u8]) -> Option<String> {
            let length = u32::from_le_bytes(number(bytes)?) as usize;
            let (own, rest) = bytes.split_at_checked(length)?;
            *bytes = rest;
            String::from_utf8(own.to_vec()).ok()
        }
        if depth > DEEPEST {
            return None;
        }
        Some(match number::<1>(bytes)?[0] {
            0 => Item::Null,
            1 => Item::Bool(number::<1>(bytes)?[0] != 0),
            2 => Item::Whole(u64::from_le_bytes(number(bytes)?)),
            3 => Item::Negative(i64::from_le_bytes(number(bytes)?)),
            4 => Item::Float(f64::from_le_bytes(number(bytes)?)),
            5 => Item::Text(text(bytes)?),
            6 => {
                let length = u32::from_le_bytes(number(bytes)?);
                let items: Option<Vec<Item>> = (0..length).map(|_| Item::read(bytes, depth + 1)).collect();
                Item::List(items?)
            }
            7 => {
                let length = u32::from_le_bytes(number(bytes)?);
                let mut entry = || Some((text(bytes)?, Item::read(bytes, depth + 1)?));
                let items: Option<Vec<(String, Item)>> = (0..length).map(|_| entry()).collect();
                Item::Map(items?)
            }
            _ => return None,
        })
    }
}

impl<'de> IntoDeserializer<'de> for Item {
    type Deserializer = Item;

    fn into_deserializer(self) -> Item {
        self
    }
}

impl<'de> Deserializer<'de> for Item {
    type Error = Error;

    fn deserialize_any<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value, Error> {
        match self {
            Item::Null => visitor.visit_unit(),
            Item::Bool(is) => visitor.visit_bool(is),
            Item::Whole(number) => visitor.visit_u64(number),
            Item::Negative(number) => visitor.visit_i64(number),
            Item::Float(number) => visitor.visit_f64(number),
            Item::Text(text) => visitor.visit_string(text),
            Item::List(items) => visitor.visit_seq(SeqDeserializer::new(items.into_iter())),
            Item::Map(items) => visitor.visit_map(MapDeserializer::new(items.into_iter())),
        }
    }

    fn deserialize_option<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value, Error> {
        match self {
            Item::Null => visitor.visit_none(),
            some => visitor.visit_some(some),
        }
    }

    fn deserialize_newtype_struct<V: Visitor<'de>>(
        self,
        _: &'static str,
        visitor: V,
    ) -> Result<V::Value, Error> {
        visitor.visit_newtype_struct(self)
    }

    fn deserialize_enum<V: Visitor<'de>>(
        self,
        _: &'static str,
        _: &'static [&'static str],
        visitor: V,
    ) -> Result<V::Value, Error> {
        match self {
            Item::Text(name) => visitor.visit_enum(name.into_deserializer()),
            Item::Map(items) => {
                visitor.visit_enum(MapAccessDeserializer::new(MapDeserializer::new(items.into_iter())))
            }
            _ => Err(Error::custom("no variant")),
        }
    }

    forward_to_deserialize_any! {
        bool i8 i16 i32 i64 i128 u8 u16 u32 u64 u128 f32 f64 char str string bytes byte_buf unit unit_struct
        seq tuple tuple_struct map struct identifier ignored_any
    }
}
