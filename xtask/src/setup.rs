//! Installs what is missing, and does next to nothing when nothing is.

use std::fs::{self, File};
use std::path::Path;

use crate::context::{Context, Result};

pub const WASM_TARGET: &str = "wasm32-unknown-unknown";
const TRUNK: &str = "0.21.14";

/// What compiling for wasm needs.
pub fn wasm_target(cx: &Context) -> Result {
    let libdir = cx
        .output(cx.command("rustc").args(["--print", "target-libdir", "--target", WASM_TARGET]))
        .ok_or("rustc not found, or it knows no wasm32 target")?;
    if Path::new(libdir.trim()).exists() {
        return Ok(());
    }
    if cx.find("rustup").is_none() {
        return Err(format!(
            "this Rust has no standard library for {WASM_TARGET}, and there is no rustup to add it: \
             install it the way Rust was installed"
        ));
    }
    cx.run(cx.command("rustup").args(["target", "add", WASM_TARGET]))
}

/// What wasm tests need: the test runner of wasm-bindgen.
pub fn wasm_tools(cx: &Context) -> Result {
    wasm_target(cx)?;
    let version = wasm_bindgen_version(cx)?;
    let _lock = lock(cx)?;
    if is_installed(cx, "wasm-bindgen", &version)
        && is_installed(cx, "wasm-bindgen-test-runner", &version)
    {
        return Ok(());
    }
    println!("building wasm-bindgen {version} into .tools/, which takes a minute or two");
    cx.run(cx.cargo().args([
        "install",
        "--quiet",
        "--locked",
        "--path",
        "xtask/wasm-tools",
        "--root",
        ".tools",
    ]))
}

/// What building the page needs.
pub fn page_tools(cx: &Context) -> Result {
    wasm_tools(cx)?;
    node_modules(cx)?;
    let _lock = lock(cx)?;
    if is_installed(cx, "trunk", TRUNK) {
        return Ok(());
    }
    println!("building trunk {TRUNK} into .tools/, which takes some minutes");
    // Its own release profile takes more than twice as long to build, for a
    // bundler that spends its time waiting for cargo.
    cx.run(
        cx.cargo()
            .args(["install", "trunk", "--version", TRUNK])
            .args(["--quiet", "--locked", "--no-default-features"])
            .args(["--root", ".tools"])
            .env("CARGO_PROFILE_RELEASE_LTO", "off")
            .env("CARGO_PROFILE_RELEASE_CODEGEN_UNITS", "16")
            .env("CARGO_PROFILE_RELEASE_OPT_LEVEL", "0"),
    )
}

/// What the browser tests need beside the built page.
pub fn browser(cx: &Context) -> Result {
    node_modules(cx)?;
    chromium(cx)
}

/// A browser and its driver, by Debian's package manager where it is there.
pub fn chromium(cx: &Context) -> Result {
    let is_there = || cx.chromium().is_some() && cx.chromedriver().is_some();
    let by_hand = "install Chromium (or Chrome) and the ChromeDriver of the same version, \
                   and set CHROMIUM and CHROMEDRIVER to their paths";
    debian(cx, &["chromium", "chromium-driver"], is_there, by_hand)
}

/// The other browser, which needs no driver.
pub fn firefox(cx: &Context) -> Result {
    node_modules(cx)?;
    let by_hand = "install Firefox, and set FIREFOX to its path";
    debian(cx, &["firefox-esr"], || cx.firefox().is_some(), by_hand)
}

/// Installs packages of Debian, unless what they bring is there.
fn debian(cx: &Context, packages: &[&str], is_there: impl Fn() -> bool, by_hand: &str) -> Result {
    let _lock = lock(cx)?;
    if is_there() {
        return Ok(());
    }
    let names = packages.join(" and ");
    if cx.find("apt-get").is_none() {
        return Err(format!(
            "{names} cannot be found, and this is no Debian system to install it on: {by_hand}"
        ));
    }
    for args in [&["update"][..], &[&["install", "-y"], packages].concat()] {
        let mut command = match is_root(cx) {
            true => cx.command("apt-get"),
            false => {
                let mut sudo = cx.command("sudo");
                sudo.arg("apt-get");
                sudo
            }
        };
        cx.run(command.arg("-q").args(args).env("DEBIAN_FRONTEND", "noninteractive"))
            .map_err(|error| format!("{error}\nif it cannot be installed so, {by_hand}"))?;
    }
    match is_there() {
        true => Ok(()),
        false => Err(format!("{names}: not on PATH after its installation: {by_hand}")),
    }
}

/// The packages from npm: wasm-opt and what the browser tests use.
fn node_modules(cx: &Context) -> Result {
    let _lock = lock(cx)?;
    let read = |file: &str| fs::read(cx.root.join(file)).ok();
    let wanted = read("package-lock.json").ok_or("package-lock.json is missing")?;
    let stamp = "node_modules/.installed-lock.json";
    if read(stamp).as_ref() == Some(&wanted) {
        return Ok(());
    }
    let node = cx.output(cx.command("node").arg("--version"));
    let major =
        node.as_ref().and_then(|it| it.trim_start_matches('v').split('.').next()?.parse().ok());
    if major.is_none_or(|it: u32| it < 20) || cx.find("npm").is_none() {
        return Err("Node.js 20 or later, with npm, is needed: install it and try again".into());
    }
    cx.run(cx.command("npm").arg("ci"))?;
    fs::write(cx.root.join(stamp), wanted).map_err(|error| format!("{stamp}: {error}"))
}

/// The tools say their version themselves, so that a stamp can never be wrong about them.
fn is_installed(cx: &Context, tool: &str, version: &str) -> bool {
    let file = cx.root.join(".tools/bin").join(tool);
    let said = cx.output(std::process::Command::new(file).arg("--version"));
    said.is_some_and(|it| it.split_whitespace().last() == Some(version))
}

/// The version that the page is built with, after a check that the tools are of the same one:
/// wasm-bindgen reads only what its own version wrote, and its own message says little.
fn wasm_bindgen_version(cx: &Context) -> Result<String> {
    let read = |file: &str| {
        fs::read_to_string(cx.root.join(file)).map_err(|error| format!("{file}: {error}"))
    };
    let page = locked_version(&read("Cargo.lock")?, "wasm-bindgen")
        .ok_or("Cargo.lock has no wasm-bindgen: is crates/explorable in the workspace?")?;
    let tools = read("xtask/Cargo.lock")?;
    let trunk = read("Trunk.toml")?;
    for (file, found) in [
        ("xtask/Cargo.lock (wasm-bindgen-cli)", locked_version(&tools, "wasm-bindgen-cli")),
        ("xtask/wasm-tools/Cargo.toml (its own version)", locked_version(&tools, "wasm-tools")),
        ("Trunk.toml (wasm_bindgen)", toml_string(&trunk, "wasm_bindgen")),
    ] {
        if found.as_deref() != Some(&page) {
            return Err(format!(
                "wasm-bindgen is {page} in Cargo.lock, but {} in {file}.\n\
                 Make them equal: crates/explorable/Cargo.toml, xtask/wasm-tools/Cargo.toml \
                 (twice) and Trunk.toml name the version; then run `cargo update wasm-bindgen` \
                 and `cargo update --manifest-path xtask/Cargo.toml wasm-bindgen-cli`.",
                found.unwrap_or("missing".into()),
            ));
        }
    }
    Ok(page)
}

fn locked_version(lock: &str, package: &str) -> Option<String> {
    let name = format!("name = \"{package}\"");
    let entry = lock.split("[[package]]").find(|it| it.lines().any(|line| line == name))?;
    toml_string(entry, "version")
}

/// The value of a line `key = "value"`.
fn toml_string(text: &str, key: &str) -> Option<String> {
    text.lines().find_map(|line| {
        let value = line.strip_prefix(key)?.trim_start().strip_prefix('=')?.trim_start();
        Some(value.strip_prefix('"')?.split('"').next()?.to_string())
    })
}

/// Held while something is looked up and installed, since two commands may run in one checkout.
fn lock(cx: &Context) -> Result<File> {
    let folder = cx.root.join(".tools");
    let open = || {
        fs::create_dir_all(&folder)?;
        let file = File::create(folder.join("lock"))?;
        file.lock()?;
        Ok(file)
    };
    open().map_err(|error: std::io::Error| format!(".tools/lock: {error}"))
}

fn is_root(cx: &Context) -> bool {
    cx.output(cx.command("id").arg("-u")).is_some_and(|it| it.trim() == "0")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn reads_the_version_of_the_named_package_only() {
        let lock = "version = 4\n\n[[package]]\nname = \"wasm-bindgen-macro\"\nversion = \"1.0.0\"\n\n\
                    [[package]]\nname = \"wasm-bindgen\"\nversion = \"0.2.130\"\n";
        assert_eq!(locked_version(lock, "wasm-bindgen").as_deref(), Some("0.2.130"));
        assert_eq!(locked_version(lock, "wasm"), None);
    }

    #[test]
    fn reads_a_setting_with_its_comment() {
        let toml = "[tools]\nwasm_bindgen = \"0.2.130\" # as in Cargo.lock\n";
        assert_eq!(toml_string(toml, "wasm_bindgen").as_deref(), Some("0.2.130"));
        assert_eq!(toml_string(toml, "wasm"), None);
    }
}
