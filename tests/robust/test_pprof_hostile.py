"""Memory profiles that mean harm: stacks, names and references without end."""

from hostile import EVIL, MANY, judge
from xspace_writer import field, varint

WORDS = ["", "buffers", "count", "space", "bytes", "kind", "buffer", "device"]
KIND = field(3, field(1, WORDS.index("kind")) + field(2, WORDS.index("buffer")))


def sample(stack, count=1, size=64, labels=KIND):
    return field(2, field(1, b"".join(map(varint, stack))) + field(2, varint(count) + varint(size)) + labels)


def profile(samples, places, functions, texts):
    """places: lines, each a function, by id from 1; functions: (name, file), by id from 1, as numbers in texts."""
    out = field(1, field(1, 1) + field(2, 2)) + field(1, field(1, 3) + field(2, 4)) + b"".join(samples)
    out += b"".join(field(4, field(1, 1 + i) + b"".join(field(4, field(1, of) + field(2, 7)) for of in lines))
                    for i, lines in enumerate(places))
    out += b"".join(field(5, field(1, 1 + i) + field(2, len(WORDS) + name) + field(4, len(WORDS) + file))
                    for i, (name, file) in enumerate(functions))
    return out + b"".join(field(6, text) for text in WORDS + texts)


def usual():
    return profile([sample([1])], [[1]], [(0, 0)], ["f"])


def evil_names():
    count = len(EVIL)
    return profile([sample([1 + i]) for i in range(count)], [[1 + i] for i in range(count)], [(i, i) for i in range(count)], EVIL)


def one_long_name_of_all():
    count = MANY // 5
    return profile([sample([1 + i]) for i in range(count)], [[1 + i] for i in range(count)], [(0, 0)] * count, ["x" * 2**23])


def one_deep_stack_of_all():
    return profile([sample(range(1, 5001), size=i) for i in range(MANY // 100)], [[1 + i] for i in range(5000)],
                   [(i % 900, i % 800) for i in range(5000)], [f"s{i}" for i in range(900)])


def one_place_of_many_lines():
    return profile([sample([1], size=i) for i in range(MANY // 10)], [[1 + i % 5 for i in range(MANY)]], [(i, i) for i in range(5)],
                   [f"s{i}" for i in range(5)])


def a_device_each():
    return profile([sample([1], labels=KIND + field(3, field(1, 7) + field(2, len(WORDS) + i))) for i in range(MANY)],
                   [[1]], [(0, 0)], [f"d{i}" for i in range(MANY)])


def references_that_lie():
    return profile([sample([2**40 + i] * 5) for i in range(3 * MANY)], [[2**40]], [(2**40, 2**50)], ["f"])


if __name__ == "__main__":
    judge([evil_names, one_long_name_of_all, one_deep_stack_of_all, one_place_of_many_lines, a_device_each, references_that_lie],
          "memory.prof", usual)
