// Made by `hipocampus init`; `hipocampus update` writes it anew.
// Hands OpenClaw's conversations to hipocampus: text, summaries, the names of tools, the paths and commits they made,
// nothing else.
import { spawn } from "node:child_process";
import { existsSync } from "node:fs";
import { join } from "node:path";

const LIMIT_MS = 25_000;

const short = (text) => (typeof text === "string" ? text.slice(0, 8_192) : undefined);

const made = ({ path, file_path, command } = {}) => ({
  path: short(path ?? file_path),
  command: /\bgit\b[^\n]*\bcommit\b/.test(command ?? "") ? short(command) : undefined,
});

const slim = (message) => ({
  role: message.role,
  timestamp: message.timestamp,
  // Whether a person wrote it, or OpenClaw in the person's name.
  provenance: message.provenance?.kind && { kind: message.provenance.kind },
  content:
    message.role === "compactionSummary"
      ? (message.summary ?? message.content)
      : typeof message.content === "string"
      ? message.content
      : (message.content ?? []).flatMap((part) => {
          if (part.type === "text") return [{ type: "text", text: part.text }];
          if (part.type === "toolCall") return [{ type: "toolCall", name: part.name, arguments: made(part.arguments) }];
          return [];
        }),
});

{% include "run.js" %}
const save = async (name, event, context) => {
  const cwd = context?.workspaceDir;
  if (!cwd || !existsSync(join(cwd, "hipocampus.config.json"))) return;
  const roles = ["user", "assistant", "compactionSummary"];
  const spoken = event.messages?.filter(({ role }) => roles.includes(role));
  const payload = {
    session_id: context.sessionId ?? context.sessionKey,
    session_key: context.sessionKey,
    cwd,
    hook_event_name: name,
    platform: "openclaw",
    // Without them the run notes down that nothing was handed over.
    messages: spoken?.map(slim),
  };
  await run(cwd, ["compact", "--stdin"], JSON.stringify(payload));
};

// Sessions that were shortened since their last prompt.
const shortened = new Set();
const prepend = async ({ prompt }, context) => {
  const cwd = context?.workspaceDir;
  if (!cwd || !prompt || !existsSync(join(cwd, "hipocampus.config.json"))) return;
  const session_id = context.sessionId ?? context.sessionKey;
  const source = shortened.delete(context.sessionKey) ? "compact" : undefined;
  const payload = { session_id, hook_event_name: "before_prompt_build", platform: "openclaw", prompt, source };
  const known = await recall(cwd, payload);
  return known ? { prependContext: known } : undefined;
};

export default {
  id: "hipocampus",
  name: "hipocampus",
  register(api) {
    for (const name of ["agent_end", "before_reset"]) {
      api.on(name, (event, context) => save(name, event, context));
    }
    api.on("after_compaction", (_event, context) => void shortened.add(context?.sessionKey));
    api.on("before_prompt_build", prepend);
  },
};
