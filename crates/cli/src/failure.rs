//! What can go wrong, and how the user learns of it: one line, and an exit code.

use packet_core::parameter::Invalid;
use std::error::Error;
use std::io::{self, Write};
use std::process::ExitCode;

/// Why there is no result.
pub enum Failure {
    /// Help or the version was asked for, or nothing at all.
    Help(clap::Error),
    /// The input cannot be used.
    Usage(String),
    /// A file of figures does not fit the model.
    Data(String),
    /// The output cannot be written.
    Output(io::Error),
}

impl Failure {
    /// Tells the user; gives the exit code.
    pub fn report(self) -> ExitCode {
        let (message, code) = match self {
            Failure::Help(help) => {
                // Help that cannot be written has nobody to tell.
                let _ = help.print();
                return ExitCode::from(help.exit_code() as u8);
            }
            // Whoever reads our output has seen enough, as `head` does.
            Failure::Output(error) if error.kind() == io::ErrorKind::BrokenPipe => {
                return ExitCode::SUCCESS;
            }
            Failure::Usage(message) => (message, 2),
            Failure::Data(message) => (message, 1),
            Failure::Output(error) => (format!("cannot write: {error}"), 1),
        };
        // One line, whatever was typed.
        let message = message.replace(char::is_control, " ");
        let _ = writeln!(io::stderr(), "slowstart: {message}");
        ExitCode::from(code)
    }
}

impl From<io::Error> for Failure {
    fn from(error: io::Error) -> Self {
        Failure::Output(error)
    }
}

impl From<Invalid> for Failure {
    fn from(invalid: Invalid) -> Self {
        Failure::Usage(format!("--{invalid}"))
    }
}

impl From<clap::Error> for Failure {
    fn from(error: clap::Error) -> Self {
        use clap::error::ErrorKind;
        match error.kind() {
            ErrorKind::DisplayHelp
            | ErrorKind::DisplayVersion
            | ErrorKind::DisplayHelpOnMissingArgumentOrSubcommand => Failure::Help(error),
            _ => match error.source().and_then(|source| source.downcast_ref::<Invalid>()) {
                Some(invalid) => invalid.clone().into(),
                None => Failure::Usage(one_line(&error.to_string())),
            },
        }
    }
}

/// The parser's message without its usage and its pointer to `--help`.
fn one_line(message: &str) -> String {
    let message = message.strip_prefix("error: ").unwrap_or(message);
    let lines = message.lines().map(str::trim).filter(|line| !line.is_empty());
    let mut text = String::new();
    for line in
        lines.take_while(|line| !line.starts_with("Usage:") && !line.starts_with("For more"))
    {
        if !text.is_empty() {
            text.push_str(if text.ends_with(':') { " " } else { "; " });
        }
        text.push_str(line);
    }
    text
}
