// Made by `hipocampus init`; `hipocampus update` writes it anew.
// Hands OpenCode's conversations to hipocampus: text and the names of tools, nothing else.
import { spawn } from "node:child_process";
import { existsSync } from "node:fs";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";

const LIMIT_MS = 25_000;

// A linked git worktree may lack the config, but then this file lies in it.
const here = dirname(dirname(dirname(fileURLToPath(import.meta.url))));

const projectOf = (start) => {
  for (let dir = start; ; dir = dirname(dir)) {
    if (dir === here || existsSync(join(dir, "hipocampus.config.json"))) return dir;
    if (dirname(dir) === dir) return null;
  }
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
    if (part.type === "tool") return [{ type: "tool", tool: part.tool }];
    if (part.type === "compaction") return [{ type: "compaction" }];
    return [];
  }),
});

{% include "run.js" %}
export const HipocampusPlugin = async ({ client, directory }) => {
  const root = projectOf(directory);
  if (!root) return {};
  const children = new Set();
  const save = async (sessionID, event) => {
    if (children.has(sessionID)) return;
    let messages = [];
    try {
      messages = (await client.session.messages({ path: { id: sessionID } })).data ?? [];
    } catch {
      // Without messages the run still compacts.
    }
    const payload = {
      session_id: sessionID,
      cwd: root,
      hook_event_name: event,
      platform: "opencode",
      messages: messages.map(slim),
    };
    await run(root, ["compact", "--stdin"], JSON.stringify(payload));
  };
  return {
    event: async ({ event }) => {
      const properties = event.properties ?? {};
      if (event.type === "session.created" && properties.info?.parentID) {
        children.add(properties.sessionID ?? properties.info.id);
      }
      if (event.type === "session.idle") await save(properties.sessionID, "session.idle");
    },
    "experimental.session.compacting": async ({ sessionID }) => {
      await save(sessionID, "session.compacting");
    },
  };
};
