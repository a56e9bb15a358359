# SPDX-License-Identifier: Apache-2.0
"""What an agent would send, for whoever needs a lake with something in it: messages as dicts by the names of
proto/signal.proto, packed by its tags, and posted to a lake's ingest."""
import functools
import pathlib
import re
import struct
import subprocess
import urllib.request

PROTO = pathlib.Path(__file__).parent.parent / "proto" / "signal.proto"


def _read(text):
    messages = {}
    for name, body in re.findall(r"^message (\w+) \{(.*?)^\}", text, re.M | re.S):
        fields = re.findall(r"^\s*(?:repeated )?(\w+) (\w+) = (\d+);", body, re.M)
        messages[name] = {field: (kind, int(tag)) for kind, field, tag in fields}
    return messages


MESSAGES = _read(PROTO.read_text())


@functools.lru_cache(65536)
def _varint(value):
    value &= (1 << 64) - 1
    out = bytearray()
    while value > 127:
        out.append(value & 127 | 128)
        value >>= 7
    out.append(value)
    return bytes(out)


def _field(kind, tag, value):
    if kind == "double":
        return _varint(tag << 3 | 1) + struct.pack("<d", value)
    if kind in MESSAGES:
        value = pack(kind, value)
    elif kind == "string":
        value = value.encode()
    else:
        return _varint(tag << 3) + _varint(int(value))
    return _varint(tag << 3 | 2) + _varint(len(value)) + value


def pack(message, values):
    """The bytes of one message; a list is a repeated field. KeyError: a name that the contract does not have."""
    out = bytearray()
    for name, value in values.items():
        kind, tag = MESSAGES[message][name]
        for one in value if isinstance(value, list) else [value]:
            out += _field(kind, tag, one)
    return bytes(out)


class Agent:
    """One agent of one boot of one host: its batches are numbered as they are sent."""

    def __init__(self, url, token, host_id, now_ns):
        self.url, self.token, self.sequence = url, token, 0
        self.ids = {"agent_id": f"agent-{host_id}", "host_id": host_id, "boot_id": f"boot-{host_id}"}
        self.now_ns = now_ns

    def send(self, **records):
        self.sequence += 1
        batch = pack("Batch", {**self.ids, "sequence": self.sequence, "created_at": self.now_ns, **records})
        packed = subprocess.run(["zstd", "-q", "-c"], input=batch, capture_output=True, check=True).stdout
        request = urllib.request.Request(f"{self.url}/api/v1/ingest", packed, {
            "Authorization": f"Bearer {self.token}", "Content-Type": "application/x-protobuf"})
        with urllib.request.urlopen(request, timeout=60) as answer:
            assert answer.status == 200, answer.read()
