# SPDX-License-Identifier: LGPL-3.0-or-later
"""barn on a terminal: keys go in, and what must appear is waited for.
terminal.py BARN HOME [top]"""
import os
import pty
import select
import sys
import time

PATIENCE_S = 20


class Terminal:
    def __init__(self, words, home):
        self.seen = ""
        self.pid, self.fd = pty.fork()
        if self.pid == 0:
            os.environ.update(TERM="xterm", HOME=home, LINES="24", COLUMNS="80")
            # libedit keeps some of its strings; what barn keeps other tests tell.
            os.environ["ASAN_OPTIONS"] = os.environ.get("ASAN_OPTIONS", "") + ":detect_leaks=0"
            os.execv(words[0], words)

    def wait(self, text):
        """Reads on until the text has come; what came up to its end is forgotten."""
        end = time.monotonic() + PATIENCE_S
        while text not in self.seen:
            if time.monotonic() > end:
                sys.exit("no %r in %r" % (text, self.seen))
            if not select.select([self.fd], [], [], 0.1)[0]:
                continue
            try:
                self.seen += os.read(self.fd, 65536).decode(errors="replace")
            except OSError:
                sys.exit("the end, and no %r in %r" % (text, self.seen))
        self.seen = self.seen[self.seen.index(text) + len(text):]

    def type(self, keys):
        os.write(self.fd, keys.encode())

    def interrupt(self, text):
        """Control-C, again as long as it came between two readings, until the text has come."""
        while True:
            self.type("\x03")
            if select.select([self.fd], [], [], 1)[0]:
                time.sleep(0.2)
                self.seen += os.read(self.fd, 65536).decode(errors="replace")
                if text in self.seen:
                    return self.wait(text)

    def end(self):
        try:
            while os.read(self.fd, 65536):
                pass
        except OSError:
            pass
        return os.waitstatus_to_exitcode(os.waitpid(self.pid, 0)[1])


def top(barn, home):
    terminal = Terminal([barn, "top", "-d", "0.2"], home)
    terminal.wait("\x1b[?1049h")
    terminal.wait("PROTOCOL ")
    terminal.wait("ssh ")
    terminal.wait("CLIENT ")
    terminal.type("t")
    terminal.wait("PROTOCOL ")
    terminal.wait("a-protocol-with")
    terminal.type("q")
    terminal.wait("\x1b[?1049l")
    if terminal.end() != 0:
        sys.exit("q is a failure")


def shell(barn, home):
    terminal = Terminal([barn], home)
    terminal.wait("barn# ")
    terminal.type("show ver\n")
    terminal.wait("barn software version:  9.8.7")
    terminal.wait("barn# ")
    terminal.type("show stats")
    terminal.wait("stats")
    terminal.interrupt("barn# ")
    terminal.type("show version | include soft\n")
    terminal.wait("barn software version:  9.8.7")
    terminal.wait("barn# ")
    if os.environ.get("LIBEDIT", "yes") != "no":
        terminal.type("sh\tprot\tinter\t?")
        terminal.wait("  eth1 ")
        terminal.wait("barn# show protocol-discovery interface ")
        terminal.type("eth1\n")
        terminal.wait(" eth1 ")
        terminal.wait(" Total ")
        terminal.wait("barn# ")
        terminal.type("\x1b[A\x1b[A\n")
        terminal.wait("barn software version:  9.8.7")
        terminal.wait("barn# ")
    terminal.type("exit\n")
    if terminal.end() != 0:
        sys.exit("exit is a failure")


(top if sys.argv[3:] == ["top"] else shell)(*sys.argv[1:3])
