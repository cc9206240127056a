#!/usr/bin/env python3
# SPDX-License-Identifier: LGPL-3.0-or-later
"""pack.py GOOD FOLDER: makes packs of a good one, each of which is wrong in one way."""

import gzip
import hashlib
import io
import os
import sys
import tarfile

good, folder = sys.argv[1], sys.argv[2]
os.makedirs(folder)
with tarfile.open(good) as archive:
    FILES = [(member.name, archive.extractfile(member).read()) for member in archive]
BYTES = dict(FILES)


def plain(name, data):
    info = tarfile.TarInfo(name)
    info.size = len(data)
    return info, data


def special(name, kind, target=""):
    info = tarfile.TarInfo(name)
    info.type = kind
    info.linkname = target
    return info, b""


def tar(entries):
    buffer = io.BytesIO()
    with tarfile.open(fileobj=buffer, mode="w", format=tarfile.USTAR_FORMAT) as archive:
        for info, data in entries:
            archive.addfile(info, io.BytesIO(data) if info.isreg() else None)
    return buffer.getvalue()


def save(name, data):
    with open(os.path.join(folder, name), "wb") as file:
        file.write(data)


def pack(name, entries):
    save(name + ".tar.gz", gzip.compress(tar(entries), mtime=0))


def all_but(*names):
    return [plain(*file) for file in FILES if file[0] not in names]


def digest(data):
    return hashlib.sha256(data).hexdigest().encode()


def with_module(name, text):
    """Another text of a module, with its checksum, and without the signature."""
    manifest = BYTES["MANIFEST"].replace(digest(BYTES[name]), digest(text))
    return all_but("MANIFEST", "SIGNATURE", name) + [plain("MANIFEST", manifest), plain(name, text)]


def with_manifest(old, new):
    assert old in BYTES["MANIFEST"]
    return all_but("MANIFEST") + [plain("MANIFEST", BYTES["MANIFEST"].replace(old, new))]


talk = BYTES["talk.pdlm"]
with open(good, "rb") as file:
    whole = file.read()
save("truncated.tar.gz", whole[: len(whole) * 2 // 3])
save("noise.tar.gz", b"\x1f\x8b" + bytes(range(256)) * 8)
cut = tar([plain(*file) for file in FILES])
save("cut.tar", cut[: cut.index(b"talk.pdlm\0")])
pack("bare", all_but("MANIFEST", "SIGNATURE"))
pack("checksum", all_but("talk.pdlm") + [plain("talk.pdlm", talk + b"\n")])
pack("missing", all_but("talk.pdlm"))
pack("extra", all_but() + [plain("extra.pdlm", b"protocol extra { }\n")])
pack("path", all_but("talk.pdlm") + [plain("../../talk.pdlm", talk)])
pack("absolute", all_but("talk.pdlm") + [plain("/etc/talk.pdlm", talk)])
pack("symlink", all_but("talk.pdlm") + [special("talk.pdlm", tarfile.SYMTYPE, "/etc/passwd")])
pack("hardlink", all_but() + [special("more.pdlm", tarfile.LNKTYPE, "talk.pdlm")])
pack("device", all_but("talk.pdlm") + [special("talk.pdlm", tarfile.CHRTYPE)])
pack("twice", all_but() + [plain("talk.pdlm", talk)])
pack("bomb", all_but("talk.pdlm") + [plain("talk.pdlm", bytes(1 << 28))])
pack("heap", all_but() + [plain(f"{n}.pdlm", bytes(1 << 20)) for n in range(40)])
pack("crowd", all_but() + [plain(f"{n}.pdlm", b"") for n in range(5000)])
pack("engine", with_manifest(b'engine "', b'engine "99.0"\n# "'))
pack("manifest", with_manifest(b'version "1.2"', b'version "1.x"'))
pack("form", with_manifest(b"barn-pack 1", b"barn-pack 2"))
pack("signature", with_manifest(b'version "1.2"', b'version "1.3"'))
pack("seal", all_but("SIGNATURE") +
     [plain("SIGNATURE", BYTES["SIGNATURE"].replace(b'ed25519 "', b'ed25519 "0'))])
pack("module", with_module("talk.pdlm", b"protocol talk {\n    title \"Talk\"\n    nonsense\n}\n"))
pack("vector", with_module("talk.pdlm", b'protocol talk {\n\trule a over tcp { client 0: "A" } => sure\n'
                           b'\ttest "a" over tcp { client "B" } => talk\n}\n'))
pack("protocols", with_module("guess.pdlm", b"protocol talk { }\n"))
