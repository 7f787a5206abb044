//! The `slowstart` program.
fn main() {}
