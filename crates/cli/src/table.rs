//! Cells in columns, for people.

use std::io::{self, Write};
use std::ops::Range;

/// Writes rows of cells under each other, those of the `numeric` columns to the right.
pub fn write<R: AsRef<[String]>>(
    rows: &[R],
    numeric: Range<usize>,
    out: &mut dyn Write,
) -> io::Result<()> {
    let columns = rows.first().map_or(0, |row| row.as_ref().len());
    let width = |i: usize| rows.iter().map(|row| row.as_ref()[i].chars().count()).max();
    let widths: Vec<_> = (0..columns).map(|i| width(i).unwrap_or(0)).collect();
    for row in rows {
        let cells = row.as_ref().iter().zip(&widths).enumerate().map(|(i, (cell, width))| {
            if numeric.contains(&i) { format!("{cell:>width$}") } else { format!("{cell:<width$}") }
        });
        writeln!(out, "{}", cells.collect::<Vec<_>>().join("  ").trim_end())?;
    }
    Ok(())
}
