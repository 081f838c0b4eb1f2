"""How far apart two colours look, to everybody: distances in OKLab (https://bottosson.github.io/posts/oklab/) as they are and as people with
one kind of cone lacking see them (Machado, Oliveira and Fernandes, 2009, severity 1). A colour is (red, green, blue), 0 to 255."""

VISION = {
    "usual": ((1, 0, 0), (0, 1, 0), (0, 0, 1)),
    "protan": ((0.152286, 1.052583, -0.204868), (0.114503, 0.786281, 0.099216), (-0.003882, -0.048116, 1.051998)),
    "deutan": ((0.367322, 0.860646, -0.227968), (0.280085, 0.672501, 0.047413), (-0.011820, 0.042940, 0.968881)),
    "tritan": ((1.255528, -0.076749, -0.178779), (-0.078411, 0.930809, 0.147602), (0.004733, 0.691367, 0.303900)),
}
TO_CONES = ((0.4122214708, 0.5363325363, 0.0514459929), (0.2119034982, 0.6806995451, 0.1073969566), (0.0883024619, 0.2817188376, 0.6299787005))
TO_LAB = ((0.2104542553, 0.7936177850, -0.0040720468), (1.9779984951, -2.4285922050, 0.4505937099), (0.0259040371, 0.7827717662, -0.8086757660))


def times(matrix, vector):
    return [sum(a * b for a, b in zip(row, vector)) for row in matrix]


def linear(colour):
    return [v / 12.92 if v <= 0.04045 else ((v + 0.055) / 1.055) ** 2.4 for v in (c / 255 for c in colour)]


def contrast(one, other):
    """As WCAG has it, 1 to 21."""
    low, high = sorted(sum(a * b for a, b in zip((0.2126, 0.7152, 0.0722), linear(c))) for c in (one, other))
    return (high + 0.05) / (low + 0.05)


def lab(colour, vision):
    seen = [min(1, max(0, v)) for v in times(VISION[vision], linear(colour))]
    return times(TO_LAB, [v ** (1 / 3) for v in times(TO_CONES, seen)])


def distance(one, other):
    """Of those who tell them apart least, in hundredths; 2 is just visible."""
    return min(100 * sum((a - b) ** 2 for a, b in zip(lab(one, v), lab(other, v))) ** 0.5 for v in VISION)
