"""Reads the names of the events in a spool (core/spool/spool_format.h), and checks its frames."""

import struct

FRAME = struct.Struct("<IBBHIIIII")
STRINGS, EVENTS = 2, 23


def names_in(path):
    with open(path, "rb") as file:
        data = file.read()
    texts, names, at, sequence = {}, [], 0, 0
    while at < len(data):
        magic, _, _, kind, number, count, size, length, _ = FRAME.unpack_from(data, at)
        assert magic == 0x5053564F and number == sequence, "frames are whole and in order"
        sequence += 1
        at += FRAME.size + 4
        payload, at = data[at:at + length], at + length
        if kind == STRINGS:
            while payload:
                known, length = struct.unpack_from("<II", payload)
                texts[known], payload = payload[8:8 + length].decode(), payload[8 + length:]
        elif kind == EVENTS:
            names += [texts[struct.unpack_from("<I", payload, size * each + 20)[0]] for each in range(count)]
    return names
