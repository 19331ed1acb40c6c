#!/usr/bin/env python3
"""talk.py STEPS COMMAND...: holds a conversation with one process of Claude Code over its stream of JSON.

STEPS are separated by newlines:
    say TEXT         sends what the user types; a `\\n` in it is a line end
    result           waits for the end of a turn
    see TEXT         waits until a line of output holds TEXT
    sleep SECONDS
    keep NAME        copies the log of today to $OUT/NAME.kept.md, as it is now
    kill             ends the client with SIGKILL; nothing of it runs after this
Without `kill` the client ends by itself when its input does. Output goes to stdout as it comes.
"""
import glob, json, os, queue, signal, subprocess, sys, threading, time

steps, command = sys.argv[1].strip().splitlines(), sys.argv[2:]
client = subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True)
lines = queue.Queue()


def read():
    for line in client.stdout:
        print(line, end="", flush=True)
        lines.put(line)
    lines.put(None)


reader = threading.Thread(target=read, daemon=True)
reader.start()


def wait(holds, seconds=40):
    end = time.time() + seconds
    while time.time() < end:
        try:
            line = lines.get(timeout=end - time.time())
        except queue.Empty:
            break
        if line is None or holds(line):
            return
    print(json.dumps({"talk": "waited in vain"}), flush=True)


def is_result(line):
    return line.startswith("{") and json.loads(line).get("type") == "result"


for step in steps:
    word, _, rest = step.strip().partition(" ")
    if word == "say":
        message = {"type": "user", "message": {"role": "user", "content": [{"type": "text", "text": rest.replace("\\n", "\n")}]}}
        client.stdin.write(json.dumps(message) + "\n")
        client.stdin.flush()
    elif word == "result":
        wait(is_result)
    elif word == "see":
        wait(lambda line: rest in line)
    elif word == "sleep":
        time.sleep(float(rest))
    elif word == "keep":
        logs = sorted(glob.glob("memory/20*.md"))
        with open(f"{os.environ['OUT']}/{rest}.kept.md", "w") as kept:
            kept.write("".join(open(path, errors="replace").read() for path in logs))
    elif word == "kill":
        client.send_signal(signal.SIGKILL)
if client.poll() is None:
    client.stdin.close()
client.wait(60)
reader.join(5)
