//! Redaction with a memory: what one turn proves to be a secret is a secret in every later turn.

use std::borrow::Cow;
use std::cell::{OnceCell, RefCell};

use super::redact::Remembered;
use super::{Redact, text_of};

/// The rules in force, and the values they have proven so far.
pub(crate) struct Remembering<'a> {
    rules: &'a dyn Redact,
    load: Box<dyn Fn() -> Remembered + 'a>,
    /// loaded with the first text that is asked about: most runs find nothing new
    known: OnceCell<RefCell<Remembered>>,
}

impl<'a> Remembering<'a> {
    /// Goes on with what earlier runs remembered, which `load` gets when there is something to ask.
    pub(crate) fn new(rules: &'a dyn Redact, load: impl Fn() -> Remembered + 'a) -> Self {
        Self { rules, load: Box::new(load), known: OnceCell::new() }
    }

    fn known(&self) -> &RefCell<Remembered> {
        self.known.get_or_init(|| RefCell::new((self.load)()))
    }

    /// What is to be written, if anything was added since the last call.
    pub(crate) fn news(&self) -> Option<Vec<u8>> {
        let mut known = self.known.get()?.borrow_mut();
        known.take_changed().then(|| known.bytes())
    }

    fn hidden<'t>(&self, bytes: Cow<'t, [u8]>) -> Cow<'t, [u8]> {
        let known = self.known().borrow();
        match bytes {
            Cow::Borrowed(bytes) => self.rules.hide(bytes, &known),
            Cow::Owned(bytes) => match self.rules.hide(&bytes, &known) {
                Cow::Owned(hidden) => Cow::Owned(hidden),
                Cow::Borrowed(_) => Cow::Owned(bytes),
            },
        }
    }
}

impl Redact for Remembering<'_> {
    fn text<'t>(&self, text: &'t str) -> Cow<'t, str> {
        text_of(text, self.bytes(text.as_bytes()))
    }

    fn bytes<'t>(&self, text: &'t [u8]) -> Cow<'t, [u8]> {
        let clean = self.rules.bytes_and_proofs(text, &mut self.known().borrow_mut());
        self.hidden(clean)
    }

    fn json_line<'t>(&self, line: &'t [u8]) -> Cow<'t, [u8]> {
        let clean = self.rules.json_and_proofs(line, &mut self.known().borrow_mut());
        self.hidden(clean)
    }

    fn as_now<'t>(&self, text: &'t [u8]) -> Cow<'t, [u8]> {
        self.hidden(Cow::Borrowed(text))
    }
}

#[cfg(test)]
mod tests {
    use super::super::redact::Redactor;
    use super::*;

    #[test]
    fn what_a_turn_proves_is_hidden_in_the_turns_behind_it() {
        let value = ["Marmelade", "99x"].concat();
        let rules = Redactor::standard();
        let first = Remembering::new(&rules, || Remembered::new([3; 16]));
        let before = format!("try {value} then");
        assert_eq!(first.text(&before), before);
        assert!(first.news().is_none());
        assert_eq!(first.text(&format!("DB_PASSWORD={value}")), "DB_PASSWORD=[REDACTED:password]");
        assert_eq!(first.text(&before), "try [REDACTED:password] then");
        let json = format!("{{\"n\":1,\"text\":\"x\\n{value}\"}}");
        assert_eq!(
            &*first.json_line(json.as_bytes()),
            br#"{"n":1,"text":"x\n[REDACTED:password]"}"#
        );
        let file = first.news().unwrap();
        assert!(first.news().is_none());
        let next = Remembering::new(&rules, || Remembered::parse(&file).unwrap());
        assert_eq!(next.text(&before), "try [REDACTED:password] then");
    }
}
