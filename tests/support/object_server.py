"""A small object store on 127.0.0.1 for tests: S3's interface with signatures checked by hmac, listings in pages, parts, and faults that
are asked for. Also what a plain web server answers, below /web/."""

import datetime
import hashlib
import hmac
import http.server
import re
import threading
import time
import urllib.parse
from xml.sax.saxutils import escape

ACCESS, SECRET = "AKIDTEST", "secret/of+the=test"


def sign(secret, request, scope, date, signed, payload):
    """The signature of a request (method, raw path, raw query, headers), by the text of AWS's documentation."""
    method, path, query, headers = request
    lines = "".join(f"{name}:{' '.join(headers[name].split())}\n" for name in signed.split(";"))
    canonical = "\n".join([method, path, query, lines, signed, payload])
    day, region, service, last = scope.split("/")
    text = "\n".join(["AWS4-HMAC-SHA256", date, scope, hashlib.sha256(canonical.encode()).hexdigest()])
    key = ("AWS4" + secret).encode()
    for part in (day, region, service, last):
        key = hmac.new(key, part.encode(), hashlib.sha256).digest()
    return hmac.new(key, text.encode(), hashlib.sha256).hexdigest()


class Refusal(Exception):
    def __init__(self, status, code, headers=(), extra=""):
        super().__init__(code)
        self.status, self.code, self.headers, self.extra = status, code, dict(headers), extra


class Handler(http.server.BaseHTTPRequestHandler):
    protocol_version = "HTTP/1.1"
    disable_nagle_algorithm = True

    def log_message(self, *_):
        pass

    def date_time_string(self, timestamp=None):
        return self.server.store.now().strftime("%a, %d %b %Y %H:%M:%S GMT")

    def answer(self, status, body=b"", headers=()):
        store = self.server.store
        self.send_response(status)
        for name, value in dict(headers).items():
            self.send_header(name, value)
        self.send_header("Content-Length", str(len(body)))
        self.end_headers()
        if self.command == "HEAD":
            return
        if store.cut_bytes is not None and len(body) > store.cut_bytes and status < 300:
            self.wfile.write(body[:store.cut_bytes])
            self.close_connection = True
            return
        if store.stall_bytes is not None and len(body) > store.stall_bytes:
            self.wfile.write(body[:store.stall_bytes])
            body = body[store.stall_bytes:]
            self.wfile.flush()
            store.stalled.set()
            time.sleep(5)
        self.wfile.write(body)

    def handle_one(self):
        store = self.server.store
        size = int(self.headers.get("Content-Length") or 0)
        body = self.rfile.read(size)
        path, _, query = self.path.partition("?")
        headers = {name.lower(): value for name, value in self.headers.items()}
        with store.lock:
            store.requests.append((self.command, self.path, headers))
            busy = store.busy.pop(0) if store.busy else None
        try:
            if busy is not None:
                raise Refusal(busy, "SlowDown", {"Retry-After": "0"})
            for prefix, handle in store.handlers.items():
                if path.startswith(prefix):
                    return self.answer(*handle(self.command, self.path, headers, body))
            return self.answer(*store.handle(self.command, path, query, headers, body))
        except Refusal as why:
            text = f"<?xml version='1.0'?><Error><Code>{why.code}</Code><Message>no</Message>{why.extra}</Error>"
            return self.answer(why.status, text.encode(), why.headers)

    do_GET = do_PUT = do_POST = do_HEAD = do_DELETE = handle_one


class QuietServer(http.server.ThreadingHTTPServer):
    daemon_threads = True

    def handle_error(self, *_):
        """Of connections that the program closes, having read enough."""


class ObjectServer:
    """with ObjectServer() as s: s.objects["bucket", "key"] = b"…"; s.env() is what the program needs."""

    def __init__(self):
        self.objects, self.requests, self.busy = {}, [], []
        self.uploads, self.upload_count = {}, 0  # in parts, not joined yet: id → ((bucket, key), {number: bytes}, type)
        self.etags = {}         # id of the bytes → (the bytes, their hash)
        self.keys = {ACCESS: SECRET}
        self.regions = {}       # bucket → region; others are everywhere
        self.malformed = False  # tells of another region as a host of the wrong region does
        self.page_keys = 1000
        self.cut_bytes = None   # after so many bytes of a body each connection breaks
        self.stall_bytes = None  # after so many bytes of a body nothing comes for a while
        self.stalled = threading.Event()
        self.clock = datetime.timedelta()
        self.token = None       # that must be sent; others have expired
        self.no_ranges = False
        self.open_to_all = False
        self.handlers = {}      # beginning of a path → function(method, path, headers, body): (status, body, headers)
        self.lock = threading.Lock()

    def __enter__(self):
        self.server = QuietServer(("127.0.0.1", 0), Handler)
        self.server.store = self
        self.port = self.server.server_address[1]
        self.url = f"http://127.0.0.1:{self.port}"
        self.thread = threading.Thread(target=self.server.serve_forever, args=(0.05,))
        self.thread.start()
        return self

    def __exit__(self, *_):
        self.server.shutdown()
        self.thread.join()
        self.server.server_close()

    def env(self, **more):
        env = {"AWS_ENDPOINT_URL": self.url, "AWS_ACCESS_KEY_ID": ACCESS, "AWS_SECRET_ACCESS_KEY": SECRET,
               "AWS_EC2_METADATA_DISABLED": "true", "HOME": "/nonexistent"}
        env.update(more)
        return {name: value for name, value in env.items() if value is not None}

    def now(self):
        return datetime.datetime.now(datetime.timezone.utc) + self.clock

    def check_signature(self, method, path, query, headers, body):
        match = re.fullmatch(r"AWS4-HMAC-SHA256 Credential=([^/]+)/(\S+), SignedHeaders=(\S+), Signature=([0-9a-f]{64})",
                             headers.get("authorization", ""))
        if not match:
            raise Refusal(403, "AccessDenied")
        access, scope, signed, signature = match.groups()
        if access not in self.keys:
            raise Refusal(403, "InvalidAccessKeyId")
        payload = headers["x-amz-content-sha256"]
        if payload != hashlib.sha256(body).hexdigest():
            raise Refusal(400, "XAmzContentSHA256Mismatch")
        amz = {name for name in headers if name.startswith("x-amz-")} | {"host"}
        if not amz <= set(signed.split(";")):
            raise Refusal(403, "AccessDenied")
        if query != "&".join(sorted(query.split("&"))):
            raise Refusal(400, "QueryNotSorted")
        when = datetime.datetime.strptime(headers["x-amz-date"], "%Y%m%dT%H%M%SZ").replace(tzinfo=datetime.timezone.utc)
        if abs(when - self.now()) > datetime.timedelta(minutes=15):
            raise Refusal(403, "RequestTimeTooSkewed")
        if self.token is not None and headers.get("x-amz-security-token") != self.token:
            raise Refusal(400, "ExpiredToken")
        if sign(self.keys[access], (method, path, query, headers), scope, headers["x-amz-date"], signed, payload) != signature:
            raise Refusal(403, "SignatureDoesNotMatch")
        return scope.split("/")[1]

    def check_region(self, bucket, region):
        right = self.regions.get(bucket, region)
        if region == right:
            return
        if self.malformed:
            raise Refusal(400, "AuthorizationHeaderMalformed", extra=f"<Region>{right}</Region>")
        raise Refusal(301, "PermanentRedirect", {"x-amz-bucket-region": right})

    def handle(self, method, path, query, headers, body):
        parts = path.split("/", 2)
        bucket, key = urllib.parse.unquote(parts[1]), urllib.parse.unquote(parts[2] if len(parts) > 2 else "")
        if bucket == "web":
            return self.read(("web", key), headers, "ETag")
        if not self.open_to_all:
            self.check_region(bucket, self.check_signature(method, path, query, headers, body))
        if not any(b == bucket for b, _ in self.objects):
            raise Refusal(404, "NoSuchBucket")
        q = dict(urllib.parse.parse_qsl(query, keep_blank_values=True))
        if "uploads" in q or "uploadId" in q:
            return self.upload(method, (bucket, key), q, headers, body)
        if method == "PUT":
            self.objects[bucket, key] = body
            return 200, b"", {}
        if method == "DELETE":
            self.objects.pop((bucket, key), None)
            return 204, b"", {}
        if key == "":
            return self.list(bucket, q)
        return self.read((bucket, key), headers, "ETag")

    def upload(self, method, name, q, headers, body):
        """An object in parts: an upload is gone when it is joined or given up; parts but the last have 5 MiB at least."""
        with self.lock:
            if "uploads" in q and method == "POST":
                self.upload_count += 1
                upload = f"up/load+{self.upload_count}="
                self.uploads[upload] = (name, {}, headers["content-type"])
                return 200, f"<InitiateMultipartUploadResult><UploadId>{upload}</UploadId></InitiateMultipartUploadResult>".encode(), {}
            if q["uploadId"] not in self.uploads or self.uploads[q["uploadId"]][0] != name:
                raise Refusal(404, "NoSuchUpload")
            parts = self.uploads[q["uploadId"]][1]
            if method == "PUT":
                parts[int(q["partNumber"])] = body
                return 200, b"", {"ETag": self.etag(body)}
            del self.uploads[q["uploadId"]]
            if method == "DELETE":
                return 204, b"", {}
            asked = re.findall("<PartNumber>([0-9]+)</PartNumber><ETag>([^<]+)</ETag>", body.decode())
            if not asked or any(self.etag(parts[int(i)]) != etag for i, etag in asked) or any(len(parts[int(i)]) < 5 << 20 for i, _ in asked[:-1]):
                return 200, b" \n<?xml version='1.0'?><Error><Code>InvalidPart</Code></Error>", {}
            self.objects[name] = b"".join(parts[int(i)] for i, _ in asked)
            return 200, b"<CompleteMultipartUploadResult/>", {}

    def list(self, bucket, q):
        keys = sorted(k for b, k in self.objects if b == bucket and k.startswith(q["prefix"]))
        at = int(q.get("continuation-token", "0/")[:-1])
        page = keys[at:at + min(int(q["max-keys"]), self.page_keys)]
        more = at + len(page) < len(keys)
        items = "".join(f"<Contents><Key>{escape(k)}</Key><Size>{len(self.objects[bucket, k])}</Size>"
                        f"<ETag>{escape(self.etag(self.objects[bucket, k]))}</ETag>"
                        "<LastModified>2026-11-20T10:00:00.000Z</LastModified></Contents>" for k in page)
        token = f"<NextContinuationToken>{at + len(page)}/</NextContinuationToken>" if more else ""
        return 200, ("<?xml version='1.0'?><ListBucketResult xmlns='http://s3.amazonaws.com/doc/2006-03-01/'>"
                     f"<IsTruncated>{str(more).lower()}</IsTruncated>{items}{token}</ListBucketResult>").encode(), {}

    def etag(self, data):
        if id(data) not in self.etags:
            self.etags[id(data)] = data, f'"{hashlib.md5(data).hexdigest()}"'
        return self.etags[id(data)][1]

    def read(self, name, headers, etag_name):
        data = self.objects.get(name)
        if data is None:
            raise Refusal(404, "NoSuchKey")
        answer = {etag_name: self.etag(data), "Last-Modified": "Fri, 20 Nov 2026 10:00:00 GMT"}
        if headers.get("if-match", answer[etag_name]) != answer[etag_name]:
            raise Refusal(412, "PreconditionFailed")
        match = re.fullmatch(r"bytes=(\d+)-(\d*)", headers.get("range", ""))
        if not match or self.no_ranges:
            return 200, data, answer
        first, last = int(match[1]), int(match[2] or len(data) - 1)
        if first >= len(data):
            raise Refusal(416, "InvalidRange", {"Content-Range": f"bytes */{len(data)}"})
        last = min(last, len(data) - 1)
        answer["Content-Range"] = f"bytes {first}-{last}/{len(data)}"
        return 206, memoryview(data)[first:last + 1], answer
