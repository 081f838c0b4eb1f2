"""gs:// and Azure's addresses against small servers of our own, which check tokens and signatures themselves."""

import base64
import datetime
import hashlib
import json
import os
import re
import time
import urllib.parse

import store_clients as c
from cases import must, run_all
from command_line import CANNOT_WRITE, NOTHING, OK, expect, logdir, long_names, read, run, write
from object_server import ACCESS, SECRET, ObjectServer, sign
from rsa_key import RsaKey


def files_of(folder):
    for path, _, names in os.walk(folder):
        for name in names:
            yield os.path.join(path, name)


def same_as_local(local, address, folder, env):
    there, here = os.path.join(folder, "there.json"), os.path.join(folder, "here.json")
    expect(OK, address, "-o", there, "-q", **env)
    expect(OK, local, "-o", here, "-q")
    must(read(there) == read(here), address, "another report")


class Google:
    """Google's JSON interface over the objects of a server: two keys a page, a token that must be right."""

    def __init__(self, server, token):
        self.server, self.token = server, token
        server.handlers = {"/storage/v1/b/": self.read, "/upload/": self.write}

    def denied(self, headers):
        if headers.get("authorization") == f"Bearer {self.token}":
            return None
        return (401 if "authorization" in headers else 403, b'{"error": {"code": 401}}', {})

    def read(self, method, path, headers, __):
        if self.denied(headers):
            return self.denied(headers)
        name, _, query = path.partition("?")
        parts = name.split("/", 6)
        q = dict(urllib.parse.parse_qsl(query, keep_blank_values=True))
        bucket = urllib.parse.unquote(parts[4])
        if len(parts) > 6:
            if method == "DELETE":
                return (204, b"", {}) if self.server.objects.pop((bucket, urllib.parse.unquote(parts[6])), None) is not None else (404, b"", {})
            found = self.server.objects.get((bucket, urllib.parse.unquote(parts[6])))
            if found is None or q.get("alt") != "media" or headers.get("accept-encoding") != "gzip":
                return 404, b"", {}
            first, last = headers["range"][len("bytes="):].split("-")
            part = found[int(first):int(last or len(found)) + 1]
            return 206, part, {"Content-Range": f"bytes {first}-{int(first) + len(part) - 1}/{len(found)}"}
        keys = sorted(k for b, k in self.server.objects if b == bucket and k.startswith(q["prefix"]))
        at = int(q.get("pageToken", "0"))
        items = [{"name": k, "size": str(len(self.server.objects[bucket, k])), "updated": "2026-11-20T10:00:00.000Z"} for k in keys[at:at + 2]]
        answer = {"items": items} if items else {}
        if at + 2 < len(keys):
            answer["nextPageToken"] = str(at + 2)
        return 200, json.dumps(answer).encode(), {}

    def write(self, method, path, headers, body):
        if self.denied(headers):
            return self.denied(headers)
        name, _, query = path.partition("?")
        self.server.objects[name.split("/")[5], dict(urllib.parse.parse_qsl(query))["name"]] = body
        return (200, b"{}", {}) if method == "POST" else (405, b"", {})


def google(folder):
    local = logdir(folder, hosts=("vm 1", "vm2", "vmü3"))
    with ObjectServer() as s:
        for file in files_of(local):
            s.objects["bucket", "step=1/x:y/" + os.path.relpath(file, folder)] = read(file)
        Google(s, "right.token")
        env = {"STORAGE_EMULATOR_HOST": s.url, "HOME": folder, "CLOUDSDK_AUTH_ACCESS_TOKEN": "right.token"}
        same_as_local(local, "gs://bucket/step=1/x:y/cnn", folder, env)
        must(len([path for _, path, _ in s.requests if "prefix" in path]) == 2, "pages of the listing")
        expect(OK, local, "-o", "gs://bucket/out/r 1.html", **env)
        must(s.objects["bucket", "out/r 1.html"].startswith(b"<!doctype html>"), "nothing written")
        for _ in range(2):
            expect(OK, local, "-o", "gs://bucket/tables.csv/", **env)
            must(sum(key.startswith("tables.csv/") for _, key in s.objects) > 5, "no tables")
            s.objects["bucket", "tables.csv/.tpreport"] += b"old.csv\n"
            s.objects["bucket", "tables.csv/old.csv"] = b""
        expect(OK, local, "-o", "gs://bucket/tables.csv/", **env)
        must(("bucket", "tables.csv/old.csv") not in s.objects, "what is old stays")
        expect(NOTHING, "gs://bucket/none", says="gs://bucket/none: not found", **env)
        env["CLOUDSDK_AUTH_ACCESS_TOKEN"] = "wrong.token"
        done = expect(NOTHING, "gs://bucket/step=1", says="the token of CLOUDSDK_AUTH_ACCESS_TOKEN has expired or is wrong", **env)
        must(b"wrong.token" not in done.stderr, "a token is shown")
        del env["CLOUDSDK_AUTH_ACCESS_TOKEN"]
        expect(NOTHING, "gs://bucket/step=1", says="no token was found", **env)


def google_services(folder):
    """Tokens from the machine's service, for a refresh token, and keys of HMAC."""
    local = logdir(folder)

    def machine(_, __, headers, ___):
        return (200, b'{"access_token": "of.machine", "expires_in": 3599}', {}) if headers.get("metadata-flavor") == "Google" else (403, b"", {})

    def refresh(_, __, ___, body):
        fields = dict(urllib.parse.parse_qsl(body.decode()))
        good = fields == {"grant_type": "refresh_token", "client_id": "i", "client_secret": "s+/", "refresh_token": "r"}
        return (200, b'{"access_token": "of.user", "expires_in": 3599}', {}) if good else (400, b"", {})

    with ObjectServer() as s:
        for file in files_of(local):
            s.objects["bucket", os.path.relpath(file, folder)] = read(file)
        store = Google(s, "of.machine")
        s.handlers["/computeMetadata/"] = machine
        s.handlers["/token"] = refresh
        env = {"STORAGE_EMULATOR_HOST": s.url, "HOME": folder, "GCE_METADATA_HOST": f"127.0.0.1:{s.port}"}
        expect(OK, "gs://bucket/cnn", **env)
        store.token = "of.user"
        user = {"type": "authorized_user", "client_id": "i", "client_secret": "s+/", "refresh_token": "r", "token_uri": s.url + "/token"}
        file = write(os.path.join(folder, "gcloud/application_default_credentials.json"), json.dumps(user).encode())
        expect(OK, "gs://bucket/cnn", CLOUDSDK_CONFIG=os.path.dirname(file), **env)
        expect(OK, "gs://bucket/cnn", **{**env, "GOOGLE_APPLICATION_CREDENTIALS": file, "GCE_METADATA_HOST": "127.0.0.1:1"})
        env["GOOGLE_APPLICATION_CREDENTIALS"] = file
        done = expect(NOTHING, "gs://bucket/cnn", says=["no token is given for it", "application-default login"],
                      **{**env, "GOOGLE_APPLICATION_CREDENTIALS": write(file + "2", json.dumps({**user, "client_secret": "xq7oid"}).encode())})
        must(b"xq7oid" not in done.stderr, "a secret is shown")
        write(file, b'{"type": "gdch_service_account"}')
        expect(NOTHING, "gs://bucket/cnn", says="holds credentials of kind gdch_service_account, which cannot be used", **env)
        del env["GOOGLE_APPLICATION_CREDENTIALS"]
        s.handlers = {}
        expect(OK, "gs://bucket/cnn", GS_ACCESS_KEY_ID=ACCESS, GS_SECRET_ACCESS_KEY=SECRET, **env)
        expect(NOTHING, "gs://bucket/cnn", says="the secret key is wrong", GS_ACCESS_KEY_ID=ACCESS, GS_SECRET_ACCESS_KEY="x", **env)


def google_service_account(folder):
    """The key signs who asks; the server checks that by arithmetic."""
    local, key = logdir(folder), RsaKey()

    def decoded(part):
        return base64.urlsafe_b64decode(part + "=" * (-len(part) % 4))

    def sell(_, __, ___, body):
        fields = dict(urllib.parse.parse_qsl(body.decode()))
        signed, _, signature = fields["assertion"].rpartition(".")
        header, claims = (json.loads(decoded(part)) for part in signed.split("."))
        good = (fields["grant_type"] == "urn:ietf:params:oauth:grant-type:jwt-bearer" and header == {"alg": "RS256", "typ": "JWT", "kid": "k1"} and
                claims["iss"] == "reader@p.iam.gserviceaccount.com" and claims["aud"] == s.url + "/token" and
                claims["scope"].endswith("/auth/devstorage.read_write") and abs(claims["iat"] - time.time()) < 60 and
                claims["exp"] == claims["iat"] + 3600 and key.verifies(signed.encode(), decoded(signature)))
        return (200, b'{"access_token": "of.account", "expires_in": 3599}', {}) if good else (400, b'{"error": "invalid_grant"}', {})

    with ObjectServer() as s:
        for file in files_of(local):
            s.objects["bucket", os.path.relpath(file, folder)] = read(file)
        Google(s, "of.account")
        s.handlers["/token"] = sell
        account = {"type": "service_account", "client_email": "reader@p.iam.gserviceaccount.com", "private_key_id": "k1", "private_key": key.pem,
                   "token_uri": s.url + "/token"}
        file = os.path.join(folder, "key.json")
        env = {"STORAGE_EMULATOR_HOST": s.url, "HOME": folder, "GOOGLE_APPLICATION_CREDENTIALS": file, "GCE_METADATA_HOST": "127.0.0.1:1"}
        for says, change in (
                (None, {}),
                ("no token is given for the key of service account reader@p.iam.gserviceaccount.com", {"private_key": RsaKey(2).pem}),
                ("key.json: it holds no private key that can be read", {"private_key": "xq7oid"})):
            write(file, json.dumps({**account, **change}).encode())
            done = expect(NOTHING if says else OK, "gs://bucket/cnn", says=says or "", **env)
            must(b"xq7oid" not in done.stderr and b"PRIVATE" not in done.stderr, "a secret is shown")
        write(file, json.dumps(account).encode())
        for name in ("libcrypto.so.3", "libcrypto.so.1.1", "libcurl.so.4"):
            write(os.path.join(folder, "lib", name), b"none")
        done = run("gs://bucket/cnn", LD_LIBRARY_PATH=os.path.join(folder, "lib"), **env)
        must(b"libcurl is not installed" in done.stderr or b"apt-get install libssl3" in done.stderr, "without libcrypto:", done.stderr)


EMPTY_SHA256 = hashlib.sha256(b"").hexdigest()
AUDIENCE = "//iam.googleapis.com/projects/1/locations/global/workloadIdentityPools/pool/providers/p"
JWT = "urn:ietf:params:oauth:token-type:jwt"
AWS_REQUEST = "urn:ietf:params:aws:token-type:aws4_request"


class Federation:
    """Google's token service and that for service accounts, and what vouches for who asks: an identity provider, AWS's machine."""

    def __init__(self, server):
        self.server, self.asked, self.basic, self.options = server, [], None, None
        server.handlers |= {"/sts": self.exchange, "/oauthtoken": self.refresh, "/act/": self.act, "/idp": self.idp, "/aws/": self.aws}

    def vouched(self, kind, token):
        if kind != AWS_REQUEST:
            return token == "xq7oid.subject"
        asked = json.loads(urllib.parse.unquote(token))
        headers = {h["key"].lower(): h["value"] for h in asked["headers"]}
        fields = dict(part.strip().split("=", 1) for part in headers["authorization"].removeprefix("AWS4-HMAC-SHA256 ").split(","))
        scope = fields["Credential"].split("/", 1)[1]
        url = urllib.parse.urlsplit(asked["url"])
        want = sign("aws secret", ("POST", url.path or "/", url.query, headers), scope, headers["x-amz-date"], fields["SignedHeaders"], EMPTY_SHA256)
        return (fields["Signature"] == want and asked["method"] == "POST" and headers["x-goog-cloud-target-resource"] == AUDIENCE and
                "x-goog-cloud-target-resource" in fields["SignedHeaders"] and headers["host"] == "sts.eu-west-1.amazonaws.com" and
                url.netloc == headers["host"] and url.query == "Action=GetCallerIdentity&Version=2011-06-15" and
                scope.split("/")[1:] == ["eu-west-1", "sts", "aws4_request"] and headers["x-amz-security-token"] == "aws token")

    def exchange(self, _, __, headers, body):
        form = dict(urllib.parse.parse_qsl(body.decode()))
        self.asked.append(form)
        good = (form["grant_type"] == "urn:ietf:params:oauth:grant-type:token-exchange" and form["audience"] == AUDIENCE and
                form["requested_token_type"] == "urn:ietf:params:oauth:token-type:access_token" and headers.get("authorization") == self.basic and
                form.get("options") == self.options and self.vouched(form["subject_token_type"], form["subject_token"]))
        return (200, b'{"access_token": "of.pool", "expires_in": 3599, "token_type": "Bearer"}', {}) if good else (400, b'{"error": "invalid_grant"}', {})

    def refresh(self, _, __, headers, body):
        good = dict(urllib.parse.parse_qsl(body.decode())) == {"grant_type": "refresh_token", "refresh_token": "r"} and headers.get("authorization") == self.basic
        return (200, b'{"access_token": "of.workforce", "expires_in": 3599}', {}) if good else (400, b"", {})

    def act(self, _, path, headers, body):
        self.asked.append(json.loads(body))
        soon = (datetime.datetime.now(datetime.timezone.utc) + datetime.timedelta(hours=1)).strftime("%Y-%m-%dT%H:%M:%SZ")
        if headers.get("authorization") not in ("Bearer of.pool", "Bearer of.user") or path != "/act/reader:generateAccessToken":
            return 403, b"", {}
        return 200, json.dumps({"accessToken": "of.account", "expireTime": soon}).encode(), {}

    @staticmethod
    def idp(_, __, headers, ___):
        return (200, b'{"value": "xq7oid.subject"}', {}) if headers.get("metadata") == "True" else (400, b"", {})

    @staticmethod
    def aws(method, path, headers, _):
        if method == "PUT":
            return 200, b"session", {}
        return (200, b"eu-west-1c", {}) if path == "/aws/zone" and headers.get("x-aws-ec2-metadata-token") == "session" else (401, b"", {})


def google_external_account(folder):
    """Who is known to another service: by a token in a file, at an address, of a program, by AWS's keys; as itself and for a service account."""
    local = logdir(folder)
    subject = write(os.path.join(folder, "subject"), b"xq7oid.subject\n")
    in_json = write(os.path.join(folder, "subject.json"), b'{"id_token": "xq7oid.subject"}')
    file = os.path.join(folder, "credentials.json")
    with ObjectServer() as s:
        for path in files_of(local):
            s.objects["bucket", os.path.relpath(path, folder)] = read(path)
        store = Google(s, "of.pool")
        google = Federation(s)
        account = {"type": "external_account", "audience": AUDIENCE, "subject_token_type": JWT, "token_url": s.url + "/sts", "credential_source": {"file": subject}}
        acting = {"service_account_impersonation_url": s.url + "/act/reader:generateAccessToken"}
        env = {"STORAGE_EMULATOR_HOST": s.url, "HOME": folder, "GOOGLE_APPLICATION_CREDENTIALS": file, "GCE_METADATA_HOST": "127.0.0.1:1"}
        keys = {"AWS_ACCESS_KEY_ID": "AKID", "AWS_SECRET_ACCESS_KEY": "aws secret", "AWS_SESSION_TOKEN": "aws token"}

        def tries(change, says=None, token="of.pool", **more):
            store.token = token
            google.asked.clear()
            write(file, json.dumps({**account, **change}).encode())
            done = expect(NOTHING if says else OK, "gs://bucket/cnn", says=says or "", **env, **more)
            must(b"xq7oid" not in done.stderr, "a secret is shown")

        def source(**of):
            return {"credential_source": of}

        tries({})
        must(google.asked[0]["scope"].endswith("/auth/devstorage.read_write"), google.asked)
        tries(source(file=in_json, format={"type": "json", "subject_token_field_name": "id_token"}))
        url = source(url=s.url + "/idp", headers={"Metadata": "True"}, format={"type": "json", "subject_token_field_name": "value"})
        tries(url)
        aws = {"subject_token_type": AWS_REQUEST, **source(environment_id="aws1", region_url=s.url + "/aws/zone", imdsv2_session_token_url=s.url + "/aws/session",
                                                          regional_cred_verification_url="https://sts.{region}.amazonaws.com?Action=GetCallerIdentity&Version=2011-06-15")}
        tries(aws, **keys)
        tries({**aws, **source(environment_id="aws1")}, AWS_REGION="eu-west-1", **keys)
        script = write(os.path.join(folder, "it's a program"), f"""test "$GOOGLE_EXTERNAL_ACCOUNT_AUDIENCE $GOOGLE_EXTERNAL_ACCOUNT_TOKEN_TYPE" = "{AUDIENCE} {JWT}" &&
            test "$GOOGLE_EXTERNAL_ACCOUNT_INTERACTIVE $1" = "0 x" && cat {in_json}""".encode())
        program = source(executable={"command": f'sh "{script}" x'})
        tries(program, GOOGLE_EXTERNAL_ACCOUNT_ALLOW_EXECUTABLES="1")
        tries({**url, **acting, "service_account_impersonation": {"token_lifetime_seconds": 2800}}, token="of.account")
        must(google.asked[0]["scope"].endswith("/auth/cloud-platform") and google.asked[1]["lifetime"] == "2800s" and
             google.asked[1]["scope"] == ["https://www.googleapis.com/auth/devstorage.read_write"], google.asked)
        google.options = '{"userProject":"77"}'
        tries({"workforce_pool_user_project": "77"})
        google.options, google.basic = None, "Basic " + base64.b64encode(b"i:s+/").decode()
        client = {"client_id": "i", "client_secret": "s+/"}
        tries({"workforce_pool_user_project": "77", **client})
        user = {"type": "external_account_authorized_user", "token_url": s.url + "/oauthtoken", "refresh_token": "r", **client}
        tries(user, token="of.workforce")
        tries({**user, "refresh_token": "xq7oid"}, "no token is given for it: gcloud auth application-default login")
        google.basic = None
        s.handlers["/token"] = lambda *_: (200, b'{"access_token": "of.user", "expires_in": 3599}', {})
        by_user = {"type": "impersonated_service_account", **acting, "delegates": ["a@p"], "source_credentials": {
            "type": "authorized_user", "client_id": "i", "client_secret": "s", "refresh_token": "r", "token_uri": s.url + "/token"}}
        tries(by_user, token="of.account")
        must(google.asked[0]["delegates"] == ["a@p"], google.asked)
        for change, says, more in (
                (source(file=os.path.join(folder, "none")), "none holds no token", {}), (source(), "does not say where its token comes from", {}),
                (source(environment_id="aws2"), "in a way that tpreport does not know", {}), (source(url=s.url + "/nobody"), "/nobody gives no token", {}),
                (source(file=in_json), "Google gives no token for that of audience " + AUDIENCE, {}),
                (program, "runs only with GOOGLE_EXTERNAL_ACCOUNT_ALLOW_EXECUTABLES=1", {}),
                (source(executable={"command": "false"}), "prints no token", {"GOOGLE_EXTERNAL_ACCOUNT_ALLOW_EXECUTABLES": "1"}),
                ({**aws, **source(environment_id="aws1")}, "the AWS region is unknown", keys),
                (aws, "Google gives no token", {**keys, "AWS_SECRET_ACCESS_KEY": "xq7oid"}),
                ({"service_account_impersonation_url": s.url + "/act/other:generateAccessToken"}, "no token of its service account is given", {}),
                ({**by_user, "source_credentials": by_user}, "kind impersonated_service_account, which cannot be used", {})):
            tries(change, says, **more)


class Azure:
    """Blobs over the objects of a server; who is let in, `by` decides: (method, path, headers, body) → bool."""

    def __init__(self, server, by):
        self.server, self.by, self.blocks = server, by, {}
        server.handlers = {f"/{c.AZURE_ACCOUNT}/": self.handle}

    def handle(self, method, path, headers, body):
        bare, _, query = path.partition("?")
        q = dict(urllib.parse.parse_qsl(query, keep_blank_values=True))
        _, _, container, *key = bare.split("/", 3)
        if not self.by(method, path, headers, body):
            return 403, b"", {"x-ms-error-code": "AuthenticationFailed"}
        name = (container, urllib.parse.unquote(key[0]) if key else "")
        if method == "PUT" and q.get("comp") == "block":
            self.blocks[name, q["blockid"]] = body
            return 201, b"", {}
        if method == "PUT" and q.get("comp") == "blocklist":
            self.server.objects[name] = b"".join(self.blocks[name, block] for block in re.findall("<Latest>([^<]+)</Latest>", body.decode()))
            return (201, b"", {}) if headers.get("x-ms-blob-content-type") == "application/octet-stream" else (400, b"", {})
        if method == "DELETE":
            return (202, b"", {}) if self.server.objects.pop(name, None) is not None else (404, b"", {"x-ms-error-code": "BlobNotFound"})
        if method == "PUT":
            self.server.objects[name] = body
            return (201, b"", {}) if headers.get("x-ms-blob-type") == "BlockBlob" else (400, b"", {})
        if q.get("comp") == "list":
            keys = sorted(k for b, k in self.server.objects if b == container and k.startswith(q["prefix"]))
            at = int(q.get("marker", "0"))
            blobs = "".join(f"<Blob><Name>{k}</Name><Properties><Last-Modified>Fri, 20 Nov 2026 10:00:00 GMT</Last-Modified>"
                            f"<Content-Length>{len(self.server.objects[container, k])}</Content-Length></Properties></Blob>" for k in keys[at:at + 2])
            more = str(at + 2) if at + 2 < len(keys) else ""
            return 200, f"<EnumerationResults><Blobs>{blobs}</Blobs><NextMarker>{more}</NextMarker></EnumerationResults>".encode(), {}
        found = self.server.objects.get(name)
        if found is None:
            return 404, b"", {"x-ms-error-code": "BlobNotFound"}
        first, last = headers["range"][len("bytes="):].split("-")
        part = found[int(first):int(last or len(found)) + 1]
        return 206, part, {"Content-Range": f"bytes {first}-{int(first) + len(part) - 1}/{len(found)}", "ETag": '"0x1"'}


def shared_key(server):
    """The signature as https://learn.microsoft.com/rest/api/storageservices/authorize-with-shared-key has it."""
    def check(method, path, headers, _):
        bare, _, query = path.partition("?")
        own = "".join(f"{n}:{headers[n]}\n" for n in sorted(headers) if n.startswith("x-ms-"))
        size = headers.get("content-length", "0")
        named = [headers.get(n, "") for n in ("if-modified-since", "if-match", "if-none-match", "if-unmodified-since", "range")]
        text = "\n".join([method, "", "", "" if size == "0" else size, "", headers.get("content-type", ""), "", *named, own])
        text += f"/{c.AZURE_ACCOUNT}{bare}"
        text += "".join(f"\n{n}:{v}" for n, v in sorted(urllib.parse.parse_qsl(query, keep_blank_values=True)))
        late = abs((server.now() - c.date_of(headers["x-ms-date"])).total_seconds()) > 900
        return not late and headers.get("authorization") == f"SharedKey {c.AZURE_ACCOUNT}:{c.azure_hmac(text)}"
    return check


def azure(folder):
    local = logdir(folder, hosts=("vm 1", "vm2", "vmü3"))
    with ObjectServer() as s:
        for file in files_of(local):
            s.objects["logs", "step=1/x:y/" + os.path.relpath(file, folder)] = read(file)
        store = Azure(s, shared_key(s))
        endpoint = f"{s.url}/{c.AZURE_ACCOUNT}"
        env = {"AZURE_STORAGE_CONNECTION_STRING": f"AccountName={c.AZURE_ACCOUNT};AccountKey={c.AZURE_KEY};BlobEndpoint={endpoint}/"}
        same_as_local(local, "az://logs/step=1/x:y/cnn", folder, env)
        same_as_local(local, endpoint + "/logs/step=1/x:y/cnn", folder, env)
        expect(OK, local, "-o", "az://logs/out/r 1.html", **env)
        must(s.objects["logs", "out/r 1.html"].startswith(b"<!doctype html>"), "nothing written")
        for _ in range(2):
            expect(OK, local, "-o", "az://logs/tables.csv/", **env)
        must(sum(key.startswith("tables.csv/") for _, key in s.objects) > 5, "no tables")
        large = os.path.join(folder, "r.perfetto-trace")
        expect(OK, long_names(folder), "-o", "az://logs/out/r 1.perfetto-trace", "-o", large, **env)
        must(s.objects["logs", "out/r 1.perfetto-trace"] == read(large) and len(store.blocks) == 3, "blocks:", len(store.blocks))
        expect(NOTHING, "az://logs/none", says="az://logs/none: not found", **env)
        s.clock = datetime.timedelta(hours=3)
        expect(OK, "az://logs/step=1/x:y/cnn", **env)
        s.clock = datetime.timedelta()
        store.by = lambda _, path, headers, __: "sv=1&sig=xq7oi%2B" in path and "authorization" not in headers
        done = expect(OK, endpoint + "/logs/step=1/x:y/cnn?sv=1&sig=xq7oi%2B", "-v", "-o", "-", "--format", "json", **env)
        must(b"xq7oi" not in done.stdout + done.stderr, "a signature is shown")
        done = expect(NOTHING, endpoint + "/logs/step=1?sv=1&sig=xq7oi", says="the shared access signature has expired", **env)
        must(b"xq7oi" not in done.stderr, "a signature is shown")
        expect(CANNOT_WRITE, local, "-o", endpoint + "/logs/r.html?sv=1&sig=xq7oi", says="cannot write: access denied", **env)


def azure_services(folder):
    """Tokens of an application, by a secret and by the cluster's token, and of the machine."""
    local = logdir(folder)
    with ObjectServer() as s:
        for file in files_of(local):
            s.objects["logs", os.path.relpath(file, folder)] = read(file)
        Azure(s, lambda _, __, headers, ___: headers.get("authorization") == "Bearer good")
        good = 200, b'{"access_token": "good", "expires_in": "3599"}', {}
        s.handlers["/metadata/identity/"] = lambda _, path, headers, __: good if headers.get("metadata") == "true" and \
            "resource=https%3A%2F%2Fstorage.azure.com" in path else (400, b"", {})
        s.handlers["/tenant/oauth2/v2.0/token"] = lambda _, __, ___, body: good if b"client_secret=s%2B" in body or \
            b"client_assertion=of.cluster" in body else (400, b"", {})
        env = {"AZURE_STORAGE_CONNECTION_STRING": f"BlobEndpoint={s.url}/{c.AZURE_ACCOUNT}", "AZURE_POD_IDENTITY_AUTHORITY_HOST": s.url}
        expect(OK, "az://logs/cnn", **env)
        env.update(AZURE_POD_IDENTITY_AUTHORITY_HOST="http://127.0.0.1:1", AZURE_AUTHORITY_HOST=s.url + "/", AZURE_TENANT_ID="tenant",
                   AZURE_CLIENT_ID="id")
        expect(OK, "az://logs/cnn", AZURE_CLIENT_SECRET="s+", **env)
        token = write(os.path.join(folder, "token"), b"of.cluster\n")
        expect(OK, "az://logs/cnn", AZURE_FEDERATED_TOKEN_FILE=token, **env)
        expect(NOTHING, "az://logs/cnn", says="nothing to sign in with was found", **env)
        must(run("az://logs/cnn", AZURE_STORAGE_CONNECTION_STRING="").stderr.count(b"which account") == 1, "no account")


if __name__ == "__main__":
    run_all([google, google_services, google_service_account, google_external_account, azure, azure_services])
