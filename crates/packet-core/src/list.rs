//! A few numbers: which ones, rather than how many.

use serde::{Deserialize, Serialize};
use std::fmt;

/// At most [`List::MOST`] numbers in ascending order, none of them twice. It is small, since every value
/// of a parameter has room for one.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(try_from = "Vec<u16>", into = "Vec<u16>")]
pub struct List {
    numbers: [u16; List::MOST],
    count: u8,
}

/// More numbers than a [`List`] can hold.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct TooMany;

impl fmt::Display for TooMany {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "a list holds {} numbers at most", List::MOST)
    }
}

impl std::error::Error for TooMany {}

impl List {
    /// How many it can hold.
    pub const MOST: usize = 8;

    /// The list of one number.
    pub const fn one(number: u16) -> List {
        let mut numbers = [0; List::MOST];
        numbers[0] = number;
        List { numbers, count: 1 }
    }

    /// Reads numbers with commas between them, in whatever order. Nothing where one of them is none, or
    /// where there are too many.
    pub fn parse(text: &str) -> Option<List> {
        let mut list = List::default();
        for number in text.split(',') {
            list = list.with(number.trim().parse().ok()?).ok()?;
        }
        Some(list)
    }

    /// The numbers.
    pub fn as_slice(&self) -> &[u16] {
        &self.numbers[..usize::from(self.count)]
    }

    /// This list and one more number.
    ///
    /// # Errors
    /// [`TooMany`] where it is full.
    pub fn with(mut self, mut number: u16) -> Result<List, TooMany> {
        for place in &mut self.numbers[..usize::from(self.count)] {
            if *place == number {
                return Ok(self);
            }
            // The larger ones move up.
            if *place > number {
                std::mem::swap(place, &mut number);
            }
        }
        *self.numbers.get_mut(usize::from(self.count)).ok_or(TooMany)? = number;
        self.count += 1;
        Ok(self)
    }

    /// This list but for one number.
    pub fn without(mut self, number: u16) -> List {
        if let Some(place) = self.as_slice().iter().position(|n| *n == number) {
            self.numbers[place..].rotate_left(1);
            self.numbers[List::MOST - 1] = 0;
            self.count -= 1;
        }
        self
    }
}

/// `7,12,40`, or in the alternate form, for people, `7, 12, 40`.
impl fmt::Display for List {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let comma = if f.alternate() { ", " } else { "," };
        for (i, number) in self.as_slice().iter().enumerate() {
            write!(f, "{}{number}", if i > 0 { comma } else { "" })?;
        }
        Ok(())
    }
}

impl TryFrom<Vec<u16>> for List {
    type Error = TooMany;

    fn try_from(numbers: Vec<u16>) -> Result<List, TooMany> {
        numbers.into_iter().try_fold(List::default(), List::with)
    }
}

impl From<List> for Vec<u16> {
    fn from(list: List) -> Vec<u16> {
        list.as_slice().to_vec()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn list(text: &str) -> List {
        List::parse(text).expect("a list")
    }

    #[test]
    fn numbers_stand_in_order_and_once() {
        let numbers = list("40, 12,40,7");
        assert_eq!(numbers.as_slice(), [7, 12, 40]);
        assert_eq!(format!("{numbers} {numbers:#}"), "7,12,40 7, 12, 40");
        assert_eq!(numbers, list("7,12,40"));
        assert_eq!(numbers.without(12), list("7,40"));
        assert_eq!(numbers.without(13), numbers);
        assert_eq!(List::one(9).without(9), List::default());
    }

    #[test]
    fn a_full_list_takes_only_what_it_has() {
        let full = list("8,7,6,5,4,3,2,1");
        assert_eq!(full.with(9), Err(TooMany));
        assert_eq!(full.with(5), Ok(full));
        assert_eq!(full.without(8).with(9), Ok(list("1,2,3,4,5,6,7,9")));
    }

    #[test]
    fn what_is_no_list_is_refused() {
        for text in ["", "1,", ",", "1;2", "-1,2", "1.5", "65536", "1,2,3,4,5,6,7,8,9"] {
            assert_eq!(List::parse(text), None, "{text}");
        }
    }
}
