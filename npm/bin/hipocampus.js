#!/usr/bin/env node
// Runs the program that the package of this platform carries, as if it had been called itself.
"use strict";
const { spawn } = require("node:child_process");
const { constants } = require("node:os");
const { name, version, optionalDependencies = {} } = require("../package.json");

const carrier = `${name}-${process.platform}-${process.arch}`;

function program() {
  if (process.env.HIPOCAMPUS_BINARY) return process.env.HIPOCAMPUS_BINARY;
  try {
    return require.resolve(`${carrier}/bin/hipocampus`);
  } catch {
    if (process.platform === "win32") fail("there is no build for Windows", "run it inside WSL");
    if (!(carrier in optionalDependencies)) fail(`there is no build for ${process.platform}-${process.arch}`, "build it with `cargo install`, and name it in `HIPOCAMPUS_BINARY`");
    return fail(
      `\`${carrier}\` ${version}, which carries the program for this platform, is not installed`,
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
child.on("error", (error) => fail(`\`${path}\` cannot be run: ${error.message}`, "install the package again, or mend `HIPOCAMPUS_BINARY`"));

// A signal sent to this process alone has to reach the program; how the program ended is how this process ends.
const passed = ["SIGINT", "SIGTERM", "SIGHUP", "SIGQUIT", "SIGUSR2"];
for (const signal of passed) process.on(signal, () => child.kill(signal));
child.on("exit", (code, signal) => {
  if (!signal) process.exit(code ?? 1);
  for (const passedOn of passed) process.removeAllListeners(passedOn);
  // For a signal that node itself ignores.
  process.exitCode = 128 + (constants.signals[signal] ?? 0);
  process.kill(process.pid, signal);
});
