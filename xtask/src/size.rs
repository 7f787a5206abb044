//! The size of the built page, against a budget.

use std::fs;
use std::io::Write;
use std::path::Path;

use crate::context::{Context, Result};

/// What a reader may be made to download, compressed by brotli, as every browser
/// that runs the page takes it: the page is about a response's first round trips,
/// and should not need many itself.
const BUDGET: usize = 300_000;

struct Size {
    raw: usize,
    gzip: usize,
    brotli: usize,
}

pub fn report(cx: &Context) -> Result {
    let mut files = Vec::new();
    collect(&cx.dist, "", &mut files).map_err(|error| format!("the built page: {error}"))?;
    if files.is_empty() {
        return Err("there is no built page to measure".into());
    }
    files.sort_by_key(|(_, size)| std::cmp::Reverse(size.brotli));

    let index = fs::read_to_string(cx.dist.join("index.html"))
        .map_err(|error| format!("index.html: {error}"))?;
    // Other files, such as the snippet for other pages, are no part of this page.
    let is_loaded = |name: &str| name == "index.html" || index.contains(&format!("./{name}"));

    println!("{:>9} {:>9} {:>9}  file", "raw", "gzip", "brotli");
    let line = |name: &str, size: &Size| {
        println!("{:>9} {:>9} {:>9}  {name}", size.raw, size.gzip, size.brotli);
    };
    let mut total = Size { raw: 0, gzip: 0, brotli: 0 };
    let (files, beside): (Vec<_>, Vec<_>) =
        files.into_iter().partition(|(name, _)| is_loaded(name));
    for (name, size) in &files {
        line(name, size);
        total.raw += size.raw;
        total.gzip += size.gzip;
        total.brotli += size.brotli;
    }
    line("total", &total);
    for (name, size) in &beside {
        line(&format!("{name} (not loaded by the page)"), size);
    }

    let used = total.brotli * 100 / BUDGET;
    let verdict = format!("{used} % of the budget of {BUDGET} bytes in brotli");
    println!("{verdict}");
    match total.brotli > BUDGET {
        true => Err(format!("the page is too large: {verdict}")),
        false => Ok(()),
    }
}

fn collect(folder: &Path, prefix: &str, files: &mut Vec<(String, Size)>) -> std::io::Result<()> {
    for entry in fs::read_dir(folder)? {
        let entry = entry?;
        let name = format!("{prefix}{}", entry.file_name().to_string_lossy());
        if entry.file_type()?.is_dir() {
            collect(&entry.path(), &format!("{name}/"), files)?;
        } else {
            files.push((name, measure(&fs::read(entry.path())?)?));
        }
    }
    Ok(())
}

fn measure(content: &[u8]) -> std::io::Result<Size> {
    // The levels that a static host compresses with once, ahead of all requests.
    let mut gzip = flate2::write::GzEncoder::new(Vec::new(), flate2::Compression::best());
    gzip.write_all(content)?;
    let mut brotli = Vec::new();
    brotli::BrotliCompress(
        &mut &content[..],
        &mut brotli,
        &brotli::enc::BrotliEncoderParams::default(),
    )?;
    Ok(Size { raw: content.len(), gzip: gzip.finish()?.len(), brotli: brotli.len() })
}
