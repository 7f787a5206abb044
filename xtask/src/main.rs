//! `cargo xtask <command>`: sets up, serves, builds, tests and measures the project.
//!
//! Every command first installs what it needs and finds missing, into this
//! checkout where that is possible (`.tools/`, `node_modules/`).

mod context;
mod setup;
mod size;
mod test;

use std::process::ExitCode;

use context::{Context, Result};

const HELP: &str = "\
usage: cargo xtask <command>

  serve [trunk options]     serve the page and rebuild it when a source file changes
  test [step ...]           run every test, or only the named steps; `test --list` names them
  dist                      build the page into dist/, to be copied into any folder of a web server
  offline                   build the page as one file, target/offline/slow-start.html, that needs no server
  size                      build the page, report its size and check it against the budget
  bench [cargo options]     run the benchmarks
  shots [folder [query ..]] take screenshots of the page (default folder: target/shots)
  preview                   take the picture that other sites show beside a link, web/preview.png, anew
  baselines                 accept how the panels look now: take the pictures in tests/baselines/ anew

environment:
  DIST                    another folder than dist/ for the built page
  SITE                    the address that the page will have, for previews of links to it
  CHROMIUM, CHROMEDRIVER  another browser, and its driver, than those found on PATH
  FIREFOX                 another Firefox than the one found on PATH
";

fn main() -> ExitCode {
    let args: Vec<String> = std::env::args().skip(1).collect();
    let Some((command, rest)) = args.split_first() else {
        print!("{HELP}");
        return ExitCode::FAILURE;
    };
    match run(command, rest) {
        Ok(()) => ExitCode::SUCCESS,
        Err(error) => {
            eprintln!("error: {error}");
            ExitCode::FAILURE
        }
    }
}

fn run(command: &str, args: &[String]) -> Result {
    let cx = Context::new()?;
    match command {
        "serve" => serve(&cx, args),
        "test" => test::run(&cx, args),
        "dist" => dist(&cx),
        "offline" => {
            dist(&cx)?;
            offline(&cx)
        }
        "size" => {
            dist(&cx)?;
            size::report(&cx)
        }
        "bench" => bench(&cx, args),
        "shots" => shots(&cx, args),
        "preview" => preview(&cx),
        "baselines" => baselines(&cx),
        "help" | "--help" | "-h" => {
            print!("{HELP}");
            Ok(())
        }
        other => Err(format!("no command `{other}`\n\n{HELP}")),
    }
}

fn serve(cx: &Context, args: &[String]) -> Result {
    setup::page_tools(cx)?;
    fetch(cx)?;
    // Released code, so that sliders move as they do for readers; a folder of
    // its own, so that a test run next to it does not swap the page under it.
    let folder = cx.root.join("target/serve");
    println!("building the page; its address follows");
    cx.replace_by(trunk(cx, "serve").arg("--dist").arg(folder).args(args))
}

/// Builds the page as it is published.
pub fn dist(cx: &Context) -> Result {
    setup::page_tools(cx)?;
    fetch(cx)?;
    cx.run(trunk(cx, "build").arg("--dist").arg(&cx.dist))
}

/// Puts the built page into one file, which works without a server.
pub fn offline(cx: &Context) -> Result {
    cx.run(
        cx.command("node")
            .arg("web/inline.mjs")
            .arg(&cx.dist)
            .arg("target/offline/slow-start.html"),
    )
}

fn trunk(cx: &Context, command: &str) -> std::process::Command {
    let mut trunk = cx.command("trunk");
    // Trunk takes NO_COLOR=1, which is how everyone writes it, for an error.
    trunk.env_remove("NO_COLOR").args([command, "--release"]);
    trunk
}

/// Trunk builds offline, so that it never downloads a tool; then the crates must be there.
fn fetch(cx: &Context) -> Result {
    cx.run(cx.cargo().args(["fetch", "--target", setup::WASM_TARGET]))
}

fn bench(cx: &Context, args: &[String]) -> Result {
    let mut cargo = cx.cargo();
    // Only bench targets: the test harness of the libraries refuses Criterion's options.
    cargo.args(["bench", "--workspace", "--bench", "*"]).args(args);
    // The page keeps the memory it once had. So do the benchmarks, or they would measure how fast glibc
    // returns it to the kernel and gets it back, which can be half of a long run's time.
    for limit in ["MALLOC_TRIM_THRESHOLD_", "MALLOC_MMAP_THRESHOLD_"] {
        cargo.env(limit, (1 << 30).to_string());
    }
    cx.run(&mut cargo)
}

fn shots(cx: &Context, args: &[String]) -> Result {
    setup::browser(cx)?;
    dist(cx)?;
    let mut node = cx.command("node");
    node.arg("tests/browser/shots.mjs");
    match args {
        [] => node.arg("target/shots"),
        args => node.args(args),
    };
    cx.run(&mut node)
}

fn preview(cx: &Context) -> Result {
    setup::browser(cx)?;
    dist(cx)?;
    cx.run(cx.command("node").args(["tests/browser/preview.mjs", "web/preview.png"]))
}

fn baselines(cx: &Context) -> Result {
    setup::browser(cx)?;
    dist(cx)?;
    let test = ["--test", "tests/browser/baselines.test.mjs"];
    cx.run(cx.command("node").args(test).env("BLESS", "1"))
}
