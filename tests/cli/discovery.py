# SPDX-License-Identifier: LGPL-3.0-or-later
"""Reads `show ip nbar protocol-discovery` as scripts for routers do: line by line, by where the
columns stand and which words there are. Prints a line an interface, a line a row."""
import re
import sys

HEAD = re.compile(r"^ Protocol +Packet Count +Packet Count +$")
RULE = re.compile(r"^ (-{28,32}) (-{24}) (-{24})$")
CLEARING = re.compile(
    r'^ Last clearing of "show ip nbar protocol-discovery" counters (\d+:\d\d:\d\d)$')
RATE = re.compile(r"^ +(\w+) Bit Rate \(bps\) +\1 Bit Rate \(bps\) +$")


def rows(lines, width):
    """Four lines a row: name, then two numbers each."""
    for at in range(0, len(lines), 4):
        block = lines[at:at + 4]
        if not re.match(r"^ \S", block[0]):
            return
        name = block[0][1:1 + width].strip()
        numbers = []
        for line in block:
            assert at == 0 or line is block[0] or not line[1:1 + width].strip()
            numbers += [line[2 + width:26 + width].strip(), line[27 + width:51 + width].strip()]
        assert all(number.isdigit() for number in numbers), block
        yield name, numbers
        if name == "Total":
            return


def main():
    lines = open(sys.argv[1], encoding="ascii").read().split("\n")
    name = interval = cleared = None
    for at, line in enumerate(lines):
        if re.match(r"^ \S+ $", line) and lines[at - 1] == "":
            name = line.strip()
        elif CLEARING.match(line):
            cleared = CLEARING.match(line).group(1)
            assert lines[at + 1] == lines[at + 2] == ""
        elif RATE.match(line):
            interval = RATE.match(line).group(1)
        elif RULE.match(line):
            assert any(HEAD.match(before) for before in lines[at - 4:at])
            print(name, cleared, interval)
            for row, numbers in rows(lines[at + 1:], len(RULE.match(line).group(1))):
                print(row, *numbers)


main()
