"""A profiler service on a port of this machine: gRPC over HTTP/2 without TLS, as little of both as a client must not notice. It serves one
call a connection, and says of each what was asked; what it answers is a test's to say."""

import contextlib
import socket
import struct
import threading
import time

DATA, HEADERS, SETTINGS, PING, GOAWAY, WINDOW_UPDATE = 0, 1, 4, 6, 7, 8
END_STREAM, END_HEADERS, ACK = 1, 4, 1
PREFACE = b"PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n"


class Answer:
    """message: bytes, or None; cut: so many bytes of the body are sent, then the connection is closed; lost: the prefix promises so many more;
    ends: the connection is closed at once behind the answer, as by a program that ends."""

    def __init__(self, message=b"", status=0, told="", wait_s=0.0, cut=None, lost=0, compressed=0, ends=False):
        self.message, self.status, self.told, self.wait_s = message, status, told, wait_s
        self.cut, self.lost, self.compressed, self.ends = cut, lost, compressed, ends


def fields(data):
    """(number, value) of a message: numbers and bytes."""
    at = 0

    def varint():
        nonlocal at
        value = shift = 0
        while True:
            byte = data[at]
            at += 1
            value |= (byte & 127) << shift
            shift += 7
            if byte < 128:
                return value
    found = []
    while at < len(data):
        key = varint()
        if key & 7 == 0:
            found.append((key >> 3, varint()))
        else:
            size = varint()
            found.append((key >> 3, data[at:at + size]))
            at += size
    return found


def literal(name, value):
    """A header without Huffman's code, and not indexed."""
    return b"\x00" + bytes([len(name)]) + name + (bytes([len(value)]) if len(value) < 127 else b"\x7f" + bytes([len(value) - 127])) + value


class Connection:
    def __init__(self, sock):
        self.sock, self.rest = sock, b""
        self.window, self.stream_window, self.first_window = 65535, 65535, 65535
        self.body, self.whole = b"", False

    def take(self, size):
        while len(self.rest) < size:
            more = self.sock.recv(65536)
            if not more:
                raise ConnectionError
            self.rest += more
        out, self.rest = self.rest[:size], self.rest[size:]
        return out

    def put(self, kind, flags, stream, payload=b""):
        self.sock.sendall(struct.pack(">I", len(payload))[1:] + bytes([kind, flags]) + struct.pack(">I", stream) + payload)

    def read_frame(self):
        head = self.take(9)
        size, kind, flags, stream = int.from_bytes(head[:3], "big"), head[3], head[4], int.from_bytes(head[5:], "big")
        payload = self.take(size)
        if kind == SETTINGS and not flags & ACK:
            for i in range(0, size, 6):
                key, value = struct.unpack(">HI", payload[i:i + 6])
                if key == 4:
                    self.stream_window += value - self.first_window
                    self.first_window = value
            self.put(SETTINGS, ACK, 0)
        elif kind == PING and not flags & ACK:
            self.put(PING, ACK, 0, payload)
        elif kind == WINDOW_UPDATE:
            more = int.from_bytes(payload, "big")
            if stream:
                self.stream_window += more
            else:
                self.window += more
        elif kind == DATA:
            self.body += payload
        if kind in (DATA, HEADERS) and flags & END_STREAM:
            self.whole = True

    def send_body(self, data):
        at = 0
        while at < len(data):
            size = min(16384, len(data) - at, self.window, self.stream_window)
            if size <= 0:
                self.read_frame()
                continue
            self.put(DATA, 0, 1, data[at:at + size])
            self.window -= size
            self.stream_window -= size
            at += size

    def serve(self, answer_to):
        """Whether the connection is to be closed at once."""
        if self.take(len(PREFACE)) != PREFACE:
            raise ConnectionError
        self.put(SETTINGS, 0, 0)
        while not self.whole:
            self.read_frame()
        answer = answer_to(self.body[5:])
        end = time.monotonic() + answer.wait_s
        self.sock.settimeout(0.05)
        # Who goes away meanwhile is noticed.
        while time.monotonic() < end:
            try:
                self.read_frame()
            except TimeoutError:
                pass
        self.sock.settimeout(30)
        first = b"\x88" + literal(b"content-type", b"application/grpc")
        last = literal(b"grpc-status", str(answer.status).encode()) + (literal(b"grpc-message", answer.told.encode()) if answer.told else b"")
        if answer.message is None:
            self.put(HEADERS, END_HEADERS | END_STREAM, 1, first + last)
            return answer.ends
        body = bytes([answer.compressed]) + struct.pack(">I", len(answer.message) + answer.lost) + answer.message
        self.put(HEADERS, END_HEADERS, 1, first)
        if answer.cut is not None:
            self.send_body(body[:answer.cut])
            return True
        self.send_body(body)
        self.put(HEADERS, END_HEADERS | END_STREAM, 1, last)
        return answer.ends


class ProfilerServer:
    """answer(request: bytes, number: int) → Answer; requests holds what came, stopped how many clients went away before they had an answer."""

    def __init__(self, answer):
        self.answer, self.requests, self.stopped = answer, [], 0
        self.lock = threading.Lock()

    def __enter__(self):
        self.sock = socket.create_server(("127.0.0.1", 0))
        self.address = f"127.0.0.1:{self.sock.getsockname()[1]}"
        self.thread = threading.Thread(target=self.accept, daemon=True)
        self.thread.start()
        return self

    def __exit__(self, *_):
        self.sock.shutdown(socket.SHUT_RDWR)
        self.sock.close()
        self.thread.join()

    def accept(self):
        while True:
            try:
                sock, _ = self.sock.accept()
            except OSError:
                return
            threading.Thread(target=self.serve, args=(sock,), daemon=True).start()

    def answer_to(self, request):
        with self.lock:
            self.requests.append(request)
            number = len(self.requests)
        return self.answer(request, number)

    def serve(self, sock):
        with sock:
            sock.settimeout(30)
            try:
                ends = Connection(sock).serve(self.answer_to)
            except OSError:
                with self.lock:
                    self.stopped += 1
                return
            with contextlib.suppress(OSError):
                if ends:
                    sock.shutdown(socket.SHUT_WR)
                while sock.recv(65536):
                    pass
