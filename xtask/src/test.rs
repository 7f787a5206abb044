//! `cargo xtask test`: every check, the fast ones first, up to the first that fails.

use std::time::{Duration, Instant};

use crate::context::{Context, Result};
use crate::{dist, offline, setup, size};

struct Step {
    name: &'static str,
    about: &'static str,
    set_up: &'static [fn(&Context) -> Result],
    run: fn(&Context) -> Result,
}

const STEPS: &[Step] = &[
    Step { name: "fmt", about: "the code is formatted", set_up: &[], run: fmt },
    Step {
        name: "clippy",
        about: "no warnings from the compiler or clippy, natively and for wasm",
        set_up: &[setup::wasm_target],
        run: clippy,
    },
    Step { name: "unit", about: "the tests of the crates, natively", set_up: &[], run: unit },
    Step {
        name: "wasm",
        about: "the tests of the page's crate, in Node and in Chromium",
        set_up: &[setup::wasm_tools, setup::chromium],
        run: wasm,
    },
    Step { name: "dist", about: "the page builds", set_up: &[setup::page_tools], run: dist },
    Step {
        name: "size",
        about: "the page is within its size budget",
        set_up: &[],
        run: size::report,
    },
    Step { name: "offline", about: "the page fits into one file", set_up: &[], run: offline },
    Step {
        name: "browser",
        about: "the tests of the built page, in Chromium",
        set_up: &[setup::browser],
        run: browser,
    },
    Step {
        name: "firefox",
        about: "the built page works in Firefox",
        set_up: &[setup::firefox],
        run: firefox,
    },
];

pub fn run(cx: &Context, args: &[String]) -> Result {
    if args.iter().any(|arg| arg == "--list") {
        for step in STEPS {
            println!("{:8} {}", step.name, step.about);
        }
        return Ok(());
    }
    let mut wanted: Vec<&str> = args.iter().map(String::as_str).collect();
    if let Some(unknown) = wanted.iter().find(|it| STEPS.iter().all(|step| step.name != **it)) {
        return Err(format!("no test step `{unknown}`: `cargo xtask test --list` names them"));
    }
    // They look at the built page, which must not be an old one.
    if wanted.contains(&"browser") {
        wanted.push("offline");
    }
    if ["size", "offline", "firefox"].iter().any(|step| wanted.contains(step)) {
        wanted.push("dist");
    }

    let start = Instant::now();
    let mut times = Vec::new();
    let steps = STEPS.iter().filter(|step| wanted.is_empty() || wanted.contains(&step.name));
    for step in steps {
        println!("\n=== {}: {}", step.name, step.about);
        let set_up = timed(|| step.set_up.iter().try_for_each(|it| it(cx)));
        let (result, took) = match set_up {
            (Ok(()), set_up) => {
                if set_up > Duration::from_secs(1) {
                    println!("=== {}: set up in {}", step.name, seconds(set_up));
                    times.push((format!("{} (set-up)", step.name), set_up));
                }
                timed(|| (step.run)(cx))
            }
            failed => failed,
        };
        if let Err(error) = result {
            println!("=== {}: FAILED after {}", step.name, seconds(took));
            return Err(format!("test step `{}`: {error}", step.name));
        }
        println!("=== {}: ok in {}", step.name, seconds(took));
        times.push((step.name.to_string(), took));
    }

    println!("\nall steps passed in {}", seconds(start.elapsed()));
    for (name, took) in times {
        println!("{:>9}  {name}", seconds(took));
    }
    Ok(())
}

fn timed(run: impl FnOnce() -> Result) -> (Result, Duration) {
    let start = Instant::now();
    (run(), start.elapsed())
}

fn seconds(duration: Duration) -> String {
    format!("{:.1} s", duration.as_secs_f64())
}

/// The manifest of this tool's workspace, whose code is held to the same rules.
const OWN: [&str; 2] = ["--manifest-path", "xtask/Cargo.toml"];

fn fmt(cx: &Context) -> Result {
    cx.run(cx.cargo().args(["fmt", "--all", "--check"]))?;
    cx.run(cx.cargo().arg("fmt").args(OWN).args(["--all", "--check"]))
}

fn clippy(cx: &Context) -> Result {
    // Locked, so that a lock file which does not match its manifests is found here.
    let check = |args: &[&str]| {
        cx.run(
            cx.cargo()
                .args(["clippy", "--locked", "--all-targets"])
                .args(args)
                .args(["--", "-D", "warnings"]),
        )
    };
    check(&["--workspace"])?;
    check(&["-p", "explorable", "--target", setup::WASM_TARGET])?;
    // Not wasm-tools, which would compile all of wasm-bindgen a second time for two short files.
    check(&[OWN[0], OWN[1], "-p", "xtask"])
}

fn unit(cx: &Context) -> Result {
    cx.run(cx.cargo().args(["test", "--locked", "--workspace"]))?;
    cx.run(cx.cargo().args(["test", "--locked", "-p", "xtask"]).args(OWN))
}

fn wasm(cx: &Context) -> Result {
    // Without doc tests, which ran natively; and never with --quiet, which the runner refuses.
    cx.run(
        cx.cargo()
            .args(["test", "--locked", "-p", "explorable", "--lib", "--tests"])
            .args(["--target", setup::WASM_TARGET])
            .env("CARGO_TARGET_WASM32_UNKNOWN_UNKNOWN_RUNNER", "wasm-bindgen-test-runner"),
    )
}

fn browser(cx: &Context) -> Result {
    tests_in(cx, "tests/browser")
}

fn firefox(cx: &Context) -> Result {
    tests_in(cx, "tests/firefox")
}

fn tests_in(cx: &Context, folder: &str) -> Result {
    // The files one by one: what Node makes of a folder has changed between its versions.
    let mut files: Vec<String> = std::fs::read_dir(cx.root.join(folder))
        .map_err(|error| format!("{folder}: {error}"))?
        .filter_map(|entry| entry.ok()?.file_name().into_string().ok())
        .filter(|name| name.ends_with(".test.mjs"))
        .map(|name| format!("{folder}/{name}"))
        .collect();
    files.sort();
    if files.is_empty() {
        return Err(format!("{folder} has no tests"));
    }
    cx.run(
        cx.command("node")
            // The limit is for one file; without it a hanging page would hang the run.
            .args(["--test", "--test-reporter=spec", "--test-timeout=300000"])
            .args(files),
    )
}
