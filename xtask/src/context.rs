//! Where things are, and how a command is run.

use std::env;
use std::ffi::OsString;
use std::path::{Path, PathBuf};
use std::process::Command;

/// Errors are told to a person and end the run, so that text is all they need to be.
pub type Result<T = ()> = std::result::Result<T, String>;

pub struct Context {
    /// The checkout.
    pub root: PathBuf,
    /// The built page.
    pub dist: PathBuf,
    /// The project's tools before anything else on PATH: Debian's own wasm-opt
    /// is too old and builds a page that dies at start-up.
    path: OsString,
}

impl Context {
    pub fn new() -> Result<Self> {
        // Read at run time: with one target folder for several checkouts, a
        // path compiled in could be another checkout's.
        let xtask = env::var_os("CARGO_MANIFEST_DIR").ok_or("run this as `cargo xtask`")?;
        let root = Path::new(&xtask).parent().ok_or("xtask/ has no parent folder")?.to_path_buf();
        let dist = root.join(env::var_os("DIST").unwrap_or("dist".into()));
        let own = [root.join("node_modules/.bin"), root.join(".tools/bin")];
        let inherited = env::var_os("PATH").unwrap_or_default();
        let path = env::join_paths(own.into_iter().chain(env::split_paths(&inherited)))
            .map_err(|error| format!("PATH cannot be extended: {error}"))?;
        Ok(Self { root, dist, path })
    }

    /// A command with the project's tools on its PATH, run in the checkout.
    pub fn command(&self, program: &str) -> Command {
        // Found here, since whose PATH a spawned name is looked up in depends on the platform.
        let mut command = Command::new(self.find(program).unwrap_or(program.into()));
        command.current_dir(&self.root).env("PATH", &self.path).env("DIST", &self.dist);
        for (variable, file) in [
            ("CHROMIUM", self.chromium()),
            ("CHROMEDRIVER", self.chromedriver()),
            ("FIREFOX", self.firefox()),
        ] {
            if let Some(file) = file {
                command.env(variable, file);
            }
        }
        command
    }

    pub fn cargo(&self) -> Command {
        self.command(&env::var("CARGO").unwrap_or("cargo".into()))
    }

    /// Says what it runs, and runs it.
    pub fn run(&self, command: &mut Command) -> Result {
        let line = line(command);
        println!("$ {line}");
        match command.status() {
            Ok(status) if status.success() => Ok(()),
            Ok(status) => Err(format!("`{line}` failed: {status}")),
            Err(error) => Err(format!("`{line}` could not be started: {error}")),
        }
    }

    /// Runs a server in place of this process, so that who stops this one stops the server.
    pub fn replace_by(&self, command: &mut Command) -> Result {
        #[cfg(unix)]
        {
            let line = line(command);
            println!("$ {line}");
            let error = std::os::unix::process::CommandExt::exec(command);
            Err(format!("`{line}` could not be started: {error}"))
        }
        #[cfg(not(unix))]
        self.run(command)
    }

    /// What a command prints; None when it is missing or fails.
    pub fn output(&self, command: &mut Command) -> Option<String> {
        let output = command.output().ok().filter(|it| it.status.success())?;
        String::from_utf8(output.stdout).ok()
    }

    pub fn find(&self, program: &str) -> Option<PathBuf> {
        env::split_paths(&self.path).map(|folder| folder.join(program)).find(|file| file.is_file())
    }

    pub fn chromium(&self) -> Option<PathBuf> {
        env::var_os("CHROMIUM").map(PathBuf::from).or_else(|| self.find("chromium"))
    }

    pub fn firefox(&self) -> Option<PathBuf> {
        let named = env::var_os("FIREFOX").map(PathBuf::from);
        named.or_else(|| self.find("firefox-esr")).or_else(|| self.find("firefox"))
    }

    pub fn chromedriver(&self) -> Option<PathBuf> {
        env::var_os("CHROMEDRIVER").map(PathBuf::from).or_else(|| self.find("chromedriver"))
    }
}

/// A command as a person would type it, with its program's name for a path.
fn line(command: &Command) -> String {
    let program = Path::new(command.get_program());
    let mut line = program.file_stem().unwrap_or_default().to_string_lossy().into_owned();
    for arg in command.get_args() {
        line = line + " " + &arg.to_string_lossy();
    }
    line
}
