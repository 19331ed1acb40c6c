// Made by `hipocampus init`; `hipocampus update` writes it anew.
import { spawn } from "node:child_process";
import { existsSync, readFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";

const HOT_FILES = ["SCRATCHPAD.md", "WORKING.md", "TASK-QUEUE.md"];
const LIMIT_MS = 20_000;

const projectOf = (start) => {
  for (let dir = start; dir; dir = dirname(dir)) {
    if (existsSync(join(dir, "hipocampus.config.json"))) return dir;
    if (dirname(dir) === dir) return null;
  }
  return null;
};

// Compaction events carry no workspace; this file lies in it.
let workspace = projectOf(dirname(fileURLToPath(import.meta.url)));

{% include "run.js" %}
export default async function handler(event) {
  const context = event.context ?? {};
  if (event.type === "agent" && event.action === "bootstrap") {
    workspace = projectOf(context.workspaceDir) ?? workspace;
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
    return;
  }
  if (workspace) await run(workspace, ["compact"]);
}
