//! The form of all options: a `#[non_exhaustive]` struct with defaults, and a `const` setter for each field.

/// Defines a struct of options with its defaults, a constructor `new` and a `const` setter named after each field.
///
/// The fields are public to read and to assign; the struct can grow without breaking anybody.
macro_rules! options {
    (
        $(#[$attribute:meta])*
        pub struct $name:ident $(<$life:lifetime>)? {
            $(
                $(#[$field_attribute:meta])*
                pub $field:ident: $type:ty = $default:expr,
            )*
        }
    ) => {
        $(#[$attribute])*
        #[non_exhaustive]
        pub struct $name $(<$life>)? {
            $(
                $(#[$field_attribute])*
                pub $field: $type,
            )*
        }

        impl $(<$life>)? $name $(<$life>)? {
            /// The default options.
            pub const fn new() -> Self {
                Self { $($field: $default,)* }
            }

            $(
                #[doc = concat!("These options with another [`", stringify!($field), "`](field@Self::", stringify!($field), ").")]
                #[must_use]
                pub const fn $field(mut self, $field: $type) -> Self {
                    self.$field = $field;
                    self
                }
            )*
        }

        impl $(<$life>)? Default for $name $(<$life>)? {
            fn default() -> Self {
                Self::new()
            }
        }
    };
}

pub(crate) use options;
