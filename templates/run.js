const PROGRAM = {{ program_json }};

const run = (cwd, args, input) =>
  new Promise((done) => {
    const child = spawn(PROGRAM, args, { cwd, stdio: ["pipe", "ignore", "ignore"] });
    const timer = setTimeout(done, LIMIT_MS);
    timer.unref?.();
    const finish = () => {
      clearTimeout(timer);
      done();
    };
    child.on("error", finish);
    child.on("close", finish);
    child.stdin.on("error", () => {});
    child.stdin.end(input);
  });
