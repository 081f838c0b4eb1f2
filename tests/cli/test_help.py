"""Each command has a --help whose examples work as they stand; the table "to get / give" of src/manual/usage.md has every command and every output that there
is, and nothing else."""

import gzip
import os
import re
import shutil
import subprocess
from pathlib import Path

from cases import must, run_all
from profiler_server import Answer, ProfilerServer
from xspace_writer import field

SOURCE = Path(os.environ.get("TPREPORT_SOURCE", Path(__file__).resolve().parents[2]))
TPREPORT = Path(os.environ["TPREPORT"])
JAX, TORCH, JOB = (SOURCE / "examples" / name / "input" for name in ("jax_cnn", "torch_ddp", "estimator_job"))
# Not for readers of the manual: what tests compare, and what --css-file writes.
NOT_FOR_READERS = {"outline", "css"}


def shell(command, folder):
    environment = {**os.environ, "PATH": f"{TPREPORT.parent}:{os.environ['PATH']}"}
    return subprocess.run(["sh", "-c", command], cwd=folder, capture_output=True, text=True, check=False, env=environment, stdin=subprocess.DEVNULL)


def told(*words):
    done = subprocess.run([TPREPORT, *words], capture_output=True, text=True, check=False)
    must(done.returncode == 0, words, done.stderr)
    return done.stdout


def commands():
    return re.findall(r"^  tpreport \[?(\w+)\]? ", told("--help").split("Usage:")[1], re.M)


def examples_of(command):
    text = told(command, "--help").split("Usage:")[0]
    return re.findall(r"^  (tpreport .*?)(?:\s{2,}.*| (?=several).*)?$", text, re.M)


class Programs:
    """Two that run and serve profiles, in the place of those that the manual speaks of."""

    def __enter__(self):
        message = field(7, 0) + field(8, next(JAX.rglob("*.xplane.pb")).read_bytes())
        self.servers = [ProfilerServer(lambda request, number: Answer(message)).__enter__() for _ in range(2)]
        return self

    def __exit__(self, *_):
        for server in self.servers:
            server.__exit__()

    def placed(self, line):
        """With their addresses; what would go on ends after the first."""
        for address, server in zip(("localhost:9999", "10.0.0.3:8466"), self.servers):
            line = line.replace(address, server.address)
        line = line.replace("10.0.0.2:8466", self.servers[0].address)
        for command, end in (("monitor", "--queries 1"), ("watch", "--once")):
            line += f" {end} --settle 100ms" if line.startswith(f"tpreport {command} ") else ""
        return line


def prepare(folder):
    """The files that examples name."""
    shutil.copytree(JAX, Path(folder, "logdir"))
    shutil.copytree(TORCH, Path(folder, "workers"))
    for name in ("A", "B"):
        os.symlink("logdir", Path(folder, name))
    shutil.copy(SOURCE / "examples" / "tf_graph" / "input" / "profile_40", Path(folder, "profile_100"))
    profile = next(JAX.rglob("*.xplane.pb"))
    Path(folder, "vm.xplane.pb.gz").write_bytes(gzip.compress(profile.read_bytes()))
    outputs = " ".join(f"-o {name}" for name in ("old.html", "a.html", "b.html", "main-1.html", "main-2.html", "main-1.tps", "main-2.tps", "run.tps"))
    done = shell(f"tpreport logdir {outputs} && tpreport budget logdir > b.json", folder)
    must(done.returncode == 0, done.stderr)
    Path(folder, "summaries").mkdir()
    done = shell("tpreport summarize workers -o rank0.tps -o part0.tps -o summaries/0.tps", folder)
    must(done.returncode == 0, done.stderr)


def test_examples(folder):
    prepare(folder)
    names = commands()
    must(len(names) >= 9 and names[0] == "report", names)
    with Programs() as programs:
        all_examples(folder, names, programs)


def all_examples(folder, names, programs):
    for command in names:
        examples = examples_of(command)
        must(examples and all(e.split()[1] == command or command in ("report", "get") for e in examples), command, "has no example of its own", examples)
        for example in examples:
            line = example.replace("jit_f", "jit_train_step")
            line = line.replace("logdir", "workers") if "--worker" in line else line
            line = programs.placed(line)
            done = shell(line, folder)
            must(done.returncode == 0, example, "exits with", done.returncode, done.stderr)
            for path in re.findall(r"(?:-o|>|--append) (\S+)", line):
                must(path == "-" or Path(folder, path).exists(), example, "does not write", path)


def readme_table():
    text = (SOURCE / "src/manual/usage.md").read_text(encoding="utf-8")
    return re.findall(r"^\| (.+?) \| (.+?) \|$", text.split("| to get | give |")[1].split("\n\n")[0], re.M)[1:]


def test_readme_has_all(folder):
    given = " ".join(give for _, give in readme_table())
    for command in commands():
        must(command == "report" or re.search(f"`tpreport {command}[ `]", given), "the README's table lacks the command", command)
    suffixes = set(re.findall(r"-o [A-Za-z]+(\.[a-z0-9_.-]+)", given))
    for suffix in re.findall(r"\.[a-z_-]+(?:\.[a-z]+)*", told("--help").split("-o, --output FILE")[1].split("--format")[0]):
        must(suffix in suffixes or suffix in (".html", ".htm"), "the README's table lacks", suffix)
    # Each format of a report by what its output is called.
    Path(folder, "found").mkdir()
    made = set()
    for suffix in sorted(suffixes - {".junit.xml", ".bmf.json", ".smaller.gab.json", ".bigger.gab.json", ".om"}):
        done = shell(f"tpreport -q {JOB if 'end_to_end' in suffix else JAX} -o found/x{suffix}; ls found", folder)
        must(f"x{suffix}" in done.stdout, "the README's table has", suffix, "which is none", done.stderr)
        made.add(suffix)
    formats = {line.split("\t")[0] for line in told("--list", "renderers").splitlines()} - NOT_FOR_READERS
    must(len(made) == len(formats), "formats", sorted(formats), "but the README's table has", sorted(made))


def test_readme_commands_work(folder):
    """Each as it stands, for a run of ours."""
    prepare(folder)
    os.symlink("logdir", Path(folder, "LOGDIR"))
    with Programs() as programs:
        all_of_the_table(folder, programs)


def all_of_the_table(folder, programs):
    for _, give in readme_table():
        for line in re.findall(r"`(tpreport .*?)`", give):
            done = shell(programs.placed(line.replace("\\|", "|")), folder)
            must(done.returncode in ((0, 6) if "--fail-on" in line else (0,)), line, "exits with", done.returncode, done.stderr)
        for output in re.findall(r"`-o (\S+)`", give):
            words = "check LOGDIR --budget b.json" if output.startswith("check") else str(JOB) if "end_to_end" in output else "LOGDIR"
            path = output.replace("FILE", "file")
            done = shell(f"tpreport -q {words} -o {path}", folder)
            must(done.returncode == 0 and Path(folder, path).exists(), output, done.returncode, done.stderr)


run_all([test_examples, test_readme_has_all, test_readme_commands_work])
