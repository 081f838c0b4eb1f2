"""A key for RSA made on the spot (PKCS #8 in PEM), and the check of signatures by it (PKCS #1 v1.5 with SHA-256, RFC 8017)."""

import base64
import hashlib
import random

BITS, E = 1024, 65537
OID = bytes.fromhex("300d06092a864886f70d0101010500")
DIGEST = bytes.fromhex("3031300d060960864801650304020105000420")


def is_prime(n, chance):
    d, s = n - 1, 0
    while d % 2 == 0:
        d, s = d // 2, s + 1
    for _ in range(24):
        x = pow(chance.randrange(2, n - 1), d, n)
        if x in (1, n - 1):
            continue
        for _ in range(s - 1):
            x = x * x % n
            if x == n - 1:
                break
        else:
            return False
    return True


def prime(bits, chance):
    while True:
        n = chance.getrandbits(bits) | 3 << (bits - 2) | 1
        if n % E != 1 and is_prime(n, chance):
            return n


def der(tag, content):
    size = len(content)
    length = bytes([size]) if size < 128 else bytes([0x82]) + size.to_bytes(2, "big")
    return bytes([tag]) + length + content


def number(n):
    return der(2, n.to_bytes(n.bit_length() // 8 + 1, "big"))


class RsaKey:
    def __init__(self, seed=1):
        chance = random.Random(seed)
        p, q = prime(BITS // 2, chance), prime(BITS // 2, chance)
        self.n, d = p * q, pow(E, -1, (p - 1) * (q - 1))
        parts = (0, self.n, E, d, p, q, d % (p - 1), d % (q - 1), pow(q, -1, p))
        key = der(0x30, number(0) + OID + der(4, der(0x30, b"".join(map(number, parts)))))
        self.pem = "-----BEGIN PRIVATE KEY-----\n" + base64.encodebytes(key).decode() + "-----END PRIVATE KEY-----\n"

    def verifies(self, text, signature):
        padded = pow(int.from_bytes(signature, "big"), E, self.n).to_bytes(BITS // 8, "big")
        digest = DIGEST + hashlib.sha256(text).digest()
        return padded == b"\x00\x01" + b"\xff" * (BITS // 8 - 3 - len(digest)) + b"\x00" + digest
