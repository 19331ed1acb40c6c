#!/usr/bin/env node
// Makes the npm packages of a release: one that carries the program for a platform, and the wrapper that picks it.
//
//     node npm/build.mjs --binary target/dist/hipocampus --platform linux-x64 --out DIR
//
// The name stands in npm/package.json, the version in Cargo.toml. Prints the path of each `.tgz` it has made.
import { execFileSync } from "node:child_process";
import { chmodSync, copyFileSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join, resolve } from "node:path";
import { fileURLToPath } from "node:url";
import { parseArgs } from "node:util";

const PLATFORMS = ["linux-x64", "linux-arm64", "darwin-x64", "darwin-arm64"];
const here = dirname(fileURLToPath(import.meta.url));
const top = dirname(here);

function usage(why) {
  process.stderr.write(`error: ${why}\nhint: node npm/build.mjs --binary PATH --platform ${PLATFORMS.join("|")} --out DIR\n`);
  process.exit(2);
}

function options() {
  const string = { type: "string" };
  try {
    return parseArgs({ options: { binary: string, platform: string, out: string } }).values;
  } catch (error) {
    return usage(error.message);
  }
}

const { binary, platform, out } = options();
if (!binary || !platform || !out) usage("`--binary`, `--platform` and `--out` are needed");
if (!PLATFORMS.includes(platform)) usage(`there is no package for \`${platform}\``);

const { private: _, ...common } = JSON.parse(readFileSync(join(here, "package.json"), "utf8"));
const version = /^version = "(.*)"$/m.exec(readFileSync(join(top, "Cargo.toml"), "utf8"))[1];
mkdirSync(out, { recursive: true });

function pack(manifest, files) {
  const folder = mkdtempSync(join(tmpdir(), "hipocampus-npm-"));
  try {
    mkdirSync(join(folder, "bin"));
    writeFileSync(join(folder, "package.json"), JSON.stringify(manifest, null, 2) + "\n");
    for (const [name, source] of [...files, ["LICENSE", join(top, "LICENSE")], ["README.md", join(top, "README.md")]]) {
      copyFileSync(source, join(folder, name));
    }
    for (const [name] of files) chmodSync(join(folder, name), 0o755);
    const said = execFileSync("npm", ["pack", "--json", "--pack-destination", resolve(out)], { cwd: folder, encoding: "utf8" });
    const packed = JSON.parse(said);
    const [{ filename }] = Array.isArray(packed) ? packed : Object.values(packed);
    process.stdout.write(join(out, filename.replace("@", "").replace("/", "-")) + "\n");
  } finally {
    rmSync(folder, { recursive: true });
  }
}

const [os, cpu] = platform.split("-");
const { bin, engines, ...rest } = common;
pack(
  { ...rest, name: `${common.name}-${platform}`, version, description: `${common.description} (${platform})`,
    os: [os], cpu: [cpu], files: ["bin/hipocampus"], preferUnplugged: true },
  [["bin/hipocampus", binary]],
);
pack(
  { ...common, version, preferUnplugged: true,
    optionalDependencies: Object.fromEntries(PLATFORMS.map((name) => [`${common.name}-${name}`, version])) },
  [["bin/hipocampus.js", join(here, "bin/hipocampus.js")]],
);
