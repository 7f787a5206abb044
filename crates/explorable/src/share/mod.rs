//! Taking a panel elsewhere: its address, its embedded form, its files.

pub mod embed;
pub mod embed_dialog;
pub mod export;
pub mod url;
