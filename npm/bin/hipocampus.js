#!/usr/bin/env node
// Runs the program that the package of this platform carries, as if it had been called itself.
"use strict";
const { spawn } = require("node:child_process");
const { constants } = require("node:os");
const { name, version } = require("../package.json");

const platform = `${process.platform}-${process.arch}`;

function program() {
  if (process.env.HIPOCAMPUS_BINARY) return process.env.HIPOCAMPUS_BINARY;
  try {
    return require.resolve(`${name}-${platform}/bin/hipocampus`);
  } catch {
    return fail(
      `\`${name}-${platform}\` ${version}, which carries the program for this platform, is not installed`,
      "install again without `--omit=optional` or `--no-optional`, or name a program in `HIPOCAMPUS_BINARY`",
    );
  }
}

function fail(what, hint) {
  process.stderr.write(`error: ${what}\nhint: ${hint}\n`);
  process.exit(1);
}

const path = program();
const child = spawn(path, process.argv.slice(2), { stdio: "inherit" });
child.on("error", (error) => fail(`\`${path}\` cannot be run: ${error.message}`, "install the package again"));

// A signal sent to this process alone has to reach the program; how the program ended is how this process ends.
const passed = ["SIGINT", "SIGTERM", "SIGHUP", "SIGQUIT", "SIGUSR1", "SIGUSR2"].filter((signal) => signal in constants.signals);
for (const signal of passed) process.on(signal, () => child.kill(signal));
child.on("exit", (code, signal) => {
  if (!signal) process.exit(code ?? 1);
  for (const passedOn of passed) process.removeAllListeners(passedOn);
  process.kill(process.pid, signal);
});
