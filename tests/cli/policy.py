#!/usr/bin/env python3
# SPDX-License-Identifier: LGPL-3.0-or-later
"""Judges what barn says that a policy would have done.

policy.py police CAPTURE JSON    a class of all packets: its policer against RFC 2697 and 2698
policy.py written BEFORE AFTER DSCP   frames are the same but for DSCP, and checksums are right
policy.py schema SCHEMA JSON     the document fits
"""

import json
import struct
import sys


def frames(path):
    """(nanoseconds, length on the wire, bytes) of a pcap, of either byte order and unit."""
    with open(path, "rb") as file:
        data = file.read()
    magic = data[:4]
    order = "<" if magic in (b"\xd4\xc3\xb2\xa1", b"\x4d\x3c\xb2\xa1") else ">"
    unit = 1 if magic in (b"\x4d\x3c\xb2\xa1", b"\xa1\xb2\x3c\x4d") else 1000
    at = 24
    while at < len(data):
        seconds, part, kept, length = struct.unpack_from(order + "IIII", data, at)
        at += 16
        yield seconds * 10**9 + part * unit, length, data[at : at + kept]
        at += kept


class Bucket:
    """Full at first; a token each 1/rate seconds, which is spilt when it is full."""

    def __init__(self, rate, size):
        self.rate, self.size, self.tokens = rate, size, size

    def add(self, tokens):
        self.tokens += tokens
        spilt = max(self.tokens - self.size, 0)
        self.tokens -= spilt
        return spilt

    def spend(self, cost):
        if self.tokens < cost:
            return False
        self.tokens -= cost
        return True


def colours(packets, police):
    """Packets and bytes of each colour."""
    by_packets = police["unit"] == "packets"
    scale = 1 if by_packets else 8
    first = Bucket(police["cir"], police["bc"] * scale)
    second = Bucket(police.get("pir", 0), police.get("be", 0) * scale)
    sums = {"conformed": [0, 0], "exceeded": [0, 0], "violated": [0, 0]}
    last = packets[0][0]
    for time, length in packets:
        now = max(time, last)
        # The n-th token comes n / rate seconds after 1970: where in its second a rate begins
        # is not the RFCs' matter.
        come = [b.rate * now // 10**9 - b.rate * last // 10**9 for b in (first, second)]
        last = now
        spilt = first.add(come[0])
        second.add(come[1] if "pir" in police else spilt)
        cost = 1 if by_packets else length * 8
        if "pir" in police:
            if not second.spend(cost):
                colour = "violated"
            else:
                colour = "conformed" if first.spend(cost) else "exceeded"
        elif first.spend(cost):
            colour = "conformed"
        elif "be" not in police:
            colour = "exceeded"
        else:
            colour = "exceeded" if second.spend(cost) else "violated"
        sums[colour][0] += 1
        sums[colour][1] += length
    return sums


def police(capture, document):
    with open(document, encoding="utf-8") as file:
        told = json.load(file)["places"][0]["policy"]["classes"][0]["police"]
    wanted = colours([(time, length) for time, length, _ in frames(capture)], told)
    got = {name: [told[name]["packets"], told[name]["bytes"]] for name in wanted}
    if got != wanted:
        sys.exit(f"wanted {wanted}, got {got}")
    print(sum(1 for packets, _ in wanted.values() if packets))


def checksum(header):
    total = sum(struct.unpack(f">{len(header) // 2}H", header))
    while total >> 16:
        total = (total & 0xFFFF) + (total >> 16)
    return total


def ip_of(frame):
    kind, at = struct.unpack_from(">H", frame, 12)[0], 14
    while kind in (0x8100, 0x88A8):
        kind, at = struct.unpack_from(">H", frame, at + 2)[0], at + 4
    return at if kind in (0x0800, 0x86DD) else None


def written(before, after, dscp):
    old, new = list(frames(before)), list(frames(after))
    if len(old) != len(new) or not old:
        sys.exit(f"{len(old)} frames before, {len(new)} after")
    for number, (a, b) in enumerate(zip(old, new), 1):
        if a[:2] != b[:2] or len(a[2]) != len(b[2]):
            sys.exit(f"frame {number}: another time or length")
        at = ip_of(a[2])
        x, y = bytearray(a[2]), bytearray(b[2])
        if at is not None and x[at] >> 4 == 4:
            if y[at + 1] != dscp << 2 | x[at + 1] & 3:
                sys.exit(f"frame {number}: DS byte {y[at + 1]}")
            if checksum(x[at : at + 20]) == 0xFFFF != checksum(y[at : at + 20]):
                sys.exit(f"frame {number}: wrong checksum")
            x[at + 1] = y[at + 1]
            x[at + 10 : at + 12] = y[at + 10 : at + 12]
        elif at is not None:
            if y[at] & 15 != dscp >> 2 or y[at + 1] >> 6 != dscp & 3:
                sys.exit(f"frame {number}: another traffic class")
            x[at], x[at + 1] = y[at], y[at + 1] & 0xF0 | x[at + 1] & 0x0F
        if x != y:
            sys.exit(f"frame {number}: more has changed")


def schema(path, document):
    try:
        import jsonschema  # pylint: disable=import-outside-toplevel
    except ImportError:
        return
    with open(path, encoding="utf-8") as file:
        described = json.load(file)
    with open(document, encoding="utf-8") as file:
        jsonschema.validate(json.load(file), described)


if sys.argv[1] == "police":
    police(sys.argv[2], sys.argv[3])
elif sys.argv[1] == "written":
    written(sys.argv[2], sys.argv[3], int(sys.argv[4]))
else:
    schema(sys.argv[2], sys.argv[3])
