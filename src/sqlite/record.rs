//! Records: the values of a row, or of an entry of an index.

use std::borrow::Cow;
use std::io;

/// What is wrong with a database, as an error.
pub(super) fn damaged(what: &str) -> io::Error {
    io::Error::new(io::ErrorKind::InvalidData, what)
}

#[derive(Debug, Clone, Copy, PartialEq)]
pub(crate) enum Value<'a> {
    Null,
    /// a whole number
    Int(i64),
    /// a number with a fraction
    Real(f64),
    /// text, as its bytes
    Text(&'a [u8]),
    /// bytes
    Blob(&'a [u8]),
}

pub(crate) struct Row<'a> {
    columns: &'a [String],
    values: Vec<Value<'a>>,
}

impl<'a> Row<'a> {
    /// `number` is the column that stands for the row's number `id`.
    pub(super) fn new(
        columns: &'a [String],
        number: Option<usize>,
        id: i64,
        payload: &'a [u8],
    ) -> io::Result<Self> {
        let mut values = values(payload)?;
        if let Some(value) = number.and_then(|at| values.get_mut(at)) {
            *value = Value::Int(id);
        }
        Ok(Self { columns, values })
    }

    /// The value of a column; `Null` also where the row is older than the column.
    pub(crate) fn get(&self, column: &str) -> Value<'a> {
        let at = self.columns.iter().position(|name| name == column);
        at.and_then(|at| self.values.get(at)).copied().unwrap_or(Value::Null)
    }

    /// The text of a column; what is not UTF-8 in it is replaced.
    pub(crate) fn text(&self, column: &str) -> Option<Cow<'a, str>> {
        match self.get(column) {
            Value::Text(bytes) => Some(String::from_utf8_lossy(bytes)),
            _ => None,
        }
    }

    /// The whole number of a column.
    pub(crate) fn int(&self, column: &str) -> Option<i64> {
        match self.get(column) {
            Value::Int(number) => Some(number),
            _ => None,
        }
    }
}

pub(super) fn values(payload: &[u8]) -> io::Result<Vec<Value<'_>>> {
    let broken = || damaged("a record of it is broken");
    let (length, mut at) = varint(payload).ok_or_else(broken)?;
    let length = usize::try_from(length).map_err(|_| broken())?;
    let (head, mut body) = payload.split_at_checked(length).ok_or_else(broken)?;
    let mut values = Vec::new();
    while at < head.len() {
        let (kind, taken) = varint(&head[at..]).ok_or_else(broken)?;
        at += taken;
        let size = match kind {
            0 | 8 | 9 => 0,
            1..=4 => kind,
            5 => 6,
            6 | 7 => 8,
            10 | 11 => return Err(broken()),
            kind => (kind - 12) / 2,
        };
        let size = usize::try_from(size).map_err(|_| broken())?;
        let (bytes, rest) = body.split_at_checked(size).ok_or_else(broken)?;
        body = rest;
        values.push(match kind {
            0 => Value::Null,
            7 => Value::Real(f64::from_be_bytes(bytes.try_into().unwrap_or_default())),
            8 => Value::Int(0),
            9 => Value::Int(1),
            1..=6 => Value::Int(int(bytes)),
            kind if kind % 2 == 1 => Value::Text(bytes),
            _ => Value::Blob(bytes),
        });
    }
    Ok(values)
}

/// A big-endian number in two's complement.
fn int(bytes: &[u8]) -> i64 {
    let sign = if bytes.first().is_some_and(|byte| *byte >= 0x80) { -1 } else { 0 };
    bytes.iter().fold(sign, |number, byte| number << 8 | i64::from(*byte))
}

/// A number of one to nine bytes, and how many it has.
pub(super) fn varint(bytes: &[u8]) -> Option<(u64, usize)> {
    let mut number = 0_u64;
    for (index, byte) in bytes.iter().take(9).enumerate() {
        if index == 8 {
            return Some((number << 8 | u64::from(*byte), 9));
        }
        number = number << 7 | u64::from(byte & 0x7f);
        if byte & 0x80 == 0 {
            return Some((number, index + 1));
        }
    }
    None
}
