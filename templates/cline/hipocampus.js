// Made by `hipocampus init`; `hipocampus update` writes it anew.
// Hands Cline's conversations to hipocampus: text, the names of tools, the paths and commits they made, and answers,
// nothing else.
import { spawn } from "node:child_process";
import { readFileSync, statSync } from "node:fs";
import { homedir } from "node:os";
import { join } from "node:path";

// Cline waits three seconds for a hook. What is saved by then is saved all the same.
const LIMIT_MS = 2_500;
// Of what a tool was called with, and of an answer.
const SHORT = 8_192;

const short = (text) => (typeof text === "string" ? text.slice(0, SHORT) : undefined);

const made = ({ path, commands } = {}) => {
  const commits = [commands ?? []].flat().filter((line) => /\bgit\b[^\n]*\bcommit\b/.test(line));
  return { path: short(path), commands: commits.length ? commits.map(short) : undefined };
};

const parts = ({ content }) => (Array.isArray(content) ? content : [{ type: "text", text: content }]);

// As Cline stores them.
const slim = (message) => ({
  id: message.id,
  role: message.role === "tool" ? "user" : message.role,
  ts: message.createdAt,
  metadata: message.metadata?.displayRole ? { displayRole: message.metadata.displayRole } : undefined,
  content: parts(message).flatMap((part) => {
    if (part.type === "text") return [{ type: "text", text: part.text }];
    if (part.type === "image") return [{ type: "image" }];
    if (part.type === "tool-call") return [{ type: "tool_use", name: part.toolName, input: made(part.input) }];
    if (part.type !== "tool-result" || part.toolName !== "ask_question") return [];
    return [{ type: "tool_result", name: part.toolName, content: short(part.output) }];
  }),
});

const texts = (message) => parts(message).flatMap(({ type, text }) => (type === "text" && text ? [text] : []));
const typed = (message) =>
  texts(message)
    .map((text) => text.replace(/<\/?user_input\b[^>]*>|<mode_notice>.*?<\/mode_notice>/g, ""))
    .join("\n");

{% include "run.js" %}
// The folder of the session: Cline starts this process in it.
const cwd = process.cwd();
let session_id;
const call = (hook_event_name, more) => ({ session_id, hook_event_name, platform: "cline", cwd, ...more });
// The agent that a person speaks to; those that work for it say less of themselves.
let lead;
const own = ({ snapshot = {} }) => {
  if (!session_id || snapshot.parentAgentId) return false;
  const spoken = snapshot.messages?.some((message) => texts(message).some((text) => text.startsWith("<user_input")));
  if (spoken) lead = snapshot.agentId;
  return lead === undefined || lead === snapshot.agentId;
};
// What Cline notes beside the session.
const note = (end) => {
  const { CLINE_DIR, CLINE_DATA_DIR, CLINE_SESSION_DATA_DIR } = process.env;
  const data = () => CLINE_DATA_DIR || join(CLINE_DIR || join(homedir(), ".cline"), "data");
  return join(CLINE_SESSION_DATA_DIR || join(data(), "sessions"), session_id, `${session_id}${end}`);
};
// When it last shortened the session.
const shortened = () => statSync(note(".compaction.json"), { throwIfNoEntry: false })?.mtimeMs ?? 0;
// Whether a clock or a program began it.
const automatic = () => {
  try {
    return JSON.parse(readFileSync(note(".json"), "utf8")).metadata.sessionHistoryOrigin.mode === "automation";
  } catch {
    return false;
  }
};
const context = (text) => (text ? { appendContext: text } : undefined);
// Whatever is wrong here is no matter of the session's.
const quiet = (hook) => async (event) => {
  try {
    return own(event) && !automatic() ? await hook(event) : undefined;
  } catch {
    // The next event saves what is missing.
  }
};
// The same words in every request of a session, or the model's cache of its beginning would be lost.
let start;

export default {
  name: "hipocampus",
  manifest: { capabilities: ["hooks", "rules"] },
  setup(api, about) {
    session_id = about?.session?.sessionId;
    const content = () => (start ??= recall(cwd, call("session.start"), "session-start", 10_000));
    if (session_id) api?.registerRule?.({ id: "hipocampus", content });
  },
  hooks: {
    beforeRun: quiet(async ({ snapshot }) => {
      const [asked, before] = snapshot.messages.filter(({ role, metadata }) => role === "user" && !metadata?.displayRole).reverse();
      const source = before && shortened() > before.createdAt ? "compact" : undefined;
      return context(await recall(cwd, call("beforeRun", { prompt: typed(asked), source }), "prompt", LIMIT_MS));
    }),
    afterTool: quiet(async ({ tool, input }) => {
      if (!["read_files", "editor"].includes(tool.name)) return;
      const paths = (input.files ?? [input]).map(({ path }) => path);
      const command = ["*** Begin Patch", ...paths.map((path) => `*** Update File: ${path}`)].join("\n");
      return context(await recall(cwd, call("afterTool", { tool_input: { command } }), "tool", LIMIT_MS));
    }),
    afterRun: quiet(async ({ snapshot }) => {
      const payload = call("afterRun", { messages: snapshot.messages.map(slim) });
      await run(cwd, ["compact", "--stdin", ...FLAGS], JSON.stringify(payload));
    }),
  },
};
