"""What shells complete comes from the tables that --help prints: commands, options, values; and from the path on the line. bash, zsh and fish
(where they are installed) offer the same."""

import os
import re
import shutil
import subprocess
from pathlib import Path

from cases import must, run_all

SOURCE = Path(os.environ["TPREPORT_SOURCE"])
TPREPORT = Path(os.environ["TPREPORT"])
SCRIPTS = SOURCE / "src/package/completions"
JAX, DDP, HOSTS = (str(SOURCE / "examples" / name / "input") for name in ("jax_cnn", "torch_ddp", "tpu_two_hosts"))


def call(*words, **how):
    return subprocess.run(words, capture_output=True, text=True, check=False, timeout=120, **how)


def told(*words):
    done = call(TPREPORT, *words)
    must(done.returncode == 0, words, done.stderr)
    return done.stdout


def offered(*words):
    """The candidates, without what is said of them."""
    done = call(TPREPORT, "--complete", *words)
    must(done.returncode == 0, words, done.returncode, done.stderr)
    return [line.split("\t")[0] for line in done.stdout.splitlines()]


def commands():
    return re.findall(r"^  tpreport \[?(\w+)\]? ", told("--help").split("Usage:")[1], re.M)


def options_of(*command):
    """Of --help: those lines that begin an option."""
    return re.findall(r"^  (?:-\w, |    )--([a-z-]+)", told(*command, "--help").split("\nOptions:")[1], re.M)


def commands_and_options(folder):
    names = commands()
    must(len(names) >= 10 and offered("") == [*names, ":files"], offered(""))
    must(offered("di") == ["diff", ":files"] and offered("report", "di") == [":files"], "a command is offered twice")
    for name in names:
        wanted = [f"--{option}" for option in options_of(name)]
        must(len(wanted) > 5 and offered(name, "--") == wanted, name, set(offered(name, "--")) ^ set(wanted))
        must(offered(name, JAX, "-q", "--")[:3] == wanted[:3], name, "behind a path")
    must(offered("--") == [f"--{option}" for option in options_of("report")], "before a command is named")


def values(folder):
    formats = [line.split("\t")[0] for line in told("--list", "renderers").splitlines()]
    must(offered(JAX, "--format", "") == formats and offered(JAX, "--format=") == formats, offered(JAX, "--format", ""))
    for name in formats:
        must("unknown format" not in call(TPREPORT, JAX, "-q", "-o", f"{folder}/of_{name}", "--format", name).stderr, "offers a format that is none:", name)
    for words, wanted in (
        (("--paper", ""), ["a4", "letter"]),
        (("--paper=l",), ["letter"]),
        (("diff", "A", "B", "--fail-on", "slower,"), ["slower,memory", "slower,finding"]),
        (("--redact=",), ["paths", "hosts", "names", "args"]),
        (("check", JAX, "--missing", ""), ["pass", "fail"]),
        (("--list", "m"), ["metrics"]),
        (("diff", "A", "--baseline", "one", ""), [":files"]),
        (("-o", ""), [":files"]),
        (("--template-dir", ""), [":folders"]),
        (("--top", "x"), []),
        (("--no-such=",), []),
    ):
        if words[0] != "--no-such=":
            must(offered(*words) == wanted, words, offered(*words))
    # Each value of a closed list is one that the program takes.
    for option, command in (("paper", [JAX, "-o", f"{folder}/x.pdf"]), ("redact", [JAX]), ("top", [JAX]), ("memory-limit", [JAX])):
        for value in offered(*command, f"--{option}="):
            must(call(TPREPORT, *command, f"--{option}={value}").returncode == 0, option, value)


def of_the_path(folder):
    metrics = [line.split("\t")[0] for line in told("get", JAX).splitlines()]
    must(offered("get", JAX, "") == metrics and len(metrics) > 100, "other metrics than get has")
    must(offered("get", JAX, "step.count", "run.step_so") == ["run.step_source"], "behind another id")
    sections = offered("show", JAX, "")
    must("operations" in sections and not any("/" in s for s in sections), sections)
    must("operations/all" in offered("show", JAX, "operations/"), "no inner sections")
    for section in sections:
        must(call(TPREPORT, "show", JAX, section).returncode == 0, "offers a section that show does not know:", section)
    must(offered(HOSTS, "--host", "") == ["t1v-n-synth-w-0", "t1v-n-synth-w-1"], offered(HOSTS, "--host", ""))
    must(offered(DDP, "--worker", "rank1") == ["rank1"] and offered(DDP, "--worker", "") == ["rank0", "rank1"], "workers")
    must("jit_train_step" in offered("hlo", JAX, ""), offered("hlo", JAX, ""))
    os.makedirs(f"{folder}/many")
    for run in ("2026_01_01_00_00_00", "2026_01_02_00_00_00"):
        shutil.copytree(next(Path(JAX).rglob("*.xplane.pb")).parent, f"{folder}/many/plugins/profile/{run}")
    must(offered(f"{folder}/many", "--run", "") == ["2026_01_02_00_00_00", "2026_01_01_00_00_00", "all"], offered(f"{folder}/many", "--run", ""))
    told(JAX, "-q", "-o", f"{folder}/r.html")
    must(offered("show", f"{folder}/r.html", "oper") == ["operations", *offered("show", JAX, "oper")[1:]], "a report")
    # What cannot be read offers nothing (the scripts discard its messages); standard input is not touched.
    Path(folder, "x.xplane.pb").write_bytes(b"\xff\xff")
    must(call(TPREPORT, "--complete", "get", f"{folder}/x.xplane.pb", "").returncode == 0, "a damaged file")
    for path in ("/nope", "-"):
        must(offered("get", path, "") == [] and offered(path, "--host", "") == [], path)


def options_of_tfprof(folder):
    """With one dash, as it calls them; each is one that the command takes, and the man page has the same."""
    options = [name for name in offered("tfprof", "-") if not name.startswith("--") and len(name) > 2]
    listed = re.findall(r"^\.It Fl (\w+)", told("--man", "tpreport-tfprof.1").split(".Sh OPTIONS OF TFPROF")[1].split(".Sh ")[0], re.M)
    must(len(listed) > 20 and {"-" + name for name in listed} == set(options), "others than the man page has", options, listed)
    must("-profile_path" in options and "-checkpoint_path" in options, "no files", options)
    must(offered("tfprof", "-min_mi") == ["-min_micros"], offered("tfprof", "-min_mi"))
    must({"scope", "op", "advise", ":files"} <= set(offered("tfprof", "")), offered("tfprof", ""))
    must(not any(name.startswith("-max_depth") for name in offered("report", "-")), "of another command")
    dump = str(SOURCE / "tests/truth/own/tfprof/profile_9.gz")
    for words in (("-order_by", ""), ("op", "-select", ""), ("-account_displayed_op_only", ""), ("--order_by=",)):
        values = offered("tfprof", *words)
        must(len(values) > 1 and ":files" not in values, words, values)
        for value in values:
            done = call(TPREPORT, "tfprof", "--profile_path", dump, "scope", words[-1 if words[-1] else -2].rstrip("="), value)
            must(done.returncode == 0, "offers a value that is none:", words, value, done.stderr)
    must(offered("tfprof", "op", "-select", "micros,pe") == ["micros,peak_bytes"], offered("tfprof", "op", "-select", "micros,pe"))
    must(offered("tfprof", "op", "-select", "bytes,byt") == [], "a value twice")
    must("file:outfile=" in offered("tfprof", "op", "-output", ""), offered("tfprof", "op", "-output", ""))
    must(":files" in offered("tfprof", "op", "-min_micros", "1", ""), "behind a value of any kind")
    for name in listed:
        if not name.endswith("_path") and name not in ("select", "order_by", "output"):
            done = call(TPREPORT, "tfprof", "--profile_path", dump, "scope", "-" + name, "0")
            must(done.returncode == 0, name, done.stderr)


def topics(folder):
    names = offered("help", "")
    must(set(commands()) < set(names), "help does not complete commands", names)
    for name in names:
        must(len(told("help", name)) > 100, "help", name, "says nothing")


def bash(line, folder):
    words = line.split(" ")
    script = """source "$1"; shift; COMP_LINE=$1; COMP_POINT=${#1}; shift; COMP_WORDS=("$@"); COMP_CWORD=$(($# - 1))
        _tpreport "$TPREPORT" >/dev/null; printf '%s\\n' "${COMPREPLY[@]}" """
    # As readline cuts them.
    cut = [piece for word in words for piece in (re.findall(r"[=@:]+|[^=@:]+", word) or [""])]
    if line[-1] in "=@:":
        cut.append("")
    done = call("bash", "-c", script, "bash", SCRIPTS / "tpreport.bash", line, *cut, cwd=folder, env={**os.environ, "TPREPORT": str(TPREPORT)})
    must(done.stderr == "", line, done.stderr)
    return done.stdout.split()


def in_bash(folder):
    Path(folder, "my.html").touch()
    Path(folder, "sub").mkdir()
    for line, wanted in (
        ("tpreport di", ["diff"]),
        ("tpreport my", ["my.html"]),
        ("tpreport diff --pap", ["--paper"]),
        ("tpreport x --paper=", ["a4", "letter"]),
        ("tpreport x --paper=l", ["letter"]),
        ("tpreport x --template-dir s", ["sub"]),
        ("tpreport x --output=my", ["my.html"]),
        (f"tpreport get {JAX} run.step_so", ["run.step_source"]),
        (f"tpreport {DDP} --worker ", ["rank0", "rank1"]),
        ("tpreport tfprof op -order_by micr", ["micros"]),
    ):
        must(bash(line, folder) == wanted, line, bash(line, folder))
    must(bash(f"tpreport get {DDP} step.time.mean_ms@", folder) == ["host=rank0", "host=rank1"], "readline cuts words at @")
    must(bash(f"tpreport get {DDP} step.time.mean_ms@host=", folder) == ["rank0", "rank1"], "and at =")


def in_fish(folder):
    if not shutil.which("fish"):
        return
    Path(folder, "my.html").touch()
    script = f"source {SCRIPTS / 'tpreport.fish'}; complete -C $argv[1]"
    for line, wanted in (
        ("tpreport dif", ["diff"]),
        ("tpreport my", ["my.html"]),
        ("tpreport diff --pap", ["--paper"]),
        ("tpreport x --paper=", ["--paper=a4", "--paper=letter"]),
        (f"tpreport get {JAX} run.step_so", ["run.step_source"]),
        (f"tpreport {DDP} --worker ", ["rank0", "rank1"]),
    ):
        environment = {**os.environ, "PATH": f"{TPREPORT.parent}:{os.environ['PATH']}", "HOME": folder}
        done = call("fish", "--no-config", "-c", script, line, cwd=folder, env=environment)
        must([i.split("\t")[0] for i in done.stdout.splitlines()] == wanted, line, done.stdout, done.stderr)


def in_zsh(folder):
    """Its own functions write down what they are given."""
    if not shutil.which("zsh"):
        return
    given = """_describe() { print -rl -- "${(@)candidates%%:*}" }; _files() { print -r -- ":files $*" }; compset() { : }
        words=("${(@)argv[2,-1]}"); CURRENT=${#words}; """
    # As a function of fpath, and read by a start-up file.
    ways = ('fpath=("$1:h"); autoload -Uz _tpreport; _tpreport', 'compdef() { [[ $2 == tpreport ]] && $1 }; eval "$($words[1] completion zsh)"')
    for line, wanted in (
        ("dif", ["diff", ":files "]),
        ("diff --pap", ["--paper"]),
        ("x --paper=", ["a4", "letter"]),
        ("x --template-dir ", [":files -/"]),
        (f"get {JAX} run.step_so", ["run.step_source"]),
        (f"{DDP} --worker ", ["rank0", "rank1"]),
    ):
        for way in ways:
            done = call("zsh", "-f", "-c", given + way, "zsh", SCRIPTS / "_tpreport", TPREPORT, *line.split(" "), cwd=folder)
            must(done.stdout.splitlines() == wanted and done.stderr == "", way, line, done.stdout, done.stderr)


def printed(folder):
    """The scripts are those that are installed; without pages beside the program nothing else."""
    shells = {"bash": "tpreport.bash", "zsh": "_tpreport", "fish": "tpreport.fish"}
    must(offered("completion", "") == list(shells), offered("completion", ""))
    for shell, file in shells.items():
        must(told("completion", shell) == Path(SCRIPTS, file).read_text(encoding="utf-8"), "another script:", shell)
    for words in ((), ("tcsh",), ("bash", "zsh")):
        done = call(TPREPORT, "completion", *words)
        must(done.returncode == 2 and "fish" in done.stderr and done.stdout == "", words, done.stderr)


run_all([commands_and_options, values, of_the_path, options_of_tfprof, topics, in_bash, in_fish, in_zsh, printed])
