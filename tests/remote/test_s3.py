"""s3:// against a small server of our own, which checks each signature itself: names, pages, parts, faults, refusals, outputs."""

import datetime
import hashlib
import json
import os
import re
import signal
import subprocess
import time
import urllib.parse

from cases import must, run_all
from command_line import CANNOT_WRITE, NOTHING, OK, PROGRAM, USAGE, expect, left, logdir, long_names, padded, read, run, write
from object_server import SECRET, ObjectServer, sign


def upload(server, folder, bucket, prefix):
    """All files below a folder, below a prefix."""
    for path, _, names in os.walk(folder):
        for name in names:
            file = os.path.join(path, name)
            key = os.path.join(prefix, os.path.relpath(file, folder))
            server.objects[bucket, key] = read(file)


def report(path, out, **env):
    expect(OK, path, "-o", out, "-q", **env)
    return read(out)


def same_as_local(server, local, address, folder, says):
    there = report(address, os.path.join(folder, "there.json"), **server.env())
    here = report(local, os.path.join(folder, "here.json"))
    must(there == here, says)


def names_of_all_kinds(folder):
    """The job is named by its folder, so both reports are the same byte by byte."""
    local = logdir(folder, hosts=("vm 1", "vmü+2%20", "a&b=c;d"))
    with ObjectServer() as s:
        for prefix in ("", "logs/", "step=100/x:y/", "with space/ünï/", "a//b/", "100%/+/"):
            upload(s, local, "my.bucket-1", prefix + "cnn")
            same_as_local(s, local, f"s3://my.bucket-1/{prefix}cnn", folder, prefix)
            same_as_local(s, local, f"s3://my.bucket-1/{prefix}cnn/", folder, prefix)
        same_as_local(s, local, "s3a://my.bucket-1/logs/cnn", folder, "s3a")


def one_object(folder):
    local = os.path.join(logdir(folder), "plugins/profile/2026_11_21_02_41_41/vm.xplane.pb")
    with ObjectServer() as s:
        s.objects["b", "vm.xplane.pb"] = read(local)
        must(run("s3://b/vm.xplane.pb", **s.env()).stdout.split(b"\n")[1:] == run(local).stdout.split(b"\n")[1:], "one object")
        must(len(s.requests) == 1, "small objects take one request:", s.requests)


def only_what_is_read_is_fetched(folder):
    local = logdir(folder)
    with ObjectServer() as s:
        upload(s, local, "b", "cnn")
        for name in ("ckpt/model.safetensors", "ckpt/step_1.pt", "train.log", "cnn/"):
            s.objects["b", "cnn/" + name] = b"x" * 100000
        expect(OK, "s3://b/cnn", **s.env())
        asked = [path for _, path, _ in s.requests if "/b/" in path]
        must(not any("ckpt" in path or "train" in path for path in asked), "fetched:", asked)


def many_pages(folder):
    local = logdir(folder)
    with ObjectServer() as s:
        upload(s, local, "b", "cnn")
        for i in range(10000):
            s.objects["b", f"cnn/ckpt/part {i:05}.bin"] = b""
        same_as_local(s, local, "s3://b/cnn", folder, "10,000 objects")
        pages = [path for _, path, _ in s.requests if "list-type" in path]
        must(len(pages) == 11, "pages:", len(pages))


def broken_connections(folder):
    """Each connection breaks within 64 KB, also while pages are listed: the same bytes come."""
    size = 12 << 20
    local = padded(logdir(folder, hosts=("vm0", "vm1")), size)
    with ObjectServer() as s:
        upload(s, local, "b", "cnn")
        for i in range(1500):
            s.objects["b", f"cnn/ckpt/a rather long name of a part of a checkpoint {i:05}.bin"] = b""
        s.cut_bytes = 65536 - 13
        same_as_local(s, local, "s3://b/cnn", folder, "a connection cut in every 64 KB")
        must(len(s.requests) > 2 * size // 65536, "nothing broke:", len(s.requests))


def runs_by_their_time(folder):
    """Of several runs the files are looked at for when they began; all at a time, and the newest is reported."""
    for name, began in (("first", 3), ("second", 9), ("third", 5)):
        trace = {"schemaVersion": 1, "baseTimeNanoseconds": (1764000000 + began) * 10**9, "traceEvents": [
            {"ph": "X", "cat": "cpu_op", "name": "aten::mm", "pid": 1, "tid": 1, "ts": 10.0, "dur": 5.0}]}
        write(os.path.join(folder, "tb", name, "host_1.1764000000000.pt.trace.json"), json.dumps(trace).encode())
    with ObjectServer() as s:
        upload(s, os.path.join(folder, "tb"), "b", "tb")
        same_as_local(s, os.path.join(folder, "tb"), "s3://b/tb", folder, "the newest run")
        must(b"second" in read(os.path.join(folder, "there.json")), "another run")


def busy_server(folder):
    local = logdir(folder)
    with ObjectServer() as s:
        upload(s, local, "b", "cnn")
        s.busy = [503, 429, 500]
        same_as_local(s, local, "s3://b/cnn", folder, "a busy server")
        s.busy = [503] * 20
        expect(NOTHING, "s3://b/cnn", says=["s3://b/cnn", "503", "SlowDown"], **s.env())


def in_parts(folder):
    """Larger than a part: several at a time, of the same version."""
    local = padded(logdir(folder), 20 << 20)
    name = "vm.xplane.pb.gz"
    size = os.path.getsize(os.path.join(local, "plugins/profile/2026_11_21_02_41_41", name))
    with ObjectServer() as s:
        upload(s, local, "b", "cnn")
        same_as_local(s, local, "s3://b/cnn", folder, "parts")
        parts = [h["range"] for _, path, h in s.requests if path.endswith(name)]
        must(len(parts) == -(-size // (8 << 20)), "parts:", parts)
        must(all("if-match" in h for _, path, h in s.requests if path.endswith(name)), "parts of any version")


def refused(folder):
    local = logdir(folder)
    with ObjectServer() as s:
        upload(s, local, "b", "cnn")
        for says, env in (
                ("the secret key is wrong", {"AWS_SECRET_ACCESS_KEY": "wrong"}),
                ("does not know the access key", {"AWS_ACCESS_KEY_ID": "AKIDOTHER"}),
                ("no keys were found", {"AWS_ACCESS_KEY_ID": None}),
                ("cannot connect", {"AWS_ENDPOINT_URL": "http://127.0.0.1:1"})):
            done = expect(NOTHING, "s3://b/cnn", says=["s3://b/cnn", says], **s.env(**env))
            must(done.stderr.count(b"\n") == 1, "more than one line:", done.stderr)
            must(SECRET.encode() not in done.stderr, "a secret is shown")
        expect(NOTHING, "s3://b/no", says="s3://b/no: not found", **s.env())
        expect(NOTHING, "s3://none/no", says="there is no bucket of this name", **s.env())
        s.token = "fresh"
        expect(NOTHING, "s3://b/cnn", says="have expired", **s.env(AWS_SESSION_TOKEN="stale"))
        expect(OK, "s3://b/cnn", **s.env(AWS_SESSION_TOKEN="fresh"))
        s.token, s.open_to_all = None, True
        expect(OK, "s3://b/cnn", **s.env(AWS_ACCESS_KEY_ID=None))


def another_region(folder):
    local = logdir(folder)
    for malformed in (False, True):
        with ObjectServer() as s:
            upload(s, local, "b", "cnn")
            s.regions, s.malformed = {"b": "eu-west-3"}, malformed
            same_as_local(s, local, "s3://b/cnn", folder, "a redirect to another region")
            s.regions = {"b": "not.a/region"}
            expect(NOTHING, "s3://b/cnn", says="another region: set AWS_REGION", **s.env())


def clock_skew(folder):
    local = logdir(folder)
    for hours in (-30, 5):
        with ObjectServer() as s:
            s.clock = datetime.timedelta(hours=hours)
            upload(s, local, "b", "cnn")
            same_as_local(s, local, "s3://b/cnn", folder, "a clock that is wrong")


def settings(folder):
    """Where the tools of AWS and TensorFlow's and PyTorch's plugins look."""
    local = logdir(folder)
    with ObjectServer() as s:
        upload(s, local, "b", "cnn")
        s.keys["AKIDPROFILE"] = "profile secret"
        aws = write(os.path.join(folder, "home/.aws/credentials"),
                    b"[default]\naws_access_key_id = wrong\naws_secret_access_key = wrong\n"
                    b"[dev]\naws_access_key_id=AKIDPROFILE\n  aws_secret_access_key=ignored\naws_secret_access_key = profile secret\n")
        config = write(os.path.join(folder, "home/.aws/config"),
                       f"[profile dev]\nregion = ap-south-1\nendpoint_url = {s.url}\n".encode())
        none = {"AWS_ACCESS_KEY_ID": None, "AWS_SECRET_ACCESS_KEY": None, "AWS_PROFILE": "dev"}
        s.regions = {"b": "ap-south-1"}
        expect(OK, "s3://b/cnn", **s.env(HOME=os.path.join(folder, "home"), AWS_ENDPOINT_URL=None, **none))
        expect(OK, "s3://b/cnn", **s.env(AWS_SHARED_CREDENTIALS_FILE=aws, AWS_CONFIG_FILE=config, AWS_ENDPOINT_URL=None, **none))
        s.regions = {}
        s3 = {"AWS_ENDPOINT_URL": None, "S3_ENDPOINT": f"127.0.0.1:{s.port}", "S3_USE_HTTPS": "0", "S3_VERIFY_SSL": "0"}
        expect(OK, "s3://b/cnn", **s.env(**s3))
        expect(OK, "s3://b/cnn", **s.env(AWS_ENDPOINT_URL_S3=s.url, AWS_ENDPOINT_URL="http://127.0.0.1:1"))


def roles(folder):
    """Keys for a while: of the container, the machine, the cluster."""
    local = logdir(folder)
    soon = in_an_hour()
    keys = ('{"Code": "Success", "AccessKeyId": "AKIDROLE", "SecretAccessKey": "role", "Token": "T/+=", "Expiration": "%s"}' % soon).encode()
    sts = keys_of_role()
    none = {"AWS_ACCESS_KEY_ID": None, "AWS_SECRET_ACCESS_KEY": None}

    def machine(method, path, headers, _):
        if method == "PUT":
            return 200, b"session", {}
        if headers.get("x-aws-ec2-metadata-token") != "session":
            return 401, b"", {}
        return (200, keys, {}) if path.endswith("/the-role") else (200, b"the-role\n", {})

    def container(_, __, headers, ___):
        return (200, keys, {}) if headers.get("authorization") == "of the container" else (403, b"", {})

    def cluster(_, __, ___, body):
        good = b"WebIdentityToken=of.the.cluster" in body and b"RoleArn=arn%3Aaws%3Aiam%3A%3A1%3Arole%2Fr" in body
        return (200, sts, {}) if good else (400, b"", {})

    with ObjectServer() as s:
        upload(s, local, "b", "cnn")
        s.keys, s.token = {"AKIDROLE": "role"}, "T/+="
        s.handlers = {"/latest/": machine, "/container": container, "/sts": cluster}
        token = write(os.path.join(folder, "token"), b"of.the.cluster\n")
        for env in ({"AWS_EC2_METADATA_DISABLED": None, "AWS_EC2_METADATA_SERVICE_ENDPOINT": s.url},
                    {"AWS_CONTAINER_CREDENTIALS_FULL_URI": s.url + "/container", "AWS_CONTAINER_AUTHORIZATION_TOKEN": "of the container"},
                    {"AWS_WEB_IDENTITY_TOKEN_FILE": token, "AWS_ROLE_ARN": "arn:aws:iam::1:role/r", "AWS_ENDPOINT_URL_STS": s.url + "/sts"}):
            expect(OK, "s3://b/cnn", **s.env(**none, **env))


def profile_roles(folder):
    """A role that a profile takes by the keys of another: the service checks their signature. What does not work is told in one line, and
    nobody else's keys are taken."""
    local = logdir(folder)
    answer = keys_of_role("AssumeRoleResult")

    def sts(method, path, headers, body):
        form = dict(urllib.parse.parse_qsl(body.decode()))
        match = re.fullmatch(r"AWS4-HMAC-SHA256 Credential=AKIDBASE/(\S+), SignedHeaders=(\S+), Signature=([0-9a-f]{64})",
                             headers.get("authorization", ""))
        payload = hashlib.sha256(body).hexdigest()
        good = match and form["Action"] == "AssumeRole" and form["RoleArn"] == "arn:aws:iam::1:role/r" and form["ExternalId"] == "e/+" and \
            match[1].endswith("/eu-central-1/sts/aws4_request") and \
            sign("base secret", (method, path, "", headers), match[1], headers["x-amz-date"], match[2], payload) == match[3]
        return (200, answer, {}) if good else (403, b"<ErrorResponse><Error><Code>AccessDenied</Code></Error></ErrorResponse>", {})

    with ObjectServer() as s:
        upload(s, local, "b", "cnn")
        s.keys, s.token = {"AKIDROLE": "role"}, "T/+="
        s.handlers = {"/sts/": sts}
        home = os.path.join(folder, "home")
        write(os.path.join(home, ".aws/credentials"), b"[base]\naws_access_key_id = AKIDBASE\naws_secret_access_key = base secret\n")
        role = "role_arn = arn:aws:iam::1:role/r\nexternal_id = e/+\nregion = eu-central-1\n"
        write(os.path.join(home, ".aws/config"), "".join(f"[profile {name}]\n{lines}\n" for name, lines in (
            ("dev", role + "source_profile = base"), ("env", role + "credential_source = Environment"),
            ("other", role.replace("e/+", "wrong") + "source_profile = base"), ("none", role), ("keyless", role + "source_profile = gone"),
            ("code", role + "source_profile = base\nmfa_serial = m"), ("circle", role + "source_profile = circle2"),
            ("circle2", role + "source_profile = circle"))).encode())
        env = s.env(HOME=home, AWS_ENDPOINT_URL_STS=s.url + "/sts/", AWS_ACCESS_KEY_ID=None, AWS_SECRET_ACCESS_KEY=None)
        expect(OK, "s3://b/cnn", **{**env, "AWS_PROFILE": "dev"})
        for name, says in (("other", "AWS refuses role arn:aws:iam::1:role/r to the keys of profile base (AccessDenied)"),
                           ("none", "profile none assumes a role, but has no source: set source_profile"),
                           ("env", "profile env assumes a role, but no keys were found to assume it with"), ("keyless", "no keys were found to assume it"),
                           ("code", "aws configure export-credentials --profile code"), ("circle", "in a circle")):
            done = expect(NOTHING, "s3://b/cnn", says=says, **{**env, "AWS_PROFILE": name})
            must(done.stderr.count(b"\n") == 1 and b"base secret" not in done.stderr, name, done.stderr)


def keys_of_role(what="AssumeRoleWithWebIdentityResult"):
    return (f"<R xmlns='x'><{what}><Credentials><AccessKeyId>AKIDROLE</AccessKeyId><SecretAccessKey>role</SecretAccessKey>"
            f"<SessionToken>T/+=</SessionToken><Expiration>{in_an_hour()}</Expiration></Credentials></{what}></R>").encode()


def in_an_hour(hours=1):
    return (datetime.datetime.now(datetime.timezone.utc) + datetime.timedelta(hours=hours)).strftime("%Y-%m-%dT%H:%M:%SZ")


def signed_in(folder):
    """By `aws sso login`, with a session and without; and keys that a program prints."""
    local = logdir(folder)
    home = os.path.join(folder, "home")
    keys = json.dumps({"roleCredentials": {"accessKeyId": "AKIDROLE", "secretAccessKey": "role", "sessionToken": "T/+=",
                                           "expiration": int((time.time() + 3600) * 1000)}}).encode()

    def portal(_, path, headers, __):
        if headers.get("x-amz-sso_bearer_token") != "xq7oid.token":
            return 401, b"", {}
        return (200, keys, {}) if path.endswith("/federation/credentials?account_id=12&role_name=Reader") else (403, b"", {})

    def cache(name, token, hours):
        write(os.path.join(home, ".aws/sso/cache", hashlib.sha1(name.encode()).hexdigest() + ".json"),
              json.dumps({"startUrl": "https://u", "region": "eu-west-1", "accessToken": token, "expiresAt": in_an_hour(hours)}).encode())

    with ObjectServer() as s:
        upload(s, local, "b", "cnn")
        s.keys, s.token = {"AKIDROLE": "role"}, "T/+="
        s.handlers = {"/sso/": portal}
        printed = write(os.path.join(folder, "keys.json"), json.dumps(
            {"Version": 1, "AccessKeyId": "AKIDROLE", "SecretAccessKey": "role", "SessionToken": "T/+=", "Expiration": in_an_hour()}).encode())
        program = f"credential_process = cat {printed}\n"
        write(os.path.join(home, ".aws/config"), ("[sso-session work]\nsso_region = eu-west-1\nsso_start_url = https://u\n" + "".join(
            f"[profile {name}]\n{lines}\n" for name, lines in (
                ("dev", "sso_session = work\nsso_account_id = 12\nsso_role_name = Reader"),
                ("other", "sso_session = work\nsso_account_id = 13\nsso_role_name = Reader"),
                ("old", "sso_start_url = https://u/start\nsso_region = eu-west-1\nsso_account_id = 12\nsso_role_name = Reader"),
                ("program", program), ("mute", "credential_process = false")))).encode())
        env = s.env(HOME=home, AWS_ENDPOINT_URL_SSO=s.url + "/sso", AWS_ACCESS_KEY_ID=None, AWS_SECRET_ACCESS_KEY=None)
        login = "nobody is signed in for profile dev, or no longer: aws sso login --profile dev"
        expect(NOTHING, "s3://b/cnn", says=login, **{**env, "AWS_PROFILE": "dev"})
        cache("work", "xq7oid.token", 1)
        cache("https://u/start", "xq7oid.token", 1)
        for name in ("dev", "old", "program"):
            expect(OK, "s3://b/cnn", **{**env, "AWS_PROFILE": name})
        expect(NOTHING, "s3://b/cnn", says="may not assume role Reader of account 13 (HTTP 403)", **{**env, "AWS_PROFILE": "other"})
        expect(NOTHING, "s3://b/cnn", says="credential_process of profile mute printed no keys", **{**env, "AWS_PROFILE": "mute"})
        for token, hours in (("xq7oid.token", -1), ("xq7oid.other", 1)):
            cache("work", token, hours)
            done = expect(NOTHING, "s3://b/cnn", says=login, **{**env, "AWS_PROFILE": "dev"})
            must(b"xq7oid" not in done.stderr, "a token is shown")


def renewed(folder):
    """A token that ends soon is renewed as AWS's tools do: once, in the session's region, and the file is written anew with all else that it holds."""
    local, home = logdir(folder), os.path.join(folder, "home")
    file = os.path.join(home, ".aws/sso/cache", hashlib.sha1(b"work").hexdigest() + ".json")
    given = {"startUrl": "https://u", "region": "eu-west-1", "accessToken": "xq7oid.old", "expiresAt": in_an_hour(-1), "refreshToken": "xq7oid.r1",
             "clientId": "c", "clientSecret": "xq7oid.s", "registrationExpiresAt": in_an_hour(48)}
    keys = json.dumps({"roleCredentials": {"accessKeyId": "AKIDROLE", "secretAccessKey": "role", "sessionToken": "T/+=",
                                           "expiration": int((time.time() + 3600) * 1000)}}).encode()
    asked = []

    def portal(_, __, headers, ___):
        return (200, keys, {}) if headers.get("x-amz-sso_bearer_token") == good else (401, b"", {})

    def renew(method, path, headers, body):
        asked.append(json.loads(body))
        wish = {"clientId": "c", "clientSecret": "xq7oid.s", "grantType": "refresh_token", "refreshToken": "xq7oid.r1"}
        if (method, path, headers.get("content-type")) != ("POST", "/oidc/token", "application/json") or asked[-1] != wish:
            return 400, b'{"error": "invalid_grant"}', {}
        return 200, b'{"accessToken": "xq7oid.new", "expiresIn": 28800, "refreshToken": "xq7oid.r2", "tokenType": "Bearer"}', {}

    def soon(minutes):
        return in_an_hour(minutes / 60)

    with ObjectServer() as s:
        upload(s, local, "b", "cnn")
        s.keys, s.token = {"AKIDROLE": "role"}, "T/+="
        s.handlers = {"/sso/": portal, "/oidc/": renew}
        write(os.path.join(home, ".aws/config"), b"[sso-session work]\nsso_region = eu-west-1\n"
              b"[profile dev]\nsso_session = work\nsso_account_id = 12\nsso_role_name = Reader\n")
        env = s.env(HOME=home, AWS_PROFILE="dev", AWS_ENDPOINT_URL_SSO=s.url + "/sso", AWS_ENDPOINT_URL_SSO_OIDC=s.url + "/oidc",
                    AWS_ACCESS_KEY_ID=None, AWS_SECRET_ACCESS_KEY=None)
        login = "nobody is signed in for profile dev, or no longer: aws sso login --profile dev"
        for change, good, says, times in (
                ({}, "xq7oid.new", None, 1), ({"expiresAt": soon(10)}, "xq7oid.new", None, 1),
                # What lasts is left alone; what cannot be renewed is used as long as it lasts.
                ({"expiresAt": soon(20)}, "xq7oid.old", None, 0), ({"expiresAt": soon(10), "refreshToken": "gone"}, "xq7oid.old", None, 1),
                ({"refreshToken": "gone"}, "xq7oid.new", login, 1), ({"registrationExpiresAt": in_an_hour(-1)}, "xq7oid.new", login, 0),
                ({"refreshToken": None}, "xq7oid.new", login, 0), ({"clientSecret": ""}, "xq7oid.new", login, 0)):
            asked.clear()
            before = json.dumps({**given, **change}).encode()
            write(file, before)
            os.chmod(file, 0o600)
            done = expect(NOTHING if says else OK, "s3://b/cnn", says=says or "", **env)
            must(b"xq7oid" not in done.stderr, "a secret is shown")
            must(len(asked) == times, change, asked)
            after = json.loads(read(file))
            if good == "xq7oid.new" and not says:
                left_s = datetime.datetime.fromisoformat(after.pop("expiresAt").replace("Z", "+00:00")).timestamp() - time.time()
                must(28700 < left_s <= 28800, "expires in", left_s)
                wanted = {**given, **change, "accessToken": "xq7oid.new", "refreshToken": "xq7oid.r2"}
                wanted.pop("expiresAt")
                must(after == wanted, after)
                must(os.stat(file).st_mode & 0o777 == 0o600 and os.listdir(os.path.dirname(file)) == [os.path.basename(file)], "the file's mode, others")
                expect(OK, "s3://b/cnn", **env)
                must(len(asked) == times, "is renewed twice")
            else:
                must(read(file) == before, "the file is written for nothing")


def outputs(folder):
    local = logdir(folder)
    with ObjectServer() as s:
        s.objects["b", "x"] = b""
        expect(OK, local, "-o", "s3://b/out/r 1.html", "-o", "s3://b/r.json", "-o", os.path.join(folder, "r.json"), **s.env())
        must(s.objects["b", "out/r 1.html"].startswith(b"<!doctype html>"), "no page")
        must(s.objects["b", "r.json"] == read(os.path.join(folder, "r.json")), "the same report elsewhere")
        types = {path: h["content-type"] for method, path, h in s.requests if method == "PUT"}
        must(types["/b/out/r%201.html"].startswith("text/html"), "types:", types)
        expect(OK, "diff", "s3://b/r.json", os.path.join(folder, "r.json"), **s.env())
        expect(CANNOT_WRITE, local, "-o", "s3://b/r.html", says=["s3://b/r.html: cannot write: access denied", "secret key"],
               **s.env(AWS_SECRET_ACCESS_KEY="wrong"))
        expect(CANNOT_WRITE, local, "-o", "s3://none/r.html", says="no bucket", **s.env())


def folders(folder):
    """Tables as a folder in a bucket: the same files, with a list by which the next run replaces them; nobody's own are touched, and of one that
    does not come through nothing stays."""
    local, here = logdir(folder), os.path.join(folder, "here.csv")

    def below(s, prefix):
        return {key[len(prefix):]: data for (_, key), data in s.objects.items() if key.startswith(prefix)}

    with ObjectServer() as s:
        s.objects["b", "x"] = b""
        expect(OK, local, "-o", "s3://b/out/r 1.csv/", "-o", here + "/", **s.env())
        want = {name: read(os.path.join(here, name)) for name in os.listdir(here)}
        must(len(want) > 5 and below(s, "out/r 1.csv/") == want, "other files:", sorted(below(s, "out/")))
        s.objects["b", "out/r 1.csv/.tpreport"] += b"an older table.csv\n"
        s.objects["b", "out/r 1.csv/an older table.csv"] = s.objects["b", "out/r 1.csv.json"] = b"x"
        expect(OK, local, "-o", "s3://b/out/r 1.csv/", **s.env())
        must(below(s, "out/r 1.csv/") == want and ("b", "out/r 1.csv.json") in s.objects, "what is old stays:", sorted(below(s, "out/")))
        s.objects["b", "out/r 1.csv/my own.csv"] = b"x"
        expect(CANNOT_WRITE, local, "-o", "s3://b/out/r 1.csv/", says="s3://b/out/r 1.csv: holds my own.csv, which tpreport did not write", **s.env())
        must(below(s, "out/r 1.csv/") == {**want, "my own.csv": b"x"}, "touched")
        expect(CANNOT_WRITE, local, "-o", "s3://none/r.csv/", says="there is no bucket of this name", **s.env())
        expect(CANNOT_WRITE, local, "-o", s.url + "/web/r.csv/", says="no folder of files can be written there", **s.env())
        tmp, last = os.path.join(folder, "tmp"), sorted(want)[-1]
        os.makedirs(tmp)

        def hang(method, path, headers, body):
            if how == "hang" and path.endswith(last):
                time.sleep(30)
            if how == "refuse" and path.endswith(last):
                return 403, b"<Error><Code>AccessDenied</Code></Error>", {}
            bare, _, query = path.partition("?")
            return s.handle(method, bare, query, headers, body)

        s.handlers = {"/b/r2.csv/": hang}
        how = "refuse"
        expect(CANNOT_WRITE, local, "-o", "s3://b/r2.csv/", says="access denied (AccessDenied)", **s.env(TMPDIR=tmp))
        must(below(s, "r2.csv") == {} and left(tmp) == [], "left:", sorted(below(s, "r2.csv")), left(tmp))
        how, asked = "hang", len(s.requests)
        with subprocess.Popen([PROGRAM, local, "-o", "s3://b/r2.csv/"], stderr=subprocess.DEVNULL,
                              env={**os.environ, **s.env(TMPDIR=tmp)}) as program:
            while not any(path.endswith(last) for _, path, _ in s.requests[asked:]):
                time.sleep(0.02)
            program.send_signal(signal.SIGINT)
            must(program.wait(25) == -signal.SIGINT, "ends with", program.returncode)
        must(below(s, "r2.csv") == {} and left(tmp) == [], "left:", sorted(below(s, "r2.csv")), left(tmp))


def outputs_in_parts(folder):
    """Whole or not at all, and nothing that was begun stays: after a refusal, a busy server, an end by a signal."""
    local, tmp = long_names(folder), os.path.join(folder, "tmp")
    os.makedirs(tmp)
    with ObjectServer() as s:
        s.objects["b", "x"] = b""
        s.busy = [503]
        expect(OK, local, "-o", "s3://b/r 1.perfetto-trace", "-o", os.path.join(folder, "r.perfetto-trace"), **s.env())
        must(s.objects["b", "r 1.perfetto-trace"] == read(os.path.join(folder, "r.perfetto-trace")), "other bytes")
        must(s.upload_count == 1 and not s.uploads, "not in parts:", s.uploads)
        must(len([path for method, path, _ in s.requests if method == "PUT" and "partNumber" in path]) == 3, "parts")
        asked = []

        def third(method, path, headers, body):
            """Only the third part is answered otherwise: by `how`."""
            bare, _, query = path.partition("?")
            asked.append(path)
            if "partNumber=3" in path and how == "refuse":
                return 403, b"<Error><Code>AccessDenied</Code></Error>", {}
            if "partNumber=3" in path and how == "hang":
                time.sleep(30)
            if how == "join" and method == "POST" and "uploadId" in path:
                del s.uploads[urllib.parse.unquote(path.partition("uploadId=")[2])]
                return 200, b" \n<?xml version='1.0'?><Error><Code>InternalError</Code></Error>", {}
            return s.handle(method, bare, query, headers, body)

        s.handlers = {"/b/r2": third}
        for how, says in (("refuse", "cannot write: access denied (AccessDenied)"), ("join", "cannot join its parts (InternalError)")):
            expect(CANNOT_WRITE, local, "-o", "s3://b/r2.perfetto-trace", says=says, **s.env())
            must(not s.uploads, "left:", s.uploads.keys())
        for number in (signal.SIGINT, signal.SIGTERM):
            how = "hang"
            del asked[:]
            with subprocess.Popen([PROGRAM, local, "-o", "s3://b/r2.perfetto-trace"], stderr=subprocess.DEVNULL,
                                  env={**os.environ, **s.env(TMPDIR=tmp)}) as program:
                while not any("partNumber=3" in path for path in list(asked)):
                    time.sleep(0.02)
                program.send_signal(number)
                must(program.wait(25) == -number, "ends with", program.returncode)
            must(not s.uploads and left(tmp) == [], "left:", s.uploads.keys(), left(tmp))
        must(("b", "r2.perfetto-trace") not in s.objects, "a partial output")


def ended_by_a_signal(folder):
    """While an answer is waited for, in the middle of a part, while a command prints: nothing is left, no output, no temporary file, no program."""
    local, tmp, out = padded(logdir(folder), 20 << 20), os.path.join(folder, "tmp"), os.path.join(folder, "out.html")
    os.makedirs(tmp)

    def end(s, here, *words):
        with subprocess.Popen([PROGRAM, *words, "-o", out, "-o", "s3://b/r.html"], stderr=subprocess.DEVNULL,
                              env={**os.environ, **s.env(TMPDIR=tmp)}) as program:
            while not here():
                time.sleep(0.02)
            program.send_signal(signal.SIGINT)
            must(program.wait(10) == -signal.SIGINT, "ends with", program.returncode)
        must(left(tmp) == [] and not os.path.exists(out), "left:", left(tmp))
        must(("b", "r.html") not in s.objects, "a partial output")

    def wait(*_):
        time.sleep(5)
        return 200, b"", {}

    with ObjectServer() as s:
        upload(s, local, "b", "cnn")
        s.handlers = {"/b/cnn/plugins": wait}
        end(s, lambda: any("plugins" in path for _, path, _ in list(s.requests)), "s3://b/cnn")
        s.handlers, s.stall_bytes = {}, 1 << 20
        end(s, s.stalled.is_set, "s3://b/cnn")
        number = os.path.join(folder, "pid")
        command = f"head -c 9000000 /dev/zero; echo $$ >{number}.new; mv {number}.new {number}; exec sleep 30 # {{}}"
        end(s, lambda: os.path.exists(number), "pod:vm.xplane.pb", "--fetch", command)
        for _ in range(100):
            if not os.path.exists("/proc/" + read(number).decode().strip()):
                return
            time.sleep(0.05)
        must(False, "the command goes on")


def plain_web(folder):
    """Files of any server, with and without parts; what is behind a question mark is never shown."""
    local = os.path.join(logdir(folder, steps=300), "plugins/profile/2026_11_21_02_41_41/vm.xplane.pb")
    with ObjectServer() as s:
        s.objects["web", "vm.xplane.pb"] = read(local)
        s.handlers = {"/old": lambda *_: (302, b"", {"Location": s.url + "/web/vm.xplane.pb"}),
                      "/secret": lambda _, path, h, __: (200, read(local), {}) if path.endswith("?sig=xq7oid") or
                      h.get("authorization") == "Basic dTp4cTdvaWQ=" else (403, b"", {})}
        want = json.loads(run(local, "-o", "-", "--format", "json").stdout)["metrics"]
        for address in ("/web/vm.xplane.pb", "/old/vm.xplane.pb", "/secret/vm.xplane.pb?sig=xq7oid"):
            for s.no_ranges in (False, True):
                done = run(s.url + address, "-v", "-o", "-", "--format", "json", **s.env())
                must(done.returncode == OK, address, done.stderr)
                must(b"xq7oi" not in done.stdout + done.stderr, "a secret is shown")
                must(json.loads(done.stdout)["metrics"] == want, "other figures")
        expect(OK, f"http://u:xq7oid@127.0.0.1:{s.port}/secret/vm.xplane.pb", **s.env())
        done = expect(NOTHING, f"{s.url}/secret/vm.xplane.pb?sig=xq7oi", says=["access denied", "a signature that is still good"], **s.env())
        must(b"xq7oi" not in done.stderr, "a secret is shown:", done.stderr)
        expect(NOTHING, f"{s.url}/web/none.xplane.pb", says="not found", **s.env())


def by_a_command(folder):
    local = os.path.join(logdir(folder), "plugins/profile/2026_11_21_02_41_41")
    name = "it's a/vm.xplane.pb"
    write(os.path.join(folder, "store", name), read(os.path.join(local, "vm.xplane.pb")))
    expect(OK, "pod:" + name, "--fetch", f"cat {folder}/store/\"$(echo {{}} | cut -d: -f2)\"")
    expect(NOTHING, "pod:none.xplane.pb", "--fetch", "cat {} 2>&-", says="--fetch ended with status 1")
    expect(USAGE, "x", "--fetch", "cat", says="write {}")
    expect(OK, local, "--fetch", "false {}")


def without_libcurl(folder):
    """What stands in its place is no library."""
    for name in ("libcurl.so.4", "libcurl-gnutls.so.4"):
        write(os.path.join(folder, "lib", name), b"none")
    lib = {"LD_LIBRARY_PATH": os.path.join(folder, "lib")}
    expect(NOTHING, "s3://b/cnn", says=["s3://b/cnn: libcurl is not installed", "apt-get install libcurl4"], **lib)
    expect(OK, logdir(folder), **lib)


def redacted(folder):
    """An address is a path: with --redact nobody sees where the profile was."""
    local = logdir(folder)
    with ObjectServer() as s:
        upload(s, local, "secretbucket", "secretjob/cnn")
        for kind in ("json", "html"):
            done = expect(OK, "s3://secretbucket/secretjob/cnn", "--redact", "-o", "-", "--format", kind, **s.env())
            must(len(done.stdout) > 1000 and b"secretbucket" not in done.stdout and b"secretjob" not in done.stdout, kind, "tells it")


if __name__ == "__main__":
    run_all([names_of_all_kinds, one_object, only_what_is_read_is_fetched, many_pages, broken_connections, runs_by_their_time, busy_server, in_parts,
             refused, another_region, clock_skew, settings, roles, profile_roles, signed_in, renewed, outputs, folders, outputs_in_parts, ended_by_a_signal, plain_web, by_a_command, without_libcurl, redacted])
