"""Real stores on 127.0.0.1, each where its program is found on PATH or in the folders that TPREPORT_SERVERS names: MinIO, Versity's
gateway or moto (S3), fake-gcs-server (Google Cloud Storage), Azurite (Azure Blob Storage)."""

import os
import shutil
import socket
import subprocess
import sys
import tempfile
import time

import store_clients as c
from cases import Fault, must
from command_line import NOTHING, OK, expect, logdir, long_names, padded, read
from sampled import not_tried

PLACES = os.environ.get("TPREPORT_SERVERS", "") + os.pathsep + os.environ.get("PATH", "")
NAMES = ("", "step=100/x:y/", "with space/ünï/", "100%+&/~/")


def free_port():
    with socket.socket() as s:
        s.bind(("127.0.0.1", 0))
        return s.getsockname()[1]


class Running:
    """The server until the end of the block; it listens when that begins."""

    def __init__(self, folder, port, command, **env):
        self.port = port
        with open(os.path.join(folder, "server.log"), "wb") as log:
            self.process = subprocess.Popen(command, stdout=log, stderr=log, cwd=folder, env={**os.environ, "PATH": PLACES, **env})

    def __enter__(self):
        for _ in range(600):
            try:
                socket.create_connection(("127.0.0.1", self.port), 1).close()
                return self
            except OSError:
                must(self.process.poll() is None, "the server ended")
                time.sleep(0.1)
        raise Fault("the server does not listen")

    def __exit__(self, *_):
        self.process.terminate()
        try:
            self.process.wait(20)
        except subprocess.TimeoutExpired:  # on a busy machine moto does not stop so soon
            self.process.kill()
            self.process.wait()


def same_reports(folder, local, put, address, env, many=0):
    """Under all names, as local files have it, and back as an output."""
    files = [os.path.join(p, n) for p, _, ns in os.walk(local) for n in ns]
    for i, name in enumerate(NAMES):
        for file in files:
            put(name + "cnn/" + os.path.relpath(file, local), read(file))
        here, there = os.path.join(folder, f"here{i}.json"), os.path.join(folder, f"there{i}.json")
        expect(OK, local, "-o", here, "-q")
        expect(OK, f"{address}/{name}cnn", "-o", there, "-q", **env)
        must(read(here) == read(there), address, name, "another report")
    for i in range(many):
        put(f"cnn/ckpt/{i:05}.bin", b"")
    expect(OK, f"{address}/cnn", "-o", f"{address}/out/r 1.json", "-q", **env)
    must(expect(OK, "get", f"{address}/out/r 1.json", "step.count", **env).stdout ==
         expect(OK, "get", local, "step.count").stdout, "what was written cannot be read back")
    for _ in range(2):
        expect(OK, local, "-o", f"{address}/out/tables.csv/", "-q", **env)
    large_output, back, there = (os.path.join(folder, name) for name in ("r.perfetto-trace", "back.perfetto-trace", "there.perfetto-trace"))
    expect(OK, long_names(folder), "-o", f"{address}/out/r 2.perfetto-trace", "-o", large_output, "-q", **env)
    expect(OK, f"{address}/out/r 2.perfetto-trace", "-o", there, "-q", **env)
    expect(OK, large_output, "-o", back, "-q")
    must(read(there) == read(back), "an output in parts is another")
    expect(NOTHING, f"{address}/none", says="not found", **env)


def large(folder):
    """Two hosts, of which each takes two parts."""
    return padded(logdir(folder, hosts=("vm0", "vm 1")), 9 << 20)


def moto(folder, program):
    port, env = free_port(), {}
    env = {"AWS_ENDPOINT_URL": f"http://127.0.0.1:{port}", "AWS_ACCESS_KEY_ID": "test", "AWS_SECRET_ACCESS_KEY": "test-secret"}
    with Running(folder, port, [program, "-H", "127.0.0.1", "-p", str(port)]):
        c.put_s3(port, "b.1", None, b"")
        same_reports(folder, large(folder), lambda key, data: c.put_s3(port, "b.1", key, data), "s3://b.1", env, many=1100)


def minio(folder, program):
    port, keys = free_port(), ("testaccess", "test-secret-of-16")
    env = {"AWS_ENDPOINT_URL": f"http://127.0.0.1:{port}", "AWS_ACCESS_KEY_ID": keys[0], "AWS_SECRET_ACCESS_KEY": keys[1]}
    data = os.path.join(folder, "data")
    with Running(folder, port, [program, "server", data, "--address", f"127.0.0.1:{port}", "--console-address", f"127.0.0.1:{free_port()}"],
                 MINIO_ROOT_USER=keys[0], MINIO_ROOT_PASSWORD=keys[1], HOME=folder):
        for _ in range(100):
            try:
                c.put_s3(port, "bucket", None, b"", keys)
                break
            except RuntimeError:
                time.sleep(0.1)
        same_reports(folder, large(folder), lambda key, data: c.put_s3(port, "bucket", key, data, keys), "s3://bucket", env, many=1100)
        expect(NOTHING, "s3://bucket/cnn", says="the secret key is wrong", **{**env, "AWS_SECRET_ACCESS_KEY": "wrong"})
        expect(NOTHING, "s3://bucket/cnn", says="does not know the access key", **{**env, "AWS_ACCESS_KEY_ID": "other"})


def versity(folder, program):
    port, keys = free_port(), ("testaccess", "test-secret")
    env = {"AWS_ENDPOINT_URL": f"http://127.0.0.1:{port}", "AWS_ACCESS_KEY_ID": keys[0], "AWS_SECRET_ACCESS_KEY": keys[1]}
    data, beside = os.path.join(folder, "data"), os.path.join(folder, "beside")
    os.mkdir(data)
    os.mkdir(beside)
    with Running(folder, port, [program, "--access", keys[0], "--secret", keys[1], "--port", f"127.0.0.1:{port}", "posix", "--sidecar", beside,
                                data]):
        c.put_s3(port, "bucket", None, b"", keys)
        same_reports(folder, large(folder), lambda key, data: c.put_s3(port, "bucket", key, data, keys), "s3://bucket", env, many=1100)
        expect(NOTHING, "s3://bucket/cnn", says="the secret key is wrong", **{**env, "AWS_SECRET_ACCESS_KEY": "wrong"})
        expect(NOTHING, "s3://bucket/cnn", says="does not know the access key", **{**env, "AWS_ACCESS_KEY_ID": "other"})
        expect(NOTHING, "s3://none/cnn", says="there is no bucket of this name", **env)


def fake_gcs(folder, program):
    port = free_port()
    env = {"STORAGE_EMULATOR_HOST": f"127.0.0.1:{port}", "HOME": folder}
    with Running(folder, port, [program, "-scheme", "http", "-host", "127.0.0.1", "-port", str(port), "-backend", "memory",
                                "-public-host", f"127.0.0.1:{port}"]):
        c.put_gs(port, "bucket", None, b"")
        same_reports(folder, large(folder), lambda key, data: c.put_gs(port, "bucket", key, data), "gs://bucket", env, many=1100)


def azurite(folder, program):
    port = free_port()
    endpoint = f"http://127.0.0.1:{port}/{c.AZURE_ACCOUNT}"
    connection = f"AccountName={c.AZURE_ACCOUNT};AccountKey={c.AZURE_KEY};BlobEndpoint={endpoint};"
    env = {"AZURE_STORAGE_CONNECTION_STRING": connection}

    def put(key, data):
        c.put_azure(port, "logs", key, data)

    with Running(folder, port, [program, "--blobHost", "127.0.0.1", "--blobPort", str(port), "--location", folder, "--silent",
                                "--skipApiVersionCheck", "--disableTelemetry"]):
        put(None, b"")
        local = large(folder)
        same_reports(folder, local, put, "az://logs", env)
        expect(OK, f"{endpoint}/logs/cnn", **env)
        sas = {"AZURE_STORAGE_CONNECTION_STRING": f"BlobEndpoint={endpoint};"}
        done = expect(OK, f"{endpoint}/logs/cnn?{c.azure_sas()}", "-v", "-o", "-", "--format", "json", **sas)
        must(b"sig=" not in done.stdout + done.stderr, "a signature is shown")
        expect(NOTHING, f"{endpoint}/logs/cnn?{c.azure_sas(hours=-1)}", says="the shared access signature has expired", **sas)
        wrong = connection.replace("AccountKey=Eb", "AccountKey=EE")
        expect(NOTHING, "az://logs/cnn", says="the account's key is wrong", AZURE_STORAGE_CONNECTION_STRING=wrong)
        expect(NOTHING, "az://none/cnn", says="there is no container of this name", **env)


SERVERS = {  # and how to have it
    "minio": (minio, "go install github.com/minio/minio@latest"),
    "versitygw": (versity, "go install github.com/versity/versitygw/cmd/versitygw@latest"),
    "moto_server": (moto, "pip install 'moto[server]'"),
    "fake-gcs-server": (fake_gcs, "go install github.com/fsouza/fake-gcs-server@latest"),
    "azurite-blob": (azurite, "npm install azurite"),
}


def main():
    missing, failed, done = [], 0, 0
    for name, (test, install) in SERVERS.items():
        program = shutil.which(name, path=PLACES)
        if program is None or (sys.argv[1:] and name not in sys.argv[1:]):
            missing.append(f"{name} ({install})")
            continue
        done += 1
        with tempfile.TemporaryDirectory() as folder:
            try:
                test(folder, program)
            except (Fault, RuntimeError) as fault:
                failed += 1
                print(f"{name}: {fault}")
    print(f"{done} servers, {failed} failed")
    if missing:
        not_tried(", ".join(missing), "TPREPORT_SERVERS names the folders in which they are")
    sys.exit(1 if failed else 0 if done else 77)


if __name__ == "__main__":
    main()
