//! JSON as far as a list of exercises goes, read by the browser: a reader of our own would be one more
//! thing to download.

use js_sys::{Array, JSON, Object};
use std::fmt;
use wasm_bindgen::prelude::*;

/// What lies deeper than this in a document is of no use to anyone here.
const DEEPEST: usize = 4;

/// A value.
#[derive(Clone, Debug, PartialEq)]
pub enum Json {
    /// A text.
    Text(String),
    /// Values in their order.
    List(Vec<Json>),
    /// Values with their names.
    Fields(Vec<(String, Json)>),
    /// Anything else, as it is written.
    Other(String),
}

impl Json {
    /// Reads a document.
    ///
    /// # Errors
    /// What the browser says is wrong, and where.
    pub fn parse(text: &str) -> Result<Json, String> {
        let value = JSON::parse(text).map_err(|error| {
            error.dyn_ref::<js_sys::Error>().map_or(String::new(), |e| String::from(e.message()))
        })?;
        Ok(Json::from_browser(&value, 0))
    }

    fn from_browser(value: &JsValue, depth: usize) -> Json {
        if let Some(text) = value.as_string() {
            Json::Text(text)
        } else if depth >= DEEPEST {
            Json::Other("…".to_owned())
        } else if Array::is_array(value) {
            let list = Array::from(value);
            Json::List(list.iter().map(|value| Json::from_browser(&value, depth + 1)).collect())
        } else if let Some(object) = value.dyn_ref::<Object>() {
            let field = |entry: JsValue| {
                let entry = Array::from(&entry);
                let name = entry.get(0).as_string().unwrap_or_default();
                (name, Json::from_browser(&entry.get(1), depth + 1))
            };
            Json::Fields(Object::entries(object).iter().map(field).collect())
        } else {
            let text = JSON::stringify(value).map_or(String::new(), String::from);
            Json::Other(text)
        }
    }

    /// The field of this name.
    pub fn get(&self, name: &str) -> Option<&Json> {
        let Json::Fields(fields) = self else { return None };
        fields.iter().find(|field| field.0 == name).map(|field| &field.1)
    }
}

/// For a message: short, whatever it is.
impl fmt::Display for Json {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Json::Text(text) => match text.char_indices().nth(60) {
                Some((end, _)) => write!(f, "'{}…'", &text[..end]),
                None => write!(f, "'{text}'"),
            },
            Json::List(list) => write!(f, "a list of {}", list.len()),
            Json::Fields(_) => f.write_str("an object"),
            Json::Other(text) => f.write_str(text),
        }
    }
}

/// Tests run where there is no browser.
#[cfg(test)]
impl From<serde_json::Value> for Json {
    fn from(value: serde_json::Value) -> Json {
        match value {
            serde_json::Value::String(text) => Json::Text(text),
            serde_json::Value::Array(list) => {
                Json::List(list.into_iter().map(Json::from).collect())
            }
            serde_json::Value::Object(fields) => {
                Json::Fields(fields.into_iter().map(|(name, value)| (name, value.into())).collect())
            }
            other => Json::Other(other.to_string()),
        }
    }
}
