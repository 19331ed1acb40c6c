// Made by `hipocampus init`; `hipocampus update` writes it anew.
// Hands OpenCode's conversations to hipocampus: text, the names of tools, the paths and commits they made, answers and
// reports, nothing else.
import { spawn } from "node:child_process";
import { existsSync, readFileSync, statSync } from "node:fs";
import { dirname, join, relative, resolve } from "node:path";
import { fileURLToPath } from "node:url";

const LIMIT_MS = 25_000;
// A process that was killed could not save: at its next start these sessions are looked at again.
const MISSED_DAYS = 7;
const MISSED_SESSIONS = 10;
// Of what a tool was called with and what it printed.
const SHORT = 8_192;

{% if private -%}
// The private project of a folder, whose memory lies in git's own.
const privateOf = (start) => {
  let top = start;
  for (; !existsSync(join(top, ".git")); top = dirname(top)) if (dirname(top) === top) return {};
  let git = join(top, ".git");
  try {
    git = resolve(top, readFileSync(git, "utf8").match(/^gitdir: (.+)$/m)[1]);
    git = resolve(git, readFileSync(join(git, "commondir"), "utf8").trim());
  } catch {
    // Not a linked worktree.
  }
  for (let root = start; ; root = dirname(root)) {
    const below = relative(top, root);
    const name = below ? `in-${below.replaceAll("%", "%25").replaceAll("/", "%2F")}` : "top";
    const memory = join(git, "hipocampus", name);
    if (existsSync(join(memory, "hipocampus.config.json"))) return { root, memory };
    if (root === top) return {};
  }
};
const projectOf = (start) => privateOf(start).root;
const memoryOf = (root) => privateOf(root).memory;
{%- else -%}
// A linked git worktree may lack the config, but then this file lies in it.
const here = dirname(dirname(dirname(fileURLToPath(import.meta.url))));

// The folder of the main worktree that a folder of a linked one stands for; git keeps where it is in a file `.git`.
const inMain = (start, dir) => {
  try {
    const link = readFileSync(join(dir, ".git"), "utf8").match(/^gitdir: (.+)$/m)?.[1];
    const top = link && resolve(dir, link).match(/^(.+)[\\/]\.git[\\/]worktrees[\\/][^\\/]+$/)?.[1];
    return top && join(top, relative(dir, start));
  } catch {
    // A repository of its own, or none.
  }
};

// The project, unless what is said in its linked worktrees is to stay there.
const sharing = (root) => {
  try {
    return /"worktrees"\s*:\s*"own"/.test(readFileSync(join(root, "hipocampus.config.json"), "utf8")) ? null : root;
  } catch {
    return null;
  }
};

const projectOf = (start) => {
  for (let dir = start; ; dir = dirname(dir)) {
    if (dir === here || existsSync(join(dir, "hipocampus.config.json"))) return dir;
    const main = inMain(start, dir);
    if (main) return sharing(projectOf(main));
    if (dirname(dir) === dir) return null;
  }
};
const memoryOf = (root) => root;
{%- endif %}

const short = (text) => (typeof text === "string" ? text.slice(0, SHORT) : undefined);

const made = ({ tool, state = {} }) => {
  const input = state.input ?? {};
  const answers = tool === "question" || tool === "task";
  const commits = typeof input.command === "string" && /\bgit\b[^\n]*\bcommit\b/.test(input.command);
  const patched = String(input.patchText ?? "").match(/^\*\*\* (Begin|Update|Add|Delete|Move).*$/gm);
  return {
    input: {
      filePath: short(input.filePath),
      command: commits ? short(input.command) : undefined,
      patchText: patched ? short(patched.join("\n")) : undefined,
    },
    output: answers || commits ? short(state.output) : undefined,
  };
};

const slim = ({ info = {}, parts = [] }) => ({
  info: {
    id: info.id,
    sessionID: info.sessionID,
    parentID: info.parentID,
    role: info.role,
    time: info.time,
    mode: info.mode,
    summary: info.summary === true ? true : undefined,
  },
  parts: parts.flatMap((part) => {
    if (part.type === "text") return [{ type: "text", text: part.text, synthetic: part.synthetic }];
    if (part.type === "tool") return [{ type: "tool", tool: part.tool, state: made(part) }];
    if (part.type === "compaction") return [{ type: "compaction" }];
    return [];
  }),
});

{% include "run.js" %}
export const HipocampusPlugin = async ({ client, directory }) => {
  const root = projectOf(directory);
  if (!root) return {};
  const children = new Set();
  const ask = async (question) => {
    try {
      return (await question()).data;
    } catch {
      // What is missing is told by the run.
    }
  };
  const save = async (sessionID, event) => {
    if (children.has(sessionID)) return;
    const path = { id: sessionID };
    const session = await ask(() => client.session.get({ path }));
    // One that began before this process did.
    if (session?.parentID) {
      children.add(sessionID);
      return;
    }
    const messages = await ask(() => client.session.messages({ path }));
    const payload = {
      session_id: sessionID,
      title: session?.title,
      cwd: root,
      hook_event_name: event,
      platform: "opencode",
      // Without them the run notes down that nothing was handed over, and compacts.
      messages: messages?.map(slim),
    };
    return run(root, ["compact", "--stdin", ...FLAGS], JSON.stringify(payload), event === "session.compacting");
  };
  // The same words in every request of a session, or the client's cache of its beginning would be lost.
  const starts = new Map();
  const start = (sessionID) => {
    if (!starts.has(sessionID)) {
      const payload = { session_id: sessionID, hook_event_name: "session.start", platform: "opencode" };
      starts.set(sessionID, recall(root, payload, "session-start", 10_000));
    }
    return starts.get(sessionID);
  };
  // Asked once for each message, and then the same words in every request that has it.
  const recalled = new Map();
  const known = ({ info, parts }, source) => {
    if (!recalled.has(info.id)) {
      const own = parts.filter(({ type, synthetic }) => type === "text" && !synthetic);
      const prompt = own.map(({ text }) => text).join("\n");
      const payload = { session_id: info.sessionID, hook_event_name: "chat.message", platform: "opencode", prompt, source };
      recalled.set(info.id, prompt || source ? recall(root, payload) : "");
    }
    return recalled.get(info.id);
  };
  const catchUp = async () => {
    // In a linked worktree the config lies elsewhere.
    const config = statSync(join(memoryOf(root), "hipocampus.config.json"), { throwIfNoEntry: false });
    const setUp = config?.birthtimeMs ?? 0;
    const since = Math.max(Date.now() - MISSED_DAYS * 86_400_000, setUp);
    const sessions = (await ask(() => client.session.list())) ?? [];
    const missed = sessions
      .filter(({ parentID, time }) => !parentID && time?.updated >= since)
      .filter((session) => session.directory && projectOf(session.directory) === root)
      .sort((a, b) => b.time.updated - a.time.updated)
      .slice(0, MISSED_SESSIONS)
      .reverse();
    for (const { id } of missed) await save(id, "session.missed");
  };
  // The client starts only after its plugins: what it is asked for before that does not come.
  setTimeout(() => catchUp().catch(() => {}), 0).unref?.();
  return {
    event: async ({ event }) => {
      const properties = event.properties ?? {};
      if (event.type === "session.created" && properties.info?.parentID) {
        children.add(properties.sessionID ?? properties.info.id);
      }
      if (event.type === "session.idle") await save(properties.sessionID, "session.idle");
    },
    "experimental.session.compacting": async ({ sessionID }, output) => {
      const asked = await save(sessionID, "session.compacting");
      if (asked?.trim()) output?.context?.push(asked.trim());
    },
    // What is put in here is of this request alone: the client keeps none of it.
    "experimental.chat.messages.transform": async (_input, output) => {
      const messages = output?.messages ?? [];
      const asked = messages.filter(({ info }) => info?.role === "user" && !children.has(info.sessionID));
      // Whether this is the first message since the session was shortened.
      const shortened = messages.findLast(({ info }) => info?.summary === true)?.info.time?.created ?? Infinity;
      const first = asked.find(({ info }) => info.time?.created > shortened);
      for (const message of asked) {
        const { info, parts } = message;
        const source = message === first ? "compact" : undefined;
        const text = message === asked.at(-1) || recalled.has(info.id) ? await known(message, source) : "";
        if (!text || parts.some((part) => part.text === text)) continue;
        parts.push({ id: `${info.id}-memory`, sessionID: info.sessionID, messageID: info.id, type: "text", synthetic: true, text });
      }
    },
    "tool.execute.after": async ({ tool, sessionID, args }, output) => {
      const file_path = args?.filePath ?? output?.metadata?.filepath;
      const shows = ["read", "edit", "write"].includes(tool) && typeof output?.output === "string";
      if (!file_path || !shows || children.has(sessionID)) return;
      const payload = { session_id: sessionID, hook_event_name: "tool.execute.after", platform: "opencode", tool_input: { file_path } };
      const text = await recall(root, payload, "tool");
      if (text) output.output += `\n\n${text}`;
    },
    "experimental.chat.system.transform": async ({ sessionID }, output) => {
      if (!sessionID || children.has(sessionID)) return;
      const said = await start(sessionID);
      if (said) output.system.push(said);
    },
  };
};
