"""Event files that mean harm, and the largest: evil names, restarts without end, tags without end, records that are none."""

import struct

import tfrecord
from hostile import BROKEN, EVIL, MANY, judge
from tfrecord import event, masked_crc, record, session, simple, version
from xspace_writer import field


def scalar(tag, number):
    return field(1, field(1, tag) + b"\x15" + struct.pack("<f", number))


def usual():
    return version(1e9) + b"".join(event(1e9 + i, i, simple(loss=1 / (i + 1))) for i in range(9))


def evil_names():
    names = EVIL + [f"{a}/{b}" for a in EVIL for b in EVIL]
    return version(1e9) + b"".join(
        event(1e9 + i, i, field(5, b"".join(scalar(name, i) for name in names))) + event(1e9 + i, i, tfrecord.tensor(EVIL[i], 7, b"", plugin=EVIL[i]))
        for i in range(5))


def broken_names():
    return version(1e9) + b"".join(event(1e9 + i, i, field(5, scalar(name, i))) for i in range(3) for name in BROKEN)


def long_names():
    return version(1e9) + b"".join(event(1e9 + i, i, field(5, scalar("a/" * 50_000 + str(i), i))) for i in range(5))


def a_tag_each():
    return version(1e9) + b"".join(
        event(1e9 + i, i, field(5, b"".join(scalar(f"s{i}/t{k}", k) for k in range(100)))) for i in range(MANY // 100))


def restarts_of_many_tags():
    starts = b"".join(event(1e9 + i, 10**6 + i, session(1)) for i in range(3 * MANY))
    return a_tag_each() + starts


def restarts_of_many_tags_without_points():
    tags = (field(5, b"".join(field(1, field(1, f"t{i}/{k}")) for k in range(100))) for i in range(MANY // 30))
    starts = b"".join(event(1e9 + i, i, session(1)) for i in range(8 * MANY))
    return version(1e9) + b"".join(event(1e9, 1, one) for one in tags) + starts


def each_restart_takes_one_point():
    points = event(1e9, 0, field(5, b"".join(scalar("t", i) for i in range(100))))
    return (version(1e9) + points * 100 + b"".join(event(1e9 + i, i, simple(t=i)) for i in range(MANY)) +
            b"".join(event(1e9 + i, MANY - i, session(1)) for i in range(MANY)))


def each_step_goes_back():
    return b"".join(event(1e9 + i, 2**40 - i, simple(a=i, b=i)) for i in range(2 * MANY))


def far_and_near_by_turns():
    return version(1e9) + b"".join(
        event((-1)**i * 1e300 if i % 3 else float("nan"), (-1)**i * 2**62, simple(a=(-1)**i * 3e38)) for i in range(MANY))


def one_record_of_many_points():
    return version(1e9) + event(1e9, 5, field(5, scalar("t", 1) * (10 * MANY)))


def empty_records():
    return version(1e9) + record(b"") * (10 * MANY)


def lengths_that_agree_and_bytes_that_do_not():
    length = struct.pack("<Q", 10**5)
    return version(1e9) + (length + struct.pack("<I", masked_crc(length))) * (10 * MANY)


def marks_without_end():
    return version(1e9) + b"".join(event(1e9 + i, i, field(7, field(1, 3) + field(2, f"m/{i}"))) for i in range(3 * MANY))


if __name__ == "__main__":
    judge([evil_names, broken_names, long_names, a_tag_each, restarts_of_many_tags, restarts_of_many_tags_without_points,
           each_restart_takes_one_point, each_step_goes_back, far_and_near_by_turns, one_record_of_many_points, empty_records,
           lengths_that_agree_and_bytes_that_do_not, marks_without_end], "events.out.tfevents.1.vm", usual)
