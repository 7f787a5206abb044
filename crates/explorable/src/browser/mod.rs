//! What the browser does for us.

pub mod chunks;
pub mod copy;
pub mod dom;
pub mod json;
pub mod save;
pub mod settle;
