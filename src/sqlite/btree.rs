//! Trees of pages: those of tables, by row number, and those of indexes, by what is in them.

use std::cmp::Ordering;
use std::io;
use std::ops::ControlFlow;

use super::record::{Value, damaged, values, varint};
use super::{Bytes, Database, HEADER};

/// The deepest tree that is read. A full one of this depth would be larger than any file.
const DEPTH: u32 = 24;
/// The most bytes of one row: 64 MiB.
const ROW: u64 = 64 * 1024 * 1024;

struct Page {
    bytes: Vec<u8>,
    kind: PageKind,
    /// where each cell begins
    cells: Vec<usize>,
    /// the child after the last cell
    last: u32,
}

#[derive(Clone, Copy, PartialEq, Eq)]
enum PageKind {
    TableLeaf,
    TableInner,
    IndexLeaf,
    IndexInner,
}

/// Takes a row's number and its bytes.
pub(super) type Each<'a> = dyn FnMut(i64, &[u8]) -> io::Result<ControlFlow<()>> + 'a;

/// What a walk over a tree may still cost: no more pages than the file has, whatever points at what.
struct Budget(u64);

impl<B: Bytes> Database<B> {
    /// Calls `each` with the number and the bytes of every row below a page, in order, until it breaks.
    pub(super) fn scan(&self, root: u32, each: &mut Each<'_>) -> io::Result<()> {
        self.scan_page(root, DEPTH, &mut self.budget(), each).map(|_| ())
    }

    fn scan_page(
        &self,
        number: u32,
        depth: u32,
        budget: &mut Budget,
        each: &mut Each<'_>,
    ) -> io::Result<ControlFlow<()>> {
        let page = self.tree_page(number, depth, budget)?;
        for cell in &page.cells {
            let flow = match page.kind {
                PageKind::TableInner => {
                    self.scan_page(page.child(*cell)?, depth - 1, budget, each)?
                }
                PageKind::TableLeaf => {
                    let (id, payload) = self.row(&page, *cell)?;
                    each(id, &payload)?
                }
                _ => return Err(damaged("one of its tables is not readable")),
            };
            if flow.is_break() {
                return Ok(flow);
            }
        }
        match page.kind {
            PageKind::TableInner => self.scan_page(page.last, depth - 1, budget, each),
            _ => Ok(ControlFlow::Continue(())),
        }
    }

    /// The bytes of a row.
    pub(super) fn seek(&self, root: u32, id: i64) -> io::Result<Option<Vec<u8>>> {
        let (mut number, mut budget) = (root, self.budget());
        for depth in (1..=DEPTH).rev() {
            let page = self.tree_page(number, depth, &mut budget)?;
            match page.kind {
                PageKind::TableLeaf => {
                    for cell in &page.cells {
                        if page.row_number(*cell)?.0 == id {
                            return Ok(Some(self.row(&page, *cell)?.1));
                        }
                    }
                    return Ok(None);
                }
                PageKind::TableInner => {
                    let mut next = page.last;
                    for cell in &page.cells {
                        let (key, _) = varint(page.from(*cell + 4)?).ok_or_else(broken)?;
                        if id <= key.cast_signed() {
                            next = page.child(*cell)?;
                            break;
                        }
                    }
                    number = next;
                }
                _ => return Err(damaged("one of its tables is not readable")),
            }
        }
        Err(broken())
    }

    /// The numbers of the rows whose entry in an index begins with this text, in the order of the index.
    pub(super) fn numbers(&self, root: u32, text: &[u8]) -> io::Result<Vec<i64>> {
        let mut found = Vec::new();
        self.search(root, text, DEPTH, &mut self.budget(), &mut found)?;
        Ok(found)
    }

    /// Whether what follows this page may begin with the text, too.
    fn search(
        &self,
        number: u32,
        text: &[u8],
        depth: u32,
        budget: &mut Budget,
        found: &mut Vec<i64>,
    ) -> io::Result<bool> {
        let page = self.tree_page(number, depth, budget)?;
        let inner = match page.kind {
            PageKind::IndexInner => true,
            PageKind::IndexLeaf => false,
            _ => return Err(damaged("one of its indexes is not readable")),
        };
        for cell in &page.cells {
            let start = if inner { cell + 4 } else { *cell };
            let (length, taken) = varint(page.from(start)?).ok_or_else(broken)?;
            let entry = self.payload(&page, start + taken, length, index_limits(self.usable))?;
            let entry = values(&entry)?;
            let order = match entry.first() {
                Some(Value::Text(first)) => first.cmp(&text),
                Some(Value::Blob(_)) => Ordering::Greater,
                _ => Ordering::Less,
            };
            if inner
                && order != Ordering::Less
                && !self.search(page.child(*cell)?, text, depth - 1, budget, found)?
            {
                return Ok(false);
            }
            match (order, entry.last()) {
                (Ordering::Greater, _) => return Ok(false),
                (Ordering::Equal, Some(Value::Int(id))) => found.push(*id),
                (Ordering::Equal, _) => return Err(broken()),
                (Ordering::Less, _) => {}
            }
        }
        if inner { self.search(page.last, text, depth - 1, budget, found) } else { Ok(true) }
    }

    fn budget(&self) -> Budget {
        Budget(self.was.size / self.page_size as u64 + self.newer.len() as u64 + 1)
    }

    fn tree_page(&self, number: u32, depth: u32, budget: &mut Budget) -> io::Result<Page> {
        if depth == 0 || budget.0 == 0 {
            return Err(damaged("its pages go round in a circle"));
        }
        budget.0 -= 1;
        Page::of(self.page(number)?, if number == 1 { HEADER } else { 0 })
    }

    fn row(&self, page: &Page, cell: usize) -> io::Result<(i64, Vec<u8>)> {
        let (length, taken) = varint(page.from(cell)?).ok_or_else(broken)?;
        let (id, id_taken) = page.row_number(cell)?;
        let limits = table_limits(self.usable);
        Ok((id, self.payload(page, cell + taken + id_taken, length, limits)?))
    }

    /// The bytes of a row or an entry: some in the page, the rest in a chain of pages of its own.
    fn payload(
        &self,
        page: &Page,
        start: usize,
        length: u64,
        (most, least): (usize, usize),
    ) -> io::Result<Vec<u8>> {
        if length > ROW {
            return Err(damaged("a row of it is larger than this version reads"));
        }
        let length = usize::try_from(length).map_err(|_| broken())?;
        let local = if length <= most {
            length
        } else {
            let fits = least + (length - least) % (self.usable - 4);
            if fits <= most { fits } else { least }
        };
        let here = page.from(start)?;
        let mut payload = here.get(..local).ok_or_else(broken)?.to_vec();
        let mut next = if local < length { number_at(here, local)? } else { 0 };
        while payload.len() < length {
            let more = self.page(next)?;
            let part = (length - payload.len()).min(self.usable - 4);
            payload.extend_from_slice(&more[4..4 + part]);
            next = number_at(&more, 0)?;
        }
        Ok(payload)
    }
}

impl Page {
    fn of(bytes: Vec<u8>, head: usize) -> io::Result<Self> {
        let kind = match bytes[head] {
            0x0d => PageKind::TableLeaf,
            0x05 => PageKind::TableInner,
            0x0a => PageKind::IndexLeaf,
            0x02 => PageKind::IndexInner,
            _ => return Err(broken()),
        };
        let inner = matches!(kind, PageKind::TableInner | PageKind::IndexInner);
        let count = usize::from(u16::from_be_bytes([bytes[head + 3], bytes[head + 4]]));
        let first = head + if inner { 12 } else { 8 };
        let pointers = bytes.get(first..first + 2 * count).ok_or_else(broken)?;
        let cells = pointers.chunks(2).map(|at| usize::from(u16::from_be_bytes([at[0], at[1]])));
        let cells = cells.collect();
        let last = if inner { number_at(&bytes, head + 8)? } else { 0 };
        Ok(Self { bytes, kind, cells, last })
    }

    fn from(&self, at: usize) -> io::Result<&[u8]> {
        self.bytes.get(at..).ok_or_else(broken)
    }

    fn child(&self, cell: usize) -> io::Result<u32> {
        number_at(&self.bytes, cell)
    }

    /// The number of the row in a cell of a leaf, and how many bytes it has.
    fn row_number(&self, cell: usize) -> io::Result<(i64, usize)> {
        let (_, taken) = varint(self.from(cell)?).ok_or_else(broken)?;
        let (id, id_taken) = varint(self.from(cell + taken)?).ok_or_else(broken)?;
        Ok((id.cast_signed(), id_taken))
    }
}

fn broken() -> io::Error {
    damaged("a page of it is broken")
}

fn number_at(bytes: &[u8], at: usize) -> io::Result<u32> {
    let four = bytes.get(at..at + 4).and_then(|four| four.try_into().ok());
    four.map(u32::from_be_bytes).ok_or_else(broken)
}

/// The most bytes of a row that are in its page, and the least where it has more.
fn table_limits(usable: usize) -> (usize, usize) {
    (usable - 35, (usable - 12) * 32 / 255 - 23)
}

fn index_limits(usable: usize) -> (usize, usize) {
    ((usable - 12) * 64 / 255 - 23, (usable - 12) * 32 / 255 - 23)
}
