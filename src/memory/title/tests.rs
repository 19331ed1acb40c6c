//! What titles are, by conversations.

use proptest::prelude::*;

use super::*;

/// Turns by turns: the person's first.
fn title(turns: &[&str]) -> Option<String> {
    let said =
        |(place, words): (usize, &&'static str)| SpokenTurn { by_user: place % 2 == 0, words };
    let owned: Vec<&'static str> =
        turns.iter().map(|words| String::leak((*words).to_owned()) as &_).collect();
    title_of(owned.iter().enumerate().map(said)).map(|title| title.text)
}

fn check(turns: &[&str], expect: Option<&str>) {
    assert_eq!(title(turns).as_deref(), expect, "{turns:?}");
}

#[test]
fn a_person_may_write_small_and_in_russian() {
    check(
        &[
            "доброе. игорь пишет, что выгрузка номенклатуры с утра не идёт. вот из журнала:\nHTTP/1.1 413 Request Entity Too Large\nchunk 3 of 9",
            "Выгрузку режет nginx: лимит 1 МБ, а куски по 20.",
        ],
        Some("игорь пишет, что выгрузка номенклатуры с утра не идёт"),
    );
    // Forms of one word are one, and a later question is not what it was about.
    check(
        &[
            "чеки висят в статусе wait, со вчерашнего дня",
            "Чеков 212, колбэки не доходят.",
            "и что с ними",
            "Опрашиваю кассу сама: 209 из 212 закрыты.",
        ],
        Some("чеки висят в статусе wait, со вчерашнего дня"),
    );
    check(&["ну давай", "Сделано."], None);
    check(
        &[
            "в субботу двое пришли на один корт к 19:00, оба с оплатой\n\nброни: bk_7F (18:30–20:00) и bk_8A (19:00–20:00), корт 4",
            "Обе брони стоят: ключ берётся по началу, а не по длине. Корт 4, bk_7F и bk_8A.",
        ],
        Some("в субботу двое пришли на один корт к 19:00, оба с оплатой"),
    );
    // A query is not what somebody asks.
    check(
        &[
            "SELECT berth, SUM(ordered) - SUM(shipped) AS open_qty\nFROM mart_lines\n\nrostock is double the excel of the depot, why\n",
            "The depot of Rostock has two rows, and the card takes both: open_qty is summed twice.",
        ],
        Some("rostock is double the excel of the depot, why"),
    );
    // A full stop that cuts a word short ends no sentence.
    check(
        &[
            "the importer drops rows of berths, pilots etc. when the sheet has a header, which nobody had noticed before the audit",
            "The header was taken for a berth, so its row went.",
        ],
        Some("the importer drops rows of berths, pilots etc. when the sheet has a header"),
    );
}

#[test]
fn npm_called_every_sitting_by_its_time() {
    check(
        &["ok, can you fix the tariff parser? It drops rows.", "The tariff parser skipped rows."],
        Some("fix the tariff parser"),
    );
    // Go-aheads, thanks and marks of images ask for nothing.
    check(
        &[
            "yes",
            "Going on.",
            "thanks!",
            "Welcome.",
            "[Image #1] why does the sidebar cover the footer?",
        ],
        Some("why does the sidebar cover the footer"),
    );
    check(&["look at this", "\u{feff}## Always push the tariffs [feedback]\n- rule: push"], None);
    check(&["thanks!", "You are welcome."], None);
    check(&[], None);
    check(
        &["Implement the following plan:\n\n# Plan: cache the tariff table\n\n## Context\n\nSlow."],
        Some("cache the tariff table"),
    );
    // A command is named as it was typed, unless the reply says what it was about.
    check(&["/pr-review 222", "The diff is large."], Some("/pr-review 222"));
    check(
        &["/pr-review 222", "Reading.\n\n## PR #222: cache the tariff table\n\nFine."],
        Some("PR #222: cache the tariff table"),
    );
    check(
        &[
            "/pr-review 222",
            "",
            "## Context\n\n- Current status: title:\tCache the tariff table\nstate:\tOPEN\n\n## Your task\n\nReview it.",
            "I have read it.",
        ],
        Some("/pr-review 222: Cache the tariff table"),
    );
    check(
        &[
            "## Context\n\n- Current git status: On branch x",
            "# Code review: the tariff parser\n\nFine.",
        ],
        Some("Code review: the tariff parser"),
    );
    check(
        &[
            "address 12, 14",
            "I'll fix those.\n\n- Renamed `load` to `readTariff` in the parser\n- Done",
        ],
        Some("Renamed `load` to `readTariff` in the parser"),
    );
    // What was pasted is not what was asked.
    check(
        &[
            "Traceback (most recent call last):\n  File \"x.py\", line 3\nKeyError: row\n\nwhy does the import crash?",
        ],
        Some("why does the import crash"),
    );
    check(
        &["```\nold parser code\n```\nreplace the regex by a parser", "The regex is gone."],
        Some("replace the regex by a parser"),
    );
    check(&["move src/a.rs to src/b.rs", "Moved."], Some("move src/a.rs to src/b.rs"));
}

#[test]
fn a_report_and_a_list_ask_for_nothing() {
    // What somebody did tells less than what is to be done.
    check(
        &[
            "We have the same trouble with the crane at night. I selected the \"Which berths are...\" chart and it stays empty.",
            "The chart of the crane reads a table that is gone.",
        ],
        Some("We have the same trouble with the crane at night"),
    );
    check(
        &[
            "Another agent implemented the crane of the pier. Review how the brake of the crane holds.",
            "The brake of the crane holds, the pier is fine.",
        ],
        Some("Review how the brake of the crane holds"),
    );
    // Nor what is quoted, or the circumstance alone.
    check(
        &[
            "\"the crane needs the old brake table of the pier\"\nThis is not correct. The crane reads the new brake table of the harbour.",
            "The crane reads the new brake table of the harbour now, not the old one of the pier.",
        ],
        Some("The crane reads the new brake table of the harbour"),
    );
    check(
        &[
            "When running the crane on a pier with lots of berths and a strong tide, you get a chart like this:\nShow the load of the crane.",
            "The crane shows its load for all berths of the pier.",
        ],
        Some("Show the load of the crane"),
    );
    // Names alone do not say what is asked of them.
    check(
        &[
            "Look at our cranes: North, East, South Pier and West Pier\nEach crane needs a sensor that stops the winch when salt water comes in.",
            "The cranes North, East, South Pier and West Pier get a sensor that stops the winch in salt water.",
        ],
        Some("Each crane needs a sensor that stops the winch when salt water comes in"),
    );
}

#[test]
fn where_little_is_said_a_file_or_what_the_reply_does_gives_the_title() {
    check(
        &["tell me about .vscode/settings.json\nshould that be in git?", ""],
        Some("tell me about .vscode/settings.json"),
    );
    let linted = "crane/brake.go:96:4: QF1012: Use fmt.Fprintf(...) instead of WriteString(fmt.Sprintf(...)) (staticcheck)";
    check(
        &[linted, "Let me fix these brake warnings. Must be a tab vs spaces issue, probably."],
        Some("fix these brake warnings"),
    );
    check(&[linted, "Let me check."], None);
    check(
        &["do the thing we discussed", "I implemented the brake check in `crane.rs`. Tests pass."],
        Some("implemented the brake check in `crane.rs`"),
    );
    check(&["ship it?", "I have no idea."], None);
    check(&["done", "Want to dig into any of the sections of the report?"], None);
}

#[test]
fn any_language_has_titles() {
    fn check(go_ahead: &str, asked: &str, reply: &str, expect: &str) {
        let found = title(&[go_ahead, "…", asked, reply]);
        assert_eq!(found.as_deref(), Some(expect), "{asked}");
    }
    check(
        "네 계속해줘",
        "로그인 후에 리다이렉트가 무한 반복돼. 고쳐줘",
        "로그인 리다이렉트가 이전 대상을 유지하고 있었습니다.",
        "로그인 후에 리다이렉트가 무한 반복돼",
    );
    check(
        "好的，继续",
        "请修复登录页面的重定向循环问题。",
        "登录页面的重定向保留了旧目标，已修复。",
        "请修复登录页面的重定向循环问题",
    );
    check(
        "はい、続けて",
        "ログイン画面のリダイレクトが無限ループします。直してください",
        "ログイン後のリダイレクト先が残っていました。",
        "ログイン画面のリダイレクトが無限ループします",
    );
    check(
        "да, продолжай",
        "Исправь перенаправление после входа! Оно зациклилось.",
        "Перенаправление после входа хранило старую цель.",
        "Исправь перенаправление после входа",
    );
    check(
        "ja, mach weiter",
        "Repariere bitte die Umleitung nach der Anmeldung. Sie läuft im Kreis.",
        "Die Umleitung der Anmeldung behielt ihr altes Ziel.",
        "Repariere bitte die Umleitung nach der Anmeldung",
    );
}

#[test]
fn a_long_sentence_is_cut_where_it_can_be_read() {
    let long = "add a cache for the tariff table so that the nightly import does not read all of it again, \
        and please write tests for the expiry of its entries, too";
    let found = title(&[long, "The cache of the tariff table expires after six hours."]).unwrap();
    assert_eq!(found, "add a cache for the tariff table so that the nightly import does not read");
    let long = "요금표를 ".repeat(60);
    assert!(title(&[&long, "요금표"]).is_none_or(|title| title.chars().count() <= LIMIT));
    let long = "重新读取价格表速度非常慢".repeat(20);
    assert!(title(&[&long, "价格表"]).unwrap().chars().count() <= LIMIT);
}

#[test]
fn titles_that_only_count_are_none() {
    for none in [
        "Session 12",
        "Note 17",
        "회의 3",
        "conv-43-29",
        "2026-03-15",
        "2026-03-15 14:02",
        "f805e355",
        "#12",
        "",
        "New session - 2026-11-20T10:31:05.073Z",
        "019c7bbe-080b-7841-a755-9771f4a0e3d6",
        "Untitled",
    ] {
        assert!(only_counts(none), "{none}");
    }
    for title in [
        "fix the login",
        "Login",
        "로그인",
        "Phase 3 watcher",
        "sqlite3",
        "회의 3 예산",
        "日付ピッカーが1日ずれる",
        "二重予約が3件発生した",
        "本番デプロイ 6/4",
        "PRレビュー: #87",
        "修复登录重定向 3",
    ] {
        assert!(!only_counts(title), "{title}");
    }
    for none in ["会議 3", "ミーティング 3", "第3回会議", "对话 12"] {
        assert!(only_counts(none), "{none}");
    }
}

proptest! {
    #[test]
    fn any_turns_give_a_short_line_or_none(turns in proptest::collection::vec(".{0,200}", 0..6)) {
        let said = turns.iter().enumerate().map(|(place, words)| SpokenTurn { by_user: place % 2 == 0, words });
        if let Some(Title { text: title, .. }) = title_of(said) {
            proptest::prop_assert!(title.chars().count() <= LIMIT && !title.contains('\n'));
            proptest::prop_assert!(title.chars().any(char::is_alphanumeric));
        }
    }
}

#[test]
fn a_go_ahead_is_no_title() {
    let said = |by_user, words| SpokenTurn { by_user, words };
    let turns = [
        said(true, "yes"),
        said(false, "Continuing."),
        said(true, "OK, can you please fix the login redirect? It loops after a logout."),
        said(false, "The redirect of the login kept its old target. Fixed."),
    ];
    assert_eq!(title_of(turns).map(|title| title.text).as_deref(), Some("fix the login redirect"));
}

#[test]
fn what_is_named_first_in_a_few_words_stands_in_front() {
    fn check(asked: &str, reply: &str, expect: &str) {
        assert_eq!(title(&[asked, reply]).as_deref(), Some(expect), "{asked}");
    }
    check(
        "ci. 14 minutes a run and red every third time. fix both",
        "I'll take `.gitlab-ci.yml` first: it takes 14 minutes a run.",
        "ci: 14 minutes a run and red every third time. fix both",
    );
    check(
        "back. the crane of pier 7 stops whenever the tide turns",
        "I looked back at the crane of pier 7. It stops when the tide turns.",
        "the crane of pier 7 stops whenever the tide turns",
    );
    check(
        "1. rename the crane to winch\n2. add a hook to the pier",
        "Renamed the crane to winch and added the hook. Version 1.4.0.",
        "rename the crane to winch",
    );
}

#[test]
fn what_a_command_says_every_time_is_told_apart_by_what_it_is_about() {
    let template = |heading: &str, context: &str| {
        format!(
            "# {heading}\n\n## Context\n\n{context}\n\n## Your task\n\nReview the changes.\n\n1. Read all.\n2. Report.\n"
        )
    };
    for (heading, context, reply, expect) in [
        (
            "Code review",
            "- Current branch: `feat/crane-stamps`\n- Merge request: !212, author: ada",
            "I'll go through all 14 files.",
            "Code review: !212 feat/crane-stamps",
        ),
        (
            "/review",
            "- Branch: !`git branch --show-current`",
            "I'll read PR 118 (\"Measure the tide at night\") and its neighbours.",
            "/review: PR 118 Measure the tide at night",
        ),
        (
            "/implement",
            "- 当前分支:feature/crane-v2(新建)",
            "先读文档。",
            "/implement: feature/crane-v2",
        ),
        ("Code review", "- Repository: harbour", "I'll read it.", "Code review"),
    ] {
        let found = title(&[&template(heading, context), reply]);
        assert_eq!(found.as_deref(), Some(expect));
    }
}

#[test]
fn the_head_of_a_table_is_no_title() {
    let asked = "Since friday the berths of pier 7 have lost their cranes.\n\n\
        berth_id    ship_name    tide_m   winch_no   crane_no\n";
    let reply = "The berth_id, the ship_name, the tide_m and the winch_no are there, the cranes of pier 7 not.";
    let expect = "Since friday the berths of pier 7 have lost their cranes";
    assert_eq!(title(&[asked, reply]).as_deref(), Some(expect));
}

#[test]
fn what_is_about_the_client_is_no_title() {
    for command in ["/help", "/clear", " /model opus ", "/compact"] {
        assert_eq!(title(&[command, "There are several."]), None, "{command}");
        let found = title(&[
            command,
            "There are several.",
            "why is the crane locked at night",
            "The crane is locked at night because the harbour sleeps.",
        ]);
        assert_eq!(found.as_deref(), Some("why is the crane locked at night"), "{command}");
    }
    let found = title(&["/new crane for pier four", "The crane for pier four is there."]);
    assert_eq!(found.as_deref(), Some("crane for pier four"));
}

#[test]
fn a_greeting_and_a_name_are_no_title() {
    fn check(asked: &str, reply: &str, expect: &str) {
        assert_eq!(title(&[asked, reply]).as_deref(), Some(expect), "{asked}");
    }
    check(
        "bom dia, Lívia. A balança do cais manda tudo em dobro desde sexta.",
        "Bom dia, Lívia. A balança manda em dobro.",
        "A balança do cais manda tudo em dobro desde sexta",
    );
    check(
        "oi, renan. a balança do cais manda tudo em dobro desde sexta",
        "Oi, Renan. Vejo a balança.",
        "a balança do cais manda tudo em dobro desde sexta",
    );
    check(
        "Hi Claude, the hook of the crane is loose since the tide turned",
        "Hi! The hook of the crane is loose.",
        "the hook of the crane is loose since the tide turned",
    );
}

#[test]
fn to_ask_what_was_done_before_is_no_title() {
    for asked in ["what did we do last week?", "summarize the last session", "recap of yesterday?"]
    {
        let reply = "Last week, in the session of friday, we moved the crane. Yesterday nothing.";
        let turns =
            [asked, reply, "then let's paint the hook of the crane", "The hook is painted."];
        assert_eq!(title(&turns).as_deref(), Some("paint the hook of the crane"), "{asked}");
    }
}

#[test]
fn what_is_wanted_counts_more_than_how_things_are() {
    fn check(turns: &[&str], expect: &str) {
        assert_eq!(title(turns).as_deref(), Some(expect), "{turns:?}");
    }
    check(
        &[
            "Take a look at the harbour crane. We have one for containers, that's lifted by the tide, but we'd also like the grain and the gravel to be moved by it whenever the pier is open to ships.",
            "The crane has a hook for containers. Grain and gravel need a grab.",
        ],
        "the grain and the gravel to be moved by it whenever the pier is open to ships",
    );
    // A path ends a sentence where nobody set a full stop.
    check(
        &[
            "Take a look at the generated table here `/srv/harbour/tables/2026-01-28-tide.md` Notice the tide of the east pier lacks the wind speed that the mast measures every hour",
            "The tide of the east pier lacks the wind speed.",
        ],
        "Notice the tide of the east pier lacks the wind speed that the mast measures",
    );
    // So do three dots before a question.
    check(
        &[
            "this is a bit odd... how does the tide table round the hours?",
            "The tide table rounds.",
        ],
        "how does the tide table round the hours",
    );
    // `this` says nothing, whatever leads to it.
    check(
        &[
            "Consider what happens when the winch reads a broken tide table. Right now, this makes the crane die a sudden death.",
            "The winch reads the broken table and the crane stops.",
        ],
        "Consider what happens when the winch reads a broken tide table",
    );
}

#[test]
fn a_go_ahead_is_named_by_its_number_or_its_template() {
    check(
        &["Proceed with phase 3", "`google/uuid` is already a dependency of the crane"],
        Some("Proceed with phase 3"),
    );
    check(
        &["Proceed with phase 3", "## Phase 3 — the tide table\n\nDone."],
        Some("Phase 3 — the tide table"),
    );
    check(
        &[
            "Proceed with phase 3",
            "Done.",
            "why does the crane lock the ledger?",
            "The crane locks.",
        ],
        Some("why does the crane lock the ledger"),
    );
    check(
        &[
            "use .harbour/commands/code-review.md no review the current unstaged code as a fix to the issue of https://example.org/harbour",
            "Added the tide table to the parser and the winch to the crane",
        ],
        Some("use .harbour/commands/code-review.md no review the current unstaged code"),
    );
    // What follows a go-ahead is still what the command has begun.
    check(
        &[
            "/pr-review 157",
            "",
            "proceed",
            "I'll review it.\n\n## PR #157: the tide table of the pier\n\nFine.",
        ],
        Some("PR #157: the tide table of the pier"),
    );
    // What remains of something cannot be understood without it.
    check(
        &[
            "Take a look at issue #266\n\nResearch it and tell me what to do.",
            "The remaining gap of the pier lamps in the harbour of the crane is small.\n\nLamps of the pier stay lit.",
        ],
        Some("Lamps of the pier stay lit"),
    );
    // Of ways that are offered one may be taken; what was found holds.
    check(
        &[
            "Take a look at issue #266\n\nResearch it and tell me what to do.",
            "Lamps of the pier stay lit until the harbour runs out of oil.\n\n**Option 1 — the new lamps.**\nLight the lamps of the pier, of the harbour and of the crane that burn oil.\n",
        ],
        Some("Lamps of the pier stay lit until the harbour runs out of oil"),
    );
    let template = "## Context\n\n- Current git status: clean\n\n## Your task\n\nExamine the current changes of the harbour.\nIgnore the rest.";
    check(
        &[template, "The tide table is fine as it stands."],
        Some("Examine the current changes of the harbour"),
    );
    check(&[template, "# Code Review: tide table\n\nFine."], Some("Code Review: tide table"));
    // What is reviewed has its number in an address.
    check(
        &[
            "going to review this pull request of the harbour\n\nhttps://example.org/harbour/crane/pull/238",
            "The pull request of the harbour is small.",
        ],
        Some("going to review this pull request of the harbour #238"),
    );
    // The beginning of a longer word names no pull request.
    check(
        &[
            "drop the prefix index of the harbour crane\n\nhttps://example.org/harbour/crane/pull/238",
            "The prefix index of the crane is gone.",
        ],
        Some("drop the prefix index of the harbour crane"),
    );
    check(
        &[
            "why does issue 12 of the harbour crane come back?\n\nhttps://example.org/issues/13",
            "Issue 12 of the harbour crane came back.",
        ],
        Some("why does issue 12 of the harbour crane come back"),
    );
}

#[test]
fn an_answer_to_an_earlier_question_names_nothing() {
    let turns = [
        (false, "Which log is it?"),
        (true, "OK, debug.log of the crane is in ~/harbour/watch-4"),
        (false, "The crane's log has lines without a tide table."),
    ];
    let said = turns.map(|(by_user, words)| SpokenTurn { by_user, words });
    assert_eq!(
        title_of(said).map(|title| title.text).as_deref(),
        Some("The crane's log has lines without a tide table")
    );
}

#[test]
fn items_of_a_list_are_details_and_a_report_alone_is_all_there_is() {
    fn check(turns: &[&str], expect: &str) {
        assert_eq!(title(turns).as_deref(), Some(expect), "{turns:?}");
    }
    check(
        &[
            "The harbour office answered our plan for the crane.\n- The winch decodes the tide table of the east pier\n- The brake holds the chain",
            "The harbour office is right about the plan for the crane and about the tide table.",
        ],
        "The harbour office answered our plan for the crane",
    );
    check(
        &[
            "OK, another agent implemented chunk 2 of the plan. Please review.",
            "Chunk 2 is as the plan has it, and whoever implemented it kept the agent's limits.",
            "The building agent disagrees with the finding on the tide table.",
            "The tide table is as the building agent says.",
        ],
        "another agent implemented chunk 2 of the plan",
    );
    check(
        &[
            "OK, we're building chunk 1 of docs/TIDES.md\n\nThe tool is here, and the tide service of the pier is at ../tide-service",
            "The tool and the tide service of the pier are there. Chunk 1 of docs/TIDES.md is done.",
        ],
        "we're building chunk 1 of docs/TIDES.md",
    );
    check(
        &[
            "The resulting tide table is here: /srv/harbour/tides.md Review it for harbours without a lighthouse and broken lamps.",
            "Two harbours lack a lighthouse.",
        ],
        "Review it for harbours without a lighthouse and broken lamps",
    );
}

fn check_first(prompt: &str, reply: &str, expect: &str) {
    assert_eq!(title(&[prompt, reply]).as_deref(), Some(expect), "{prompt}");
}

#[test]
fn a_person_may_write_in_any_of_the_common_languages() {
    check_first(
        "moin. die kassen in kiel syncen seit gestern nicht",
        "Die Kassen in Kiel bekommen ein 502.",
        "die kassen in kiel syncen seit gestern nicht",
    );
    check_first(
        "meister hat den 2. testlauf gemacht, der kran steht",
        "Der Kran steht, weil der Testlauf die Bremse nicht löst.",
        "meister hat den 2. testlauf gemacht, der kran steht",
    );
    check_first(
        "buenas. los camiones no pueden cargar desde el viernes",
        "Los camiones reciben un 500 al cargar.",
        "los camiones no pueden cargar desde el viernes",
    );
    check_first(
        "bonjour, la grue du quai 4 envoie deux fois chaque pesée",
        "La pesée part deux fois : le quai 4 a deux capteurs.",
        "la grue du quai 4 envoie deux fois chaque pesée",
    );
    check_first(
        "bom dia. o recibo da balança sai em branco",
        "O recibo sai em branco porque a balança manda UTF-8.",
        "o recibo da balança sai em branco",
    );
}

#[test]
fn what_leads_to_a_paste_is_the_title_rather_than_a_line_of_it() {
    check_first(
        "deploy 2.7.0 hängt:\n\nkran1 warmup cache prod release\nschreibrechte ordner cache prod release fehlen\n\nrechte?",
        "Der Ordner cache gehört root: prod release kran1 darf nicht schreiben, warmup cache hängt.",
        "deploy 2.7.0 hängt",
    );
    // What only points down says nothing of it.
    check_first(
        "With the crane parser I get output like this:\n\nWinch idle, berth 4\nWinch idle, berth 5\n\nthe winch report should name the crane that is idle",
        "The winch report names the crane now, berth and crane id.",
        "the winch report should name the crane that is idle",
    );
    check_first(
        "审核流程要重做：\n一、泊位图纸归档编号\n二、起重机维修记录上传\n",
        "审核流程重做：先归档，再上传记录。",
        "审核流程要重做",
    );
}

/// What a person's command says every time, with headings of its own.
const REVIEW: &str = "# Review pending changes\n\nLook at all changed files with git diff.\n\n## What to look at\n\
- Safety: anything that could lose a berth.\n- Privacy: no names of pilots in logs.\n\n## Rules\n- Only report.\n\n\
## Output\nA table of findings.";

#[test]
fn a_document_is_called_by_its_heading() {
    #[track_caller]
    fn check(prompt: &str, reply: &str, expect: Option<&str>) {
        assert_eq!(title(&[prompt, reply]).as_deref(), expect);
    }
    let reply = "## Findings\n1. `berth.rs:12` may lose a berth while another one is saved; privacy of pilots is kept.";
    check(REVIEW, reply, Some("Review pending changes (berth)"));
    // What is asked for behind it tells one use of it from another, and a heading of the reply that says more is better.
    let behind = format!("{REVIEW}\n\nonly the berths of the southern pier");
    check(&behind, reply, Some("Review pending changes: only the berths of the southern pier"));
    let headed = format!("# Review of the harbour tables (#12)\n\n{reply}");
    check(REVIEW, &headed, Some("Review of the harbour tables (#12)"));
    // A note with a heading, and a heading that any command may have, say nothing of the kind.
    check(
        "# Pilots\n\nthe pilots lose their berths after midnight",
        "Pilots lose their berths because the day ends in UTC.",
        Some("the pilots lose their berths after midnight"),
    );
    check(
        &REVIEW.replace("Review pending changes", "Your task"),
        "Look at all changed files: done.",
        Some("Look at all changed files with git diff"),
    );
}

#[test]
fn the_log_of_a_phone_is_pasted() {
    let prompt = "03-02 15:31:07.412 18233 18233 E Harbour: Process: app.harbour, PID: 18233\n\n\
        crashes since i pulled. i only added a berth to the pilots";
    let reply =
        "The berth is in the table of pilots, but its version is the old one, so the app crashes.";
    let expect = "crashes since i pulled. i only added a berth to the pilots";
    assert_eq!(title(&[prompt, reply]).as_deref(), Some(expect));
}

#[test]
fn a_prompt_to_a_role_is_called_by_what_it_asks_for() {
    #[track_caller]
    fn check(behind: &str, reply: &str, expect: &str) {
        let prompt = format!(
            "You are a senior harbour master. Examine the staged changes with git.\n\nRead all of each file. If a berth is \
             touched, read its piers and their ropes.\n\nChecklist:\n1. Berths: is any of them lost?\n2. Pilots: no names in \
             logs.\n\nDo not commit, and do not sail without a pilot.{behind}"
        );
        assert_eq!(title(&[&prompt, reply]).as_deref(), Some(expect));
    }
    let reply =
        "A berth is touched, so I read its piers and ropes.\n\n## Findings\nNo berth is lost.";
    check("", reply, "Examine the staged changes with git (berth)");
    check(
        "\n\nFocus: the tide table of the southern pier",
        reply,
        "Examine the staged changes with git: the tide table of the southern pier",
    );
    let headed = format!("Reading.\n\n## Review of the tide table (HARB-12)\n\n{reply}");
    check("", &headed, "Review of the tide table (HARB-12)");
}

/// What is said of the real matter, long enough to make what came before it an aside.
const MATTER: [&str; 4] = [
    "right. the tide gauge at the north quay jumps by a metre whenever the ferry docks",
    "The gauge averages over two seconds, and the wash of the ferry lasts four. I looked at the readings of a week: every jump of the \
     tide falls on a docking, and none is longer than five seconds. A median over thirty seconds would hide the wash and keep the tide.",
    "median then, but keep the raw readings of the gauge",
    "The gauge stores raw readings for ninety days now, and shows the median over thirty seconds. The jumps of last week are gone from the \
     chart of the north quay when I replay them, and the alarm for high water still comes within a minute.",
];

#[test]
fn what_is_dealt_with_by_the_way_is_no_title() {
    fn check(opening: [&str; 2], expect: &str) {
        assert_eq!(
            title(&[&opening[..], &MATTER].concat()).as_deref(),
            Some(expect),
            "{opening:?}"
        );
    }
    let matter = "the tide gauge at the north quay jumps by a metre whenever the ferry docks";
    check(
        [
            "thanks, the invoice export for the harbour office went through yesterday",
            "Good to hear.",
        ],
        matter,
    );
    check(["there is a typo in the footer, `hrabour`", "Fixed."], matter);
    // Somebody comes back to this one.
    check(
        ["the ferry breaks our gauge readings", "Let me look."],
        "the ferry breaks our gauge readings",
    );
    // And this took as long as what follows.
    let long = "The export writes one file per berth, and the office wants one per month. I changed the loop, sorted the \
        lines by day and added a header with the name of the berth. The totals agree with the ledger of last year to the cent.";
    check(
        ["the invoice export for the harbour office has too many files", long],
        "the invoice export for the harbour office has too many files",
    );
}

#[test]
fn whether_something_was_said_by_the_way_is_known_later() {
    let said: Vec<&str> =
        ["there is a typo in the footer, `hrabour`", "Fixed."].into_iter().chain(MATTER).collect();
    let after = |turns: usize| {
        let turns = said[..turns].iter().enumerate();
        title_of(turns.map(|(place, words)| SpokenTurn { by_user: place % 2 == 0, words })).unwrap()
    };
    assert_eq!((after(2).text.contains("typo"), after(2).is_settled), (true, false));
    assert!(after(6).text.contains("tide gauge"));
}

#[test]
fn a_later_prompt_may_come_to_the_matter() {
    let matter = "the tide gauge at the north quay jumps by a metre whenever the ferry docks";
    let report = "The export of the berths stopped in the night, at the berth of the tug, since the gauge of the north quay had no \
        reading. I started the export again, and the berths are complete now.";
    for turn in [
        "ok。接着说正事:",
        "nah leave it. proper thing: ",
        "gut. eigentlich wollte ich: ",
        "ладно. по делу: ",
    ] {
        let asked = format!("{turn}{matter}");
        let begun = ["did the export of the berths at the north quay finish", report, &*asked];
        let said: Vec<&str> = begun.into_iter().chain(MATTER[1..].iter().copied()).collect();
        let found = title(&said).unwrap();
        assert_eq!(found, matter, "{turn}");
    }
    let asked = format!("and add the tug. {matter}");
    let said =
        ["did the export of the berths at the north quay finish", report, &*asked, MATTER[1]];
    assert_eq!(
        title(&said).as_deref(),
        Some("did the export of the berths at the north quay finish")
    );
}

#[test]
fn what_answers_an_earlier_question_is_no_title() {
    let answer = "to your question from monday: yes, the harbour office has the invoices of all nine berths now";
    let below = format!("{answer}\n\n{}", MATTER[0]);
    assert!(title(&[&below, MATTER[1]]).unwrap().contains("tide gauge"));
    assert!(title(&[answer, "Good.", MATTER[0], MATTER[1]]).unwrap().contains("tide gauge"));
    let news = "heads up, the invoices of the harbour office went out last night at 21:15";
    assert!(
        title(&[news, "The invoices of all nine berths are paid.", MATTER[0], MATTER[1]])
            .unwrap()
            .contains("tide gauge")
    );
    let today = "die Rechnungen sind gestern abend rausgegangen, alle neun. heute: der Kran am Nordkai steht seit sieben still";
    assert_eq!(
        title(&[today, MATTER[1]]).as_deref(),
        Some("der Kran am Nordkai steht seit sieben still")
    );
}

proptest! {
    #[test]
    fn a_settled_title_stays_whatever_is_said_behind_it(
        said in prop::collection::vec(prop::sample::select(SAID.to_vec()), 2..24),
        at in 1_usize..24,
    ) {
        let turns = |count: usize| {
            let turns = said[..count].iter().enumerate();
            title_of(turns.map(|(place, words)| SpokenTurn { by_user: place % 2 == 0, words }))
        };
        let before = turns(at.min(said.len()));
        if let Some(before) = before.filter(|title| title.is_settled) {
            prop_assert_eq!(before.text, turns(said.len()).unwrap().text);
        }
    }
}

/// What may be said in a sitting, by either side.
const SAID: [&str; 12] = [
    "ok go on",
    "thanks, the invoice export went through yesterday",
    "proper thing: the tide gauge at the north quay jumps by a metre",
    "another thing: the crane list loads for eleven seconds",
    "the tide gauge at the north quay jumps whenever the ferry docks",
    "The gauge averages over two seconds, and the wash of the ferry lasts four. A median over thirty seconds hides the wash.",
    "to your question: yes",
    "there is a typo in the footer, `hrabour`",
    "Fixed.",
    "why does the crane list take so long on the tablets of the yard",
    "The crane list is read twice: once for the tablets, once for the yard. Now it is read once, and the list loads in a second.",
    "/review 57",
];

#[test]
fn somebody_may_come_to_the_matter_in_the_same_prompt() {
    fn check(prompt: &str, expect: &str) {
        assert_eq!(title(&[prompt, "The crane list is read twice."]).as_deref(), Some(expect));
    }
    check(
        "Six of nine berths answered the survey, two wrote by hand. Different thing. The crane list loads for eleven seconds on the tablets of \
         the yard, and nobody waits that long.",
        "The crane list loads for eleven seconds on the tablets of the yard",
    );
    check(
        "Six of nine berths answered. The real question is why the crane list loads for eleven seconds.",
        "The real question is why the crane list loads for eleven seconds",
    );
    // What is only added is shorter.
    check(
        "The crane list loads for eleven seconds on the tablets of the yard. Another thing: bump the version.",
        "The crane list loads for eleven seconds on the tablets of the yard",
    );
}

#[test]
fn a_command_with_a_number_is_called_after_what_the_reply_calls_it() {
    let asked =
        ["/review 57", "Reading PR №57, «batches for the hub» by Stas, +184 −61.\n\nTwo findings."];
    assert_eq!(title(&asked).as_deref(), Some("/review 57: batches for the hub"));
    let unnamed = [
        "/review 57",
        "Two findings.",
        "the second finding about sector offsets is wrong",
        "It is.",
    ];
    assert_eq!(
        title(&unnamed).as_deref(),
        Some("the second finding about sector offsets is wrong")
    );
}

#[test]
fn what_only_leads_to_a_list_is_followed_by_its_beginning() {
    let asked =
        "three things for the editor:\n1. undo eats the gates\n2. the picker scrolls to the top";
    assert_eq!(
        title(&[asked, "The gates are assets of their own."]).as_deref(),
        Some("three things for the editor: undo eats the gates")
    );
}

#[test]
fn the_log_of_a_device_and_what_is_added_are_no_titles() {
    fn check(prompt: &str, expect: &str) {
        assert_eq!(title(&[prompt, "I looked at both."]).as_deref(), Some(expect));
    }
    check(
        "the crane remote reboots when two phones connect\n\nI (48211) radio: conn open handle=1\nI (48530) radio: mtu=185",
        "the crane remote reboots when two phones connect",
    );
    check(
        "The crane remote loses its pairing after every night. Also the blue lamp of the stack task blinks for nine seconds.",
        "The crane remote loses its pairing after every night",
    );
    check(
        "Three things before the weekend, then I am on the island and you are alone with it:\n\n1. the crane remote loses its pairing\n2. labels",
        "the crane remote loses its pairing",
    );
}

#[test]
fn what_is_read_first_and_how_things_are_are_passed_over() {
    check_first(
        "read @README.md, @docs/winch.md and @docs/quay/crane.md and then add a brake to the winch of the north quay",
        "I'll read the notes, then add the brake to the winch.",
        "add a brake to the winch of the north quay",
    );
    check_first(
        "we have a winch in @crates/winch that's running perfectly on the south quay, with its own gauge. \
         now it's time to move it to the north quay",
        "I'll move the winch to the north quay.",
        "move it to the north quay",
    );
    check_first(
        "I am trying to lower three anchors. The anchor.toml file of the old harbour is just a single table with the name of its chain.",
        "The anchors go down by the table of chains in the old harbour.",
        "lower three anchors",
    );
}

/// What somebody begins with who was led to the matter by something else, and the matter.
const LED_BY_SOMETHING: [&str; 10] = [
    "third title with a colon this year that breaks the harbour's page",
    "The scanner takes a colon for a mapping. Put into quotes it works.",
    "enough. i want to leave yaml behind, what would that take",
    "YAML is read in `quay/config.go` alone. TOML has a decoder that tells the line.",
    "toml then. what about harbours that write their yaml with a script",
    "They keep it for two releases: `quay migrate` turns YAML into TOML and keeps the old file.",
    "does the toml keep the comments",
    "No: the YAML decoder drops them. The TOML file lists the keys that had one.",
    "put a line on yaml in the release notes",
    "Done, below TOML.",
];

#[test]
fn a_title_that_nobody_comes_back_to_has_the_words_that_they_do_come_back_to() {
    assert_eq!(
        title(&LED_BY_SOMETHING).as_deref(),
        Some("yaml, TOML: third title with a colon this year that breaks the harbour's page")
    );
    // Where one comes back to it, it belongs to the matter.
    let mut once = LED_BY_SOMETHING;
    once[6] = "does the toml keep a colon in a comment";
    assert_eq!(
        title(&once).as_deref(),
        Some("third title with a colon this year that breaks the harbour's page (yaml, TOML)")
    );
    // The number of an issue leads there, whatever is said.
    let mut numbered = LED_BY_SOMETHING;
    numbered[0] = "third title with a colon this year, the one of #41";
    assert_eq!(title(&numbered).as_deref(), Some(numbered[0]));
    // Of so little it cannot be told.
    assert_eq!(
        title(&LED_BY_SOMETHING[..4]).as_deref(),
        Some("third title with a colon this year that breaks the harbour's page")
    );
    // One of its words comes up again.
    let same: Vec<String> =
        LED_BY_SOMETHING.iter().map(|said| format!("{said} Colon again.")).collect();
    let same: Vec<&str> = same.iter().map(String::as_str).collect();
    assert!(!title(&same).unwrap().ends_with(')'), "{:?}", title(&same));
}

#[test]
fn what_is_said_to_come_before_the_matter_gives_no_title() {
    fn check(first: &str, expect: &str) {
        let reply = "`git commit --amend --reset-author` takes the address of your settings, and the harbour's hook checks that one.";
        let said = [
            first,
            reply,
            "the crane stops in the middle of a lift since the gauge was changed",
            "The gauge answers in feet, so the crane takes every lift for too high. I changed the lift's limit to feet.",
            "does the crane's log tell that, too",
            "Yes, each lift stands there in feet now.",
        ];
        assert_eq!(title(&said).as_deref(), Some(expect), "{first}");
    }
    let matter = "the crane stops in the middle of a lift since the gauge was changed";
    check("quick one: how do i set the author of my last commit to the new address", matter);
    check("how do i set the author of my last commit to the new address? then new topic", matter);
    check("先に一つだけ、最後のコミットの作者をどう変えますか", matter);
    // It is taken up, so it is the matter.
    let taken_up = "quick one: the crane lifts nothing, the gauge is in feet";
    check(taken_up, taken_up);
}

#[test]
fn an_error_leads_what_the_reply_hardly_takes_up() {
    fn check(prompt: &str, reply: &str, expect: &str) {
        assert_eq!(title(&[prompt, reply]).as_deref(), Some(expect), "{prompt}");
    }
    let log = "10:00:01 lift: hold 9 of the quay: insert: logbook is locked";
    check(
        &format!("{log}\n\nthree before breakfast. i thought we had a spare winch"),
        "Two lifts write the logbook at once, so it stays locked for the second one.",
        "logbook is locked: three before breakfast. i thought we had a spare winch",
    );
    check(
        &format!("{log}\n\nthe lifts of the north quay fail since the crane was painted"),
        "Two lifts of the north quay write the logbook at once, so it stays locked.",
        "the lifts of the north quay fail since the crane was painted",
    );
    check(
        "Berth      Size  Used Ships Use% Moored on\nnorth       2.2T  2.1T\n\nthe quay is full of old barges",
        "The barges of the old fleet fill the quay.",
        "the quay is full of old barges",
    );
}

#[test]
fn small_talk_gives_no_title_where_the_reply_asks_what_is_to_be_done() {
    fn said<'a>(first: &'a str, asked: &'a str, matter: &'a str) -> [&'a str; 6] {
        [
            first,
            asked,
            matter,
            "The gauge answers in feet, so the crane takes every lift for too high.",
            "make it metres then",
            "Done, the gauge of the crane answers in metres.",
        ]
    }
    let matter = "the crane stops in the middle of a lift since the gauge was changed";
    let check = |first: &'static str, asked: &'static str, expect: &str| {
        assert_eq!(title(&said(first, asked, matter)).as_deref(), Some(expect), "{first}");
    };
    let hello = "lovely weekend at the lighthouse with both kids";
    check(hello, "Glad to hear it. The branch is green. What's on the table?", matter);
    check(
        "joli week-end au phare avec les enfants",
        "Tant mieux ! Dites-moi par quoi on commence.",
        matter,
    );
    // Something was asked, and done.
    let asked = "set the winch of the yard to 1.4 and push its tag";
    check(asked, "Done, and pushed to the yard. What would you like to do next?", asked);
    // Nothing was asked, and what was said is taken up.
    check(hello, "Glad to hear it. The lighthouse was green, then?", hello);
    let crane = "the gauge of the crane stops";
    check(crane, "The crane reads its gauge each second. What would you like to know?", crane);
}

#[test]
fn an_error_that_is_all_a_prompt_has_is_its_title() {
    fn check(prompt: &str, reply: &str, expect: &str) {
        assert_eq!(title(&[prompt, reply]).as_deref(), Some(expect), "{prompt}");
    }
    let reply =
        "The tanks of the harbour are full. From the list of the yard, the old barges take most.";
    check(
        "/dev/tank1  58G  58G\n03:30:02 ERROR pump: tank of the quay is full (13)",
        reply,
        "pump: tank of the quay is full (13)",
    );
    check("again\n\n[ERROR] crane lift: gauge not found", reply, "crane lift: gauge not found");
    check(
        "this thing again\n\n FAIL  lift/crane.test.ts > the last berth goes to exactly one",
        "It failed 7 times of 200, so it is real.",
        "lift/crane.test.ts > the last berth goes to exactly one",
    );
    // What a person says is theirs.
    check(
        "3 ERROR lines for each lift of the crane since monday",
        "The crane writes them since its gauge was changed on monday.",
        "3 ERROR lines for each lift of the crane since monday",
    );
    check(
        "44.40 INFO lift 218\n45.61 ERROR lift: gauge not found\n\nthe crane on the pier dies every few hours",
        "The gauge of the crane on the pier is gone, so it dies.",
        "the crane on the pier dies every few hours",
    );
    check(
        "FROM harbour:1.24 AS crane\nRUN lift --gauge crane-box\n\nwhy do we ship the whole yard for one crane",
        "The crane needs no yard: crane-box is one file. `lift --gauge` goes.",
        "why do we ship the whole yard for one crane",
    );
    check(
        "ci red on the pier since this morning\n\n  = note: rust-lld: error: section of the crane will not fit",
        "The section of the crane will not fit since the pier has no profile.",
        "section of the crane will not fit: ci red on the pier since this morning",
    );
}

#[test]
fn a_number_alone_is_called_after_the_sentence_that_has_it() {
    let reply = "Reviewed the request 58 of Ada: compensation of the tide gauge. The code is right. Nor has it \
        the line about the size of the firmware, which every change of the firmware has to have.";
    let called = "I read PR #58 \"compensation of the tide\" (4 files). Three remarks. First, the gauge never stops.";
    assert_eq!(title(&["58", called]).as_deref(), Some("58: compensation of the tide"));
    assert_eq!(
        title(&["PR 58 pls", called]).as_deref(),
        Some("PR 58 pls: compensation of the tide")
    );
    let set = "Set to 20. The error \"gauge not found\" is gone since the crane waits longer.";
    assert!(!title(&["yes, 20", set]).unwrap_or_default().contains("yes, 20: "));
    let found = title(&["PR 58, porfa", reply]);
    assert_eq!(
        found.as_deref(),
        Some("Reviewed the request 58 of Ada: compensation of the tide gauge")
    );
}

#[test]
fn what_somebody_says_before_the_matter_is_left_out() {
    check_first(
        "hiya! the crane stops at noon",
        "The crane stops by its clock.",
        "the crane stops at noon",
    );
    check_first(
        "yo. the crane stops at noon",
        "The crane stops by its clock.",
        "the crane stops at noon",
    );
    check_first(
        "ostras, la grúa se para a mediodía",
        "La grúa se para por el reloj a mediodía.",
        "la grúa se para a mediodía",
    );
    check_first(
        "ahh ok. change that one then. real thing: pier list should mark each crane that lifts too slowly",
        "The list of the pier marks a crane that lifts slowly in orange.",
        "pier list should mark each crane that lifts too slowly",
    );
}

#[test]
fn chinese_words_stand_behind_a_title_too() {
    let said = [
        "昨天码头的横幅终于挂好了,老板很满意",
        "太好了。",
        "好,说吊车。吊车的缓存为什么一直旧",
        "吊车列表的缓存没有过期时间,写入时也不清。",
        "那缓存改成十秒",
        "改了,缓存十秒后过期,写入时清掉。",
        "顺便把缓存的日志打出来",
        "日志里现在有缓存命中率。",
        "缓存满了怎么办",
        "缓存满了就丢最旧的。",
    ];
    let title = title(&said).unwrap();
    assert!(title.contains("缓存"), "{title}");
}

#[test]
fn words_in_katakana_stand_beside_a_title_too() {
    let said = [
        "昨日はお疲れさまでした、港の旗がきれいでした",
        "ありがとうございます。",
        "クレーンの表が古いままです",
        "クレーンの表はキャッシュから読まれています。",
        "キャッシュを消してください",
        "キャッシュを消しました。",
        "キャッシュは10秒でいい",
        "キャッシュの期限は10秒です。",
        "船の数もキャッシュですか",
        "船の数もキャッシュから来ます。",
    ];
    let title = title(&said).unwrap();
    assert!(title.contains("キャッシュ"), "{title}");
}

#[test]
fn a_title_that_says_little_has_words_of_both_sides_behind_it() {
    fn check(turns: &[&str], expect: &str) {
        assert_eq!(title(turns).as_deref(), Some(expect));
    }
    check(
        &[
            "there's a merge conflict here",
            "I took your side of `winch/brake.go`.",
            "not the gauge",
            "The gauge of `dev` is back, and so is the test of its gauge.",
        ],
        "there's a merge conflict here (gauge)",
    );
    // A number of an issue names enough, and what only one side says is no word of both.
    check(
        &["merge conflict in #41", "The gauge is back: one gauge of two, the gauge of dev."],
        "merge conflict in #41",
    );
    check(
        &[
            "there's a merge conflict here",
            "The gauge is back: one gauge of two, the gauge of dev.",
        ],
        "there's a merge conflict here",
    );
}

#[test]
fn what_compilers_debuggers_and_databases_print_is_pasted() {
    check(
        &[
            "crane hangs, only with two ropes\n\nThread 412 (idle): \"MainThread\"\n    lift (yard/crane.py:63)\n    run (yard/pool.py:29)",
            "The crane hangs as both ropes wait for one lock: the pool has a single thread.",
        ],
        Some("crane hangs, only with two ropes"),
    );
    check(
        &[
            "the list of berths takes 3 seconds since monday\n\n GroupAggregate  (cost=48210.11..51877.40 rows=560 width=44)\n   ->  Seq Scan on berths b (actual time=0.021..1490.556 rows=1284 loops=1)\n         Filter: is_taken(status, until)\n Execution Time: 2804.913 ms",
            "The list reads all berths: is_taken cannot use an index, so the status is checked row by row.",
        ],
        Some("the list of berths takes 3 seconds since monday"),
    );
    check(
        &[
            "In file included from /usr/include/c++/13/map:62,\n                 from /srv/yard/crane.hpp:9:\n/usr/include/c++/13/bits/function.h: In instantiation of 'less':\n\ni added one rope to the key of the crane",
            "The key of the crane has no order any more, as a rope has none.",
        ],
        Some("i added one rope to the key of the crane"),
    );
    check(
        &[
            "Thread 1 (UI) deadlocks with the winch since monday",
            "The winch and the UI thread wait for one lock, so both hang.",
        ],
        Some("Thread 1 (UI) deadlocks with the winch since monday"),
    );
    check(
        &[
            "Добрый день. По итогам первой недели управление порта пересмотрело правила стоянки. Обоснование: половина споров на причале из-за них.\n\nПрошу внести.",
            "Добрый день. Это одна новая строка: порт хранит всё с датой.",
        ],
        Some("По итогам первой недели управление порта пересмотрело правила стоянки"),
    );
}

#[test]
fn what_is_said_below_a_paste_needs_no_small_words_in_every_language() {
    check(
        &[
            "panic: index out of range [14] with length 14\n\ngoroutine 83 [running]:\nyard.lift(0x1)\n\n토욜부터 크레인 계속 죽음. 왜이럼",
            "크레인 프레임이 14바이트인데 18바이트로 읽습니다. 토요일에 올린 펌웨어부터입니다.",
        ],
        Some("토욜부터 크레인 계속 죽음"),
    );
    check(
        &[
            "```\nError: crane is stuck\n    at lift (yard.js:3)\n```\n\n又来，本地吊车好好的",
            "吊车在 CI 上没有钥匙，本地有。",
        ],
        Some("又来，本地吊车好好的"),
    );
    check(
        &["go on with the plan from yesterday", "`docs/plans/crane.md`의 1~4단계를 끝냈습니다."],
        Some("go on with the plan from yesterday (docs/plans/crane.md)"),
    );
}
