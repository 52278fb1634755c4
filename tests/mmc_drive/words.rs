//! The words of a line of the file that says what goes wrong.

use std::time::Duration;

use crate::{faults::Count, sense::Sense};

/// The words of a line.
pub(crate) struct Words<'a> {
    pub(crate) words: Vec<&'a str>,
}

impl<'a> Words<'a> {
    pub(crate) fn new(line: &'a str) -> Self {
        Self {
            words: line.split_whitespace().collect(),
        }
    }

    pub(crate) fn next(&mut self) -> Result<&'a str, String> {
        if self.words.is_empty() {
            return Err("something is missing".to_owned());
        }
        Ok(self.words.remove(0))
    }

    pub(crate) fn number<T: std::str::FromStr>(&mut self) -> Result<T, String> {
        let word = self.next()?;
        word.parse().map_err(|_| format!("`{word}` is no number"))
    }

    pub(crate) fn hex(&mut self) -> Result<u8, String> {
        let word = self.next()?;
        u8::from_str_radix(word, 16).map_err(|_| format!("`{word}` is no byte"))
    }

    pub(crate) fn hex_or(&mut self, otherwise: u8) -> Result<u8, String> {
        if self.words.is_empty() {
            return Ok(otherwise);
        }
        self.hex()
    }

    pub(crate) fn milliseconds(&mut self) -> Result<Duration, String> {
        Ok(Duration::from_millis(self.number()?))
    }

    pub(crate) fn sense(&mut self) -> Result<Sense, String> {
        Ok(Sense::new(self.hex()?, self.hex()?, self.hex()?))
    }

    pub(crate) fn bytes(&mut self) -> Result<Vec<u8>, String> {
        let word = self.next()?;
        let pairs = (0..word.len()).step_by(2);
        pairs
            .map(|at| {
                let pair = word.get(at..at + 2).unwrap_or_default();
                u8::from_str_radix(pair, 16).map_err(|_| format!("`{word}` is no bytes"))
            })
            .collect()
    }

    /// A word that may be there, wherever.
    pub(crate) fn flag(&mut self, name: &str) -> bool {
        let place = self.words.iter().position(|word| *word == name);
        place.is_some_and(|place| {
            self.words.remove(place);
            true
        })
    }

    /// What follows a word that may be there.
    pub(crate) fn key(&mut self, name: &str) -> Result<Option<Self>, String> {
        let Some(place) = self.words.iter().position(|word| *word == name) else {
            return Ok(None);
        };
        if place + 1 >= self.words.len() {
            return Err(format!("{name}: something is missing"));
        }
        Ok(Some(Self {
            words: self.words.drain(place..place + 2).skip(1).collect(),
        }))
    }

    pub(crate) fn key_hex(&mut self, name: &str, otherwise: u8) -> Result<u8, String> {
        self.key(name)?
            .map_or(Ok(otherwise), |mut words| words.hex())
    }

    pub(crate) fn count(&mut self, otherwise: Count) -> Result<Count, String> {
        self.key("count")?
            .map_or(Ok(otherwise), |mut words| words.number())
    }

    pub(crate) fn only(&mut self) -> Result<Option<u8>, String> {
        let words = self.key("only")?;
        words.map(|mut words| words.hex()).transpose()
    }

    pub(crate) fn end(&self) -> Result<(), String> {
        if self.words.is_empty() {
            return Ok(());
        }
        Err(format!("{} is too much", self.words.join(" ")))
    }
}
