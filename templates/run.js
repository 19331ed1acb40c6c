const PROGRAM = {{ program_json }};
const FLAGS = [{% if private %}"--private"{% endif %}];

// What it prints is handed back only where somebody wants to hear it.
const run = (cwd, args, input, heard = false, names = {}, limit = LIMIT_MS) =>
  new Promise((done) => {
    const stdio = ["pipe", heard ? "pipe" : "ignore", "ignore"];
    const child = spawn(PROGRAM, args, { cwd, stdio, env: { ...process.env, ...names } });
    let said = "";
    child.stdout?.on("data", (part) => (said = (said + part).slice(0, 20_000)));
    const timer = setTimeout(() => done(said), limit);
    timer.unref?.();
    const finish = () => {
      clearTimeout(timer);
      done(said);
    };
    child.on("error", finish);
    child.on("close", finish);
    child.stdin.on("error", () => {});
    child.stdin.end(input);
  });

// What the memory knows about a prompt or a file, or has to say at the start of a session; nothing where that fails.
const recall = async (cwd, payload, at = "prompt", limit = 4_000) => {
  try {
    const said = await run(cwd, ["hook", at, ...FLAGS], JSON.stringify({ cwd, ...payload }), true, {}, limit);
    return JSON.parse(said).hookSpecificOutput.additionalContext;
  } catch {
    return "";
  }
};
