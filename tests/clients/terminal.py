#!/usr/bin/env python3
"""terminal.py READY LINE COMMAND...: starts an agent in a terminal of its own, types one line into it, and ends it when it has answered.

It types when the screen has shown READY, waits until the screen stands still, and gives up after a minute. What the
agent shows goes to stdout.
"""
import fcntl, os, pty, select, signal, struct, sys, termios, time

ready, line, command = sys.argv[1].encode(), sys.argv[2], sys.argv[3:]
pid, screen = pty.fork()
if pid == 0:
    os.execvpe(command[0], command, {**os.environ, "TERM": "xterm-256color"})
fcntl.ioctl(screen, termios.TIOCSWINSZ, struct.pack("HHHH", 50, 120, 0, 0))
# What a terminal answers when it is asked where the cursor is, and what it is.
ANSWERS = {b"\x1b[6n": b"\x1b[1;1R", b"\x1b[c": b"\x1b[?62;c"}


def watch(still, least, most=60, until=b""):
    """Shows what comes until nothing has come for `still` seconds, after at least `least` of them and what is waited for. False where it has ended."""
    begun, last, seen = time.time(), time.time(), b""
    while time.time() - begun < most and (time.time() - last < still or time.time() - begun < least or until not in seen):
        if not select.select([screen], [], [], 0.2)[0]:
            continue
        try:
            shown = os.read(screen, 65536)
        except OSError:
            return False
        if not shown:
            return False
        for question, answer in ANSWERS.items():
            if question in shown:
                os.write(screen, answer)
        sys.stdout.buffer.write(shown)
        sys.stdout.flush()
        last, seen = time.time(), seen + shown
    return True


if watch(1.5, 3, until=ready):
    os.write(screen, line.encode())
    watch(0.7, 1)
    os.write(screen, b"\r")
    watch(2.5, 4)
    for _ in range(3):
        try:
            os.write(screen, b"\x03")
        except OSError:
            break
        if not watch(2, 1, 5):
            break
try:
    os.kill(pid, signal.SIGKILL)
except ProcessLookupError:
    pass
os.waitpid(pid, 0)
