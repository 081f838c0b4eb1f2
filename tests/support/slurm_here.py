"""A Slurm of one node on this machine, with all of its files in a folder, while a block runs. It needs to be root."""

import contextlib
import os
import shutil
import socket
import subprocess
import time
from pathlib import Path

from cases import must

PROGRAMS = ("munged", "slurmctld", "slurmd", "srun", "sbatch", "sinfo")
PATH = os.environ["PATH"] + ":/usr/sbin:/sbin"
CONF = """ClusterName=here
SlurmctldHost={host}(127.0.0.1)
SlurmctldPort={ports[0]}
SlurmdPort={ports[1]}
SlurmUser=root
AuthInfo=socket={folder}/munge/socket
StateSaveLocation={folder}/state
SlurmdSpoolDir={folder}/spool
SlurmctldPidFile={folder}/slurmctld.pid
SlurmdPidFile={folder}/slurmd.pid
ProctrackType=proctrack/linuxproc
TaskPlugin=task/none
JobAcctGatherType=jobacct_gather/none
SelectType=select/cons_tres
SelectTypeParameters=CR_CPU
SlurmdParameters=config_overrides
NodeName={host} NodeAddr=127.0.0.1 CPUs=4
PartitionName=main Nodes=ALL Default=YES State=UP
"""


def can():
    return os.getuid() == 0 and all(shutil.which(program, path=PATH) for program in PROGRAMS)


def free_ports(count):
    sockets = [socket.create_server(("127.0.0.1", 0)) for _ in range(count)]
    ports = [s.getsockname()[1] for s in sockets]
    for s in sockets:
        s.close()
    return ports


@contextlib.contextmanager
def slurm(folder):
    """The environment of those who use it."""
    folder = Path(folder)
    for name in ("munge", "state", "spool"):
        (folder / name).mkdir(parents=True)
    key, socket_file, conf = folder / "munge/key", folder / "munge/socket", folder / "slurm.conf"
    key.write_bytes(os.urandom(128))
    key.chmod(0o600)
    conf.write_text(CONF.format(host=socket.gethostname().split(".")[0], ports=free_ports(2), folder=folder), encoding="utf-8")
    env = {**os.environ, "PATH": PATH, "SLURM_CONF": str(conf)}
    running = []

    def start(*words):
        with open(folder / (words[0] + ".log"), "wb") as log:
            running.append(subprocess.Popen([str(w) for w in words], env=env, stdout=log, stderr=log))

    def wait_for(what, done):
        for _ in range(600):
            if done():
                return
            must(all(child.poll() is None for child in running), what, [path.read_text()[-500:] for path in folder.glob("*.log")])
            time.sleep(.1)
        must(False, what, "does not come")

    try:
        start("munged", "-F", "--force", "--key-file", key, "--socket", socket_file, "--pid-file", folder / "munge/pid", "--seed-file", folder / "munge/seed")
        wait_for("munged", socket_file.exists)
        start("slurmctld", "-D")
        start("slurmd", "-D")
        wait_for("a node", lambda: "idle" in subprocess.run(["sinfo", "-h", "-o", "%T"], env=env, capture_output=True, text=True, check=False).stdout)
        yield env
    finally:
        for child in reversed(running):
            child.terminate()
        for child in running:
            try:
                child.wait(30)
            except subprocess.TimeoutExpired:
                child.kill()
                child.wait()
