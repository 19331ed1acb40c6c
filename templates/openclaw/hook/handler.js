// Made by `hipocampus init`; `hipocampus update` writes it anew.
import { spawn } from "node:child_process";
import { existsSync, readFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";

const HOT_FILES = ["SCRATCHPAD.md", "WORKING.md", "TASK-QUEUE.md"];
const LIMIT_MS = 20_000;

// A session's memory is that of its own workspace. The folder above it is another agent's, so nothing is looked for there.
const isProject = (dir) => typeof dir === "string" && existsSync(join(dir, "hipocampus.config.json"));

// Compaction events carry no workspace: it is known from the session's start, else it is the one this file lies in.
const home = dirname(dirname(dirname(fileURLToPath(import.meta.url))));
const workspaces = new Map();
// What is said at the start of each session, in every request of it.
const starts = new Map();

{% include "run.js" %}
export default async function handler(event) {
  const context = event.context ?? {};
  if (event.type === "agent" && event.action === "bootstrap") {
    const workspace = isProject(context.workspaceDir) ? context.workspaceDir : null;
    workspaces.set(event.sessionKey ?? context.sessionKey, workspace);
    if (!workspace || !Array.isArray(context.bootstrapFiles)) return;
    for (const name of HOT_FILES) {
      const path = join(workspace, name);
      if (context.bootstrapFiles.some((file) => file.name === name)) continue;
      try {
        context.bootstrapFiles.push({ name, path, content: readFileSync(path, "utf8"), missing: false });
      } catch {
        // A hot file that is not there is nothing to load.
      }
    }
    const session = event.sessionKey ?? context.sessionKey;
    if (!starts.has(session)) {
      const payload = { session_id: session, hook_event_name: "agent:bootstrap", platform: "openclaw" };
      starts.set(session, await recall(workspace, payload, "session-start", 10_000));
    }
    const content = starts.get(session);
    const name = "HIPOCAMPUS.md";
    if (content) context.bootstrapFiles.push({ name, path: join(workspace, "memory", name), content, missing: false });
    return;
  }
  const key = event.sessionKey ?? context.sessionKey;
  // A new session may have the same key.
  starts.delete(key);
  const workspace = workspaces.has(key) ? workspaces.get(key) : home;
  if (isProject(workspace)) await run(workspace, ["compact"]);
}
