#!/usr/bin/env python3
"""Writes the digest test vectors, straight from docs/reference/digest.md.

Nothing here comes from the Java code: canonical bytes are built from the specification, hashes come
from the xxhsum command (Debian package xxhash). Run it in the folder testkit:

    python3 vectors/generate.py > src/main/resources/io/weir/testkit/digest/vectors.json

With --example it prints the worked example of the specification instead.
"""
import json
import struct
import subprocess
import sys
import uuid
from datetime import date, datetime, timedelta, timezone

NULL, BOOLEAN, INTEGER, FLOATING, DECIMAL, TEXT, BINARY = 0, 1, 2, 3, 4, 5, 6
DATE, TIME, TIMESTAMP, TIMESTAMP_TZ, UUID, JSON = 7, 8, 9, 10, 11, 12
EPOCH_2000 = datetime(2000, 1, 1)
EPOCH_1970 = datetime(1970, 1, 1)


# ---- the specification -----------------------------------------------------------------------

def field(field_id, tag, value):
    """One field: id, tag, length, value; all numbers big-endian."""
    return struct.pack(">iBi", field_id, tag, len(value)) + value


def decimal_value(unscaled, scale):
    """Exponent without trailing zeros, then the shortest two's complement form."""
    if unscaled == 0:
        scale = 0
    while unscaled != 0 and unscaled % 10 == 0:
        unscaled //= 10
        scale -= 1
    size = 1
    while not -(1 << (8 * size - 1)) <= unscaled < 1 << (8 * size - 1):
        size += 1
    return struct.pack(">i", scale) + unscaled.to_bytes(size, "big", signed=True)


def floating_value(value):
    if value != value:
        return bytes.fromhex("7ff8000000000000")
    return struct.pack(">d", value)


def xxh3_128(data):
    """XXH3-128, seed 0, in the canonical order: high half first."""
    out = subprocess.run(["xxhsum", "-H2", "-"], input=data, capture_output=True, check=True)
    return int(out.stdout.split()[0], 16)


def digest(canonical):
    return xxh3_128(canonical) & ((1 << 127) - 1)


# ---- values: canonical form, COPY BINARY form, DuckDB form, PostgreSQL form -------------------

def quoted(text):
    return "'" + text.replace("'", "''") + "'"


def numeric_wire(unscaled, scale):
    """numeric_send: digits in base 10000, aligned to the decimal point, without zero ends."""
    text = str(abs(unscaled)).rjust(scale + 1, "0")
    whole, fraction = (text[:-scale], text[-scale:]) if scale else (text, "")
    whole = whole.rjust(-(-len(whole) // 4) * 4, "0")
    fraction = fraction.ljust(-(-len(fraction) // 4) * 4, "0")
    digits = [int((whole + fraction)[i:i + 4]) for i in range(0, len(whole + fraction), 4)]
    weight = len(whole) // 4 - 1
    while digits and digits[0] == 0:
        digits.pop(0)
        weight -= 1
    while digits and digits[-1] == 0:
        digits.pop()
    if not digits:
        weight = 0
    sign = 0x4000 if unscaled < 0 else 0
    return struct.pack(">hhHH", len(digits), weight, sign, scale) + b"".join(
        struct.pack(">h", d) for d in digits)


class Value:
    """One field of a vector; tag and value are its canonical form, both None for NULL."""

    def __init__(self, source, type_, tag, value, wire, sql, postgresql, text):
        self.source, self.type, self.tag, self.value = source, type_, tag, value
        self.wire, self.sql, self.postgresql, self.text = wire, sql, postgresql, text


INTS = {"smallint": ("int", ">h", "INTEGER"), "integer": ("int", ">i", "INTEGER"),
        "bigint": ("long", ">q", "BIGINT")}
FLOATS = {"real": ("float", ">f", "FLOAT"), "double precision": ("double", ">d", "DOUBLE")}
DUCKDB = {"boolean": "BOOLEAN", "int": "INTEGER", "long": "BIGINT", "float": "FLOAT",
          "double": "DOUBLE", "string": "VARCHAR", "binary": "BLOB", "date": "DATE",
          "time": "TIME", "timestamp": "TIMESTAMP", "timestamptz": "TIMESTAMPTZ", "uuid": "UUID"}


def integer(source, value):
    type_, form, sql = INTS[source]
    return Value(source, type_, INTEGER, struct.pack(">q", value), struct.pack(form, value),
                 f"CAST('{value}' AS {sql})", f"'{value}'::{source}", str(value))


def floating(source, text, wire=None):
    """A number as text; a float4 is rounded to single precision first."""
    type_, form, sql = FLOATS[source]
    wire = bytes.fromhex(wire) if wire else struct.pack(form, float(text))
    value = struct.unpack(form, wire)[0]
    postgresql = text.replace("inf", "Infinity")
    return Value(source, type_, FLOATING, floating_value(value), wire,
                 f"CAST('{text}' AS {sql})", f"'{postgresql}'::{source}", text)


def nan_with_payload(source, wire):
    """What a computation may leave behind; no literal makes it, so PostgreSQL computes it."""
    made = floating(source, "nan", wire)
    made.text = "nan, bits " + wire
    made.postgresql = None
    return made


def decimal(precision, scale, text):
    negative, digits = text.startswith("-"), text.lstrip("-")
    whole, _, fraction = digits.partition(".")
    assert len(fraction) == scale, text
    unscaled = int(whole + fraction) * (-1 if negative else 1)
    source = f"numeric({precision},{scale})"
    type_ = f"decimal({precision},{scale})"
    return Value(source, type_, DECIMAL, decimal_value(unscaled, scale),
                 numeric_wire(unscaled, scale), f"CAST('{text}' AS {type_.upper()})",
                 f"'{text}'::{source}", text)


def boolean(value):
    text = "true" if value else "false"
    one = bytes([1 if value else 0])
    return Value("boolean", "boolean", BOOLEAN, one, one, text, text, text)


def text_sql(text):
    """A literal of both databases; control characters go through chr()."""
    parts, plain = [], ""
    for c in text:
        if c < " ":
            parts += [quoted(plain)] if plain else []
            parts.append(f"chr({ord(c)})")
            plain = ""
        else:
            plain += c
    parts += [quoted(plain)] if plain or not parts else []
    return " || ".join(parts)


def string(source, text, tag=TEXT, wire_prefix=b""):
    data = text.encode()
    value = data.rstrip(b" ") if source.startswith("character(") else data
    cast = f"({text_sql(text)})::{source}"
    return Value(source, "string", tag, value, wire_prefix + data, text_sql(text), cast, text)


def repeated(text, times):
    made = string("text", text * times)
    made.sql = f"repeat({quoted(text)}, {times})"
    made.postgresql = made.sql
    made.text = f"{text} repeated {times} times"
    return made


def json_text(text):
    return string("json", text, JSON)


def jsonb_text(text):
    return string("jsonb", text, JSON, b"\x01")


def binary(data):
    sql = f"unhex('{data.hex()}')" if data else "''::BLOB"
    return Value("bytea", "binary", BINARY, data, data, sql, f"'\\x{data.hex()}'::bytea",
                 "0x" + data.hex() if data else "no bytes")


def day(text):
    value = date.fromisoformat(text)
    days = value.toordinal() - date(1970, 1, 1).toordinal()
    wire = struct.pack(">i", value.toordinal() - date(2000, 1, 1).toordinal())
    return Value("date", "date", DATE, struct.pack(">q", days), wire, f"DATE '{text}'",
                 f"date '{text}'", text)


def micros(delta):
    return delta // timedelta(microseconds=1)


def time(text):
    at = datetime.fromisoformat("1970-01-01T" + text)
    wire = struct.pack(">q", micros(at - EPOCH_1970))
    return Value("time without time zone", "time", TIME, wire, wire, f"TIME '{text}'",
                 f"time '{text}'", text)


def timestamp(text):
    at = datetime.fromisoformat(text)
    return Value("timestamp without time zone", "timestamp", TIMESTAMP,
                 struct.pack(">q", micros(at - EPOCH_1970)),
                 struct.pack(">q", micros(at - EPOCH_2000)), f"TIMESTAMP '{text}'",
                 f"timestamp '{text}'", text)


def timestamp_tz(text):
    at = datetime.fromisoformat(text).astimezone(timezone.utc).replace(tzinfo=None)
    return Value("timestamp with time zone", "timestamptz", TIMESTAMP_TZ,
                 struct.pack(">q", micros(at - EPOCH_1970)),
                 struct.pack(">q", micros(at - EPOCH_2000)), f"TIMESTAMPTZ '{text}'",
                 f"timestamptz '{text}'", text)


def uuid_value(text):
    value = uuid.UUID(text).bytes
    return Value("uuid", "uuid", UUID, value, value, f"'{text}'::UUID", f"'{text}'::uuid", text)


def null(source, type_):
    sql = DUCKDB.get(type_, type_.upper())
    return Value(source, type_, None, None, None, f"CAST(NULL AS {sql})",
                 f"null::{source}", "NULL")


# ---- vectors ----------------------------------------------------------------------------------

VECTORS = []


def hex_of(data):
    """Hex, or pieces of it where one byte repeats for long."""
    if data is None or len(data) <= 4096:
        return None if data is None else data.hex()
    pieces, start = [], 0
    while start < len(data):
        unit, times = data[start:start + 4], 1
        while data[start + 4 * times:start + 4 * times + 4] == unit:
            times += 1
        if times > 8:
            pieces.append({"hex": unit.hex(), "times": times})
            start += 4 * times
        elif pieces and pieces[-1]["times"] == 1:
            pieces[-1]["hex"] += data[start:start + 1].hex()
            start += 1
        else:
            pieces.append({"hex": data[start:start + 1].hex(), "times": 1})
            start += 1
    return pieces


def vector(name, *values, ids=None):
    ids = ids or list(range(1, len(values) + 1))
    canonical = b"".join(field(i, v.tag, v.value)
                         for i, v in sorted(zip(ids, values), key=lambda pair: pair[0])
                         if v.tag is not None)
    VECTORS.append({
        "name": name,
        "fields": [{"fieldId": i, "sourceType": v.source, "type": v.type, "wire": hex_of(v.wire),
                    "sql": v.sql, "postgresql": v.postgresql, "text": v.text}
                   for i, v in zip(ids, values)],
        "canonical": hex_of(canonical),
        "digest": format(digest(canonical), "032x"),
    })


def numbers():
    for source, bits in (("smallint", 16), ("integer", 32), ("bigint", 64)):
        for value in (-(1 << (bits - 1)), -1, 0, 1, (1 << (bits - 1)) - 1):
            vector(f"{source} {value}", integer(source, value))
    for value in (255, 256, -256, 1 << 32, -(1 << 32), 0x0102030405060708):
        vector(f"bigint {value}", integer("bigint", value))
    for source in FLOATS:
        for text in ("0", "-0.0", "1", "-1.5", "0.1", "1e10", "nan", "inf", "-inf"):
            vector(f"{source} {text}", floating(source, text))
    vector("real greatest", floating("real", "3.4028235e38"))
    vector("real smallest", floating("real", "1e-45", "00000001"))
    vector("double precision greatest", floating("double precision", "1.7976931348623157e308"))
    vector("double precision smallest", floating("double precision", "5e-324"))
    for wire in ("7fc00001", "ffc00000"):
        vector("real nan with bits " + wire, nan_with_payload("real", wire))
    for wire in ("7ff8000000000001", "fff8000000000000"):
        vector("double precision nan with bits " + wire,
               nan_with_payload("double precision", wire))
    for value in (False, True):
        vector(f"boolean {value}".lower(), boolean(value))


def decimals():
    cases = [(1, 0, "0"), (12, 2, "0.00"), (12, 2, "1.20"), (12, 1, "1.2"), (12, 2, "-1.20"),
             (12, 2, "100.00"), (3, 0, "100"), (12, 2, "0.01"), (12, 2, "-0.01"),
             (12, 2, "9999999999.99"), (12, 2, "-9999999999.99"), (4, 0, "9999"),
             (5, 0, "10000"), (9, 0, "100000000"), (8, 0, "99999999"), (4, 4, "0.9999"),
             (4, 4, "0.0001"), (5, 5, "0.00001"), (8, 8, "0.00000001"), (8, 4, "9999.9999"),
             (9, 4, "10000.0001"), (9, 5, "1.00001"), (12, 6, "10000.000100"),
             (20, 10, "1000000000.0000000001"), (18, 0, "999999999999999999"),
             (18, 2, "-9999999999999999.99"), (19, 0, "9223372036854775807"),
             (19, 0, "-9223372036854775808"), (19, 0, "9223372036854775808"),
             (19, 0, "-9223372036854775809"), (20, 0, "18446744073709551615"),
             (3, 0, "127"), (3, 0, "128"), (3, 0, "-128"), (3, 0, "-129"), (5, 0, "32767"),
             (5, 0, "32768"), (5, 0, "-32769"), (38, 0, "9" * 38), (38, 0, "-" + "9" * 38),
             (38, 0, "1" + "0" * 37), (38, 0, "-1" + "0" * 37), (38, 38, "0." + "9" * 38),
             (38, 38, "-0." + "0" * 37 + "1"), (38, 10, "1234567890123456789012345678.9012345678"),
             (38, 10, "-1234567890123456789012345678.9012345670"), (38, 2, "0.00")]
    for precision, scale, text in cases:
        vector(f"numeric({precision},{scale}) {text}", decimal(precision, scale, text))


def texts():
    vector("text empty", string("text", ""))
    vector("text ascii", string("text", "Hello, world"))
    vector("text quote and backslash", string("text", "it's a \\ \"test\""))
    vector("text trailing blanks stay", string("text", "ab   "))
    vector("text four-byte characters", string("text", "naïve Größe 価格 🦫🌊"))
    vector("text decomposed stays decomposed", string("text", "e\u0301"))
    vector("text composed stays composed", string("text", "\u00e9"))
    vector("text line ends", string("text", "a\r\nb\nc\rd\te"))
    vector("varchar", string("character varying(20)", "Ölçü"))
    vector("varchar without length", string("character varying", "İstanbul ıi"))
    vector("char padded", string("character(5)", "ab   "))
    vector("char full", string("character(5)", "abcde"))
    vector("char blank", string("character(5)", "     "))
    vector("char four-byte characters", string("character(5)", "🦫é   "))
    vector("char inner blank and tab", string("character(5)", "a \t  "))
    vector("enum", string("mood", "very happy"))
    vector("json keeps its text", json_text("{ \"b\" : 1.0,\t\"a\": [1, null], \"b\": 2 }"))
    vector("json null is no NULL", json_text("null"))
    vector("jsonb as the server prints it", jsonb_text("{\"a\": [1, null], \"b\": 1.0}"))
    vector("jsonb unicode", jsonb_text("{\"naïve\": \"🦫\"}"))
    vector("bytea empty", binary(b""))
    vector("bytea one zero", binary(b"\x00"))
    vector("bytea every octet", binary(bytes(range(256))))
    vector("bytea trailing blanks stay", binary(b"ab  "))


def times():
    for text in ("0001-01-01", "1582-10-04", "1582-10-15", "1900-02-28", "1969-12-31",
                 "1970-01-01", "1999-12-31", "2000-01-01", "2000-02-29", "9999-12-31"):
        vector("date " + text, day(text))
    for text in ("00:00:00", "00:00:00.000001", "12:34:56.789", "23:59:59.999999"):
        vector("time " + text, time(text))
    for text in ("0001-01-01 00:00:00", "1969-12-31 23:59:59.999999", "1970-01-01 00:00:00",
                 "1582-10-04 12:00:00.000001", "1999-12-31 23:59:59.999999",
                 "2011-12-30 12:00:00", "2026-11-29 03:04:05.678901",
                 "9999-12-31 23:59:59.999999"):
        vector("timestamp " + text, timestamp(text))
    for text in ("0001-01-01 00:00:00+00:00", "1969-12-31 23:59:59.999999+00:00",
                 "1970-01-01 00:00:00+00:00", "2026-11-29 03:04:05.678901+14:00",
                 "2026-11-28 13:04:05.678901+00:00", "2026-03-29 01:30:00-03:30",
                 "9999-12-31 23:59:59.999999+00:00"):
        vector("timestamptz " + text, timestamp_tz(text))
    for text in ("00000000-0000-0000-0000-000000000000", "ffffffff-ffff-ffff-ffff-ffffffffffff",
                 "80000000-0000-0000-8000-000000000000", "0190f5a4-7c3e-7b1a-9c2d-3e4f5a6b7c8d"):
        vector("uuid " + text, uuid_value(text))


def sized_texts():
    """Rows of every length class of XXH3, on both sides of each border."""
    for length in (9, 10, 12, 16, 17, 32, 33, 64, 65, 96, 97, 128, 129, 160, 161, 240, 241,
                   255, 256, 257, 511, 512, 513, 1023, 1024, 1025, 1087, 1088, 1089, 2048, 2049,
                   4096):
        vector(f"row of {length} bytes", repeated("w", length - 9))
    vector("row of 4 MiB", repeated("weir", 1 << 20))
    vector("text longer than 64 KiB", repeated("🌊", 20_000))


EVERY_NULL = [("smallint", "int"), ("integer", "int"), ("bigint", "long"), ("real", "float"),
              ("double precision", "double"), ("numeric(12,2)", "decimal(12,2)"),
              ("numeric(38,0)", "decimal(38,0)"), ("boolean", "boolean"), ("text", "string"),
              ("character varying(20)", "string"), ("character(5)", "string"),
              ("bytea", "binary"), ("date", "date"), ("time without time zone", "time"),
              ("timestamp without time zone", "timestamp"),
              ("timestamp with time zone", "timestamptz"), ("uuid", "uuid"), ("json", "string"),
              ("jsonb", "string"), ("mood", "string")]


def every_type():
    return [integer("smallint", -2), integer("integer", 3), integer("bigint", -4),
            floating("real", "0.1"), floating("double precision", "0.1"),
            decimal(12, 2, "1234.50"), decimal(38, 0, "-" + "12345678901234567890" * 1),
            boolean(True), string("text", "Ada"), string("character varying(20)", "Lovelace"),
            string("character(5)", "x    "), binary(b"\x00\xff"), day("2026-11-29"),
            time("03:04:05.678901"), timestamp("2026-11-29 03:04:05.678901"),
            timestamp_tz("2026-11-29 03:04:05.678901+00:00"),
            uuid_value("0190f5a4-7c3e-7b1a-9c2d-3e4f5a6b7c8d"), json_text("[1,2]"),
            jsonb_text("[1, 2]"), string("mood", "sad")]


def rows():
    vector("every column NULL", *[null(*pair) for pair in EVERY_NULL])
    for source, type_ in EVERY_NULL:
        vector(f"{source} NULL", null(source, type_))
    vector("every type", *every_type())
    vector("every type, ids against source order", *every_type(), ids=list(range(20, 0, -1)))
    vector("ids with gaps and above one byte", integer("bigint", 7), string("text", "seven"),
           boolean(False), ids=[70_000, 3, 256])
    vector("greatest field id", integer("integer", 1), ids=[2_147_483_447])
    vector("NULL between values", integer("bigint", 1), null("text", "string"),
           string("text", "c"))
    vector("empty text is no NULL", string("text", ""), null("text", "string"))
    vector("values moved by one column", null("text", "string"), string("text", ""))
    vector("split one", string("text", "a"), string("text", "bc"))
    vector("split two", string("text", "ab"), string("text", "c"))
    vector("order line", integer("bigint", 1_000_001), integer("integer", 42),
           decimal(12, 2, "19.90"), string("text", "a weir, two locks"), boolean(True),
           timestamp_tz("2026-11-29 10:00:00.000001+00:00"), null("text", "string"))
    many = [integer("integer", i) if i % 3 else null("integer", "int") for i in range(200)]
    vector("two hundred columns", *many)


def example():
    """The worked example of the specification."""
    one = [field(1, INTEGER, struct.pack(">q", 43)), field(2, TEXT, "Zoë".encode()),
           field(3, DECIMAL, decimal_value(120, 2)), field(5, NULL, b"")]
    two = [field(1, INTEGER, struct.pack(">q", -1)), field(5, INTEGER, struct.pack(">q", 12))]
    total = 0
    for row in (one, two):
        for part in row:
            print(part.hex())
        print("xxh3-128", format(xxh3_128(b"".join(row)), "032x"))
        print("digest  ", format(digest(b"".join(row)), "032x"))
        total += digest(b"".join(row))
    print("balance  2:" + format(total % (1 << 128), "032x"))
    empty = digest(b"")
    print("empty   ", format(empty, "032x"))


def main():
    if sys.argv[1:] == ["--example"]:
        example()
        return
    for group in (numbers, decimals, texts, times, sized_texts, rows):
        group()
    lines = ",\n".join("  " + json.dumps(v, ensure_ascii=False) for v in VECTORS)
    print('{\n "format": 1,\n "vectors": [\n' + lines + "\n ]\n}")


main()
