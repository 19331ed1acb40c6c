//! Reads `SQLite` databases that other programs are writing to: takes no lock, writes nothing, makes no file.
//!
//! The library of `SQLite` cannot do that. Opened read-only it still makes a `-shm` file and takes locks in it, and
//! opened `immutable` it does not see the write-ahead log, in which a client that is running, or was killed, has all
//! that is new. What is read of the format (<https://www.sqlite.org/fileformat2.html>) is what the stores of clients
//! need: tables with row numbers, plain indexes, the write-ahead log. No SQL.
//!
//! A writer may put pages of the log back into the main file at any moment. Whoever reads therefore asks
//! [`Database::is_as_it_was`] at the end, and reads again where it says no.

mod btree;
mod log;
mod record;
mod schema;

use std::collections::HashMap;
use std::io;
use std::ops::ControlFlow;

use record::damaged;
pub(crate) use record::{Row, Value};
use schema::{Index, Table};

/// A file that is read in parts.
pub(crate) trait Bytes {
    /// Fills `into` with the bytes from `at` on. Fails with `UnexpectedEof` where the file ends before.
    fn read_at(&self, at: u64, into: &mut [u8]) -> io::Result<()>;

    /// What changes whenever the file is written to.
    fn mark(&self) -> io::Result<Mark>;
}

/// A file's size and the time of its last change, in nanoseconds since 1970.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub(crate) struct Mark {
    /// bytes
    pub size: u64,
    /// nanoseconds since 1970
    pub written: i128,
}

/// How every database begins.
const MAGIC: &[u8; 16] = b"SQLite format 3\0";
/// The bytes of the header that page 1 begins with.
const HEADER: usize = 100;

/// An open database.
pub(crate) struct Database<B> {
    main: B,
    wal: Option<B>,
    /// the main file as it was when this was opened
    was: Mark,
    /// the first bytes of the write-ahead log as they were
    head: Vec<u8>,
    /// where the latest version of a page is in the write-ahead log
    newer: HashMap<u32, u64>,
    page_size: usize,
    /// bytes of a page that hold content
    usable: usize,
    tables: Vec<Table>,
    indexes: Vec<Index>,
}

impl<B: Bytes> Database<B> {
    /// Opens a database and what is in its write-ahead log. Fails when a file cannot be read, is no database, or is
    /// of a kind that is not known here.
    pub(crate) fn open(main: B, wal: Option<B>) -> io::Result<Self> {
        let was = main.mark()?;
        let log = wal.as_ref().map(log::read).transpose()?.flatten();
        let (head, newer, logged) = match log {
            Some(log) => (log.head, log.pages, Some(log.page_size)),
            None => (Vec::new(), HashMap::new(), None),
        };
        let mut database = Self {
            main,
            wal,
            was,
            head,
            newer,
            page_size: logged.unwrap_or(HEADER),
            usable: 0,
            tables: Vec::new(),
            indexes: Vec::new(),
        };
        if was.size == 0 && !database.newer.contains_key(&1) {
            return Ok(database);
        }
        let first = database.page(1)?;
        database.page_size = page_size(&first)?;
        if logged.is_some_and(|size| size != database.page_size) {
            return Err(damaged("its write-ahead log is of another database"));
        }
        database.usable = database.page_size.saturating_sub(usize::from(first[20]));
        if database.usable < 480 {
            return Err(damaged("its header makes no sense"));
        }
        let mut entries = Vec::new();
        database.scan(1, &mut |_, payload| {
            entries.extend(schema::entry(payload));
            Ok(ControlFlow::Continue(()))
        })?;
        (database.tables, database.indexes) = schema::sort(entries);
        Ok(database)
    }

    /// Whether all that was read since the database was opened belongs together: no page of the write-ahead log has
    /// been put back since, and none overwritten there.
    pub(crate) fn is_as_it_was(&self) -> io::Result<bool> {
        let mut head = vec![0; self.head.len()];
        let log_stands = match &self.wal {
            Some(wal) if !head.is_empty() => match wal.read_at(0, &mut head) {
                Ok(()) => head == self.head,
                Err(error) if error.kind() == io::ErrorKind::UnexpectedEof => false,
                Err(error) => return Err(error),
            },
            _ => true,
        };
        Ok(log_stands && self.main.mark()? == self.was)
    }

    /// Whether there is a table with all these columns.
    pub(crate) fn has(&self, table: &str, columns: &[&str]) -> bool {
        let found = self.tables.iter().find(|found| found.name == table);
        found.is_some_and(|found| columns.iter().all(|column| found.column(column).is_some()))
    }

    /// Calls `each` for every row of a table until it breaks. Fails when there is no such table, the file is damaged or
    /// cannot be read.
    pub(crate) fn rows(
        &self,
        table: &str,
        each: &mut dyn FnMut(&Row<'_>) -> ControlFlow<()>,
    ) -> io::Result<()> {
        let table = self.table(table)?;
        self.scan(table.root, &mut |id, payload| {
            Ok(each(&Row::new(&table.columns, table.number, id, payload)?))
        })
    }

    /// Calls `each` for every row whose `column` has this text, through an index where there is one, else by looking at
    /// all rows.
    pub(crate) fn rows_with(
        &self,
        table: &str,
        column: &str,
        text: &str,
        each: &mut dyn FnMut(&Row<'_>),
    ) -> io::Result<()> {
        let index = self.indexes.iter().find(|it| it.table == table && it.first == column);
        let Some(index) = index else {
            return self.rows(table, &mut |row| {
                if row.text(column).is_some_and(|found| found == text) {
                    each(row);
                }
                ControlFlow::Continue(())
            });
        };
        let table = self.table(table)?;
        for id in self.numbers(index.root, text.as_bytes())? {
            if let Some(payload) = self.seek(table.root, id)? {
                each(&Row::new(&table.columns, table.number, id, &payload)?);
            }
        }
        Ok(())
    }

    fn table(&self, name: &str) -> io::Result<&Table> {
        let found = self.tables.iter().find(|table| table.name == name);
        found.ok_or_else(|| damaged(&format!("it has no table `{name}` as this version knows it")))
    }

    /// A page, the latest version of it.
    fn page(&self, number: u32) -> io::Result<Vec<u8>> {
        let at = u64::from(number.checked_sub(1).ok_or_else(|| damaged("it names a page 0"))?);
        let mut bytes = vec![0; self.page_size];
        let read = match (self.newer.get(&number), &self.wal) {
            (Some(at), Some(wal)) => wal.read_at(*at, &mut bytes),
            _ => self.main.read_at(at * self.page_size as u64, &mut bytes),
        };
        match read {
            Ok(()) => Ok(bytes),
            Err(error) if error.kind() == io::ErrorKind::UnexpectedEof => {
                Err(damaged("it is cut: a page that it names is not there"))
            }
            Err(error) => Err(error),
        }
    }
}

/// The size of the pages, from the header of a database that can be read here.
fn page_size(header: &[u8]) -> io::Result<usize> {
    if header.len() < HEADER || !header.starts_with(MAGIC) {
        return Err(damaged("it is no SQLite database"));
    }
    if header[19] > 2 {
        return Err(damaged("it is of a newer format of SQLite"));
    }
    // 0 where nothing was ever written.
    if !matches!(header[56..60], [0, 0, 0, 0 | 1]) {
        return Err(damaged("its text is not UTF-8"));
    }
    let size = match u16::from_be_bytes([header[16], header[17]]) {
        1 => 65_536,
        size => usize::from(size),
    };
    if !size.is_power_of_two() || size < 512 {
        return Err(damaged("its header makes no sense"));
    }
    Ok(size)
}

#[cfg(test)]
mod tests;
