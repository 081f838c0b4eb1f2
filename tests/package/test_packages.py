"""The wheel in a clean environment, and the deb: what is in them, that they give a report, and that nothing is left of them.

The wheel is that which TPREPORT_WHEEL names, or one that is built here where scikit-build-core is installed; without both it is skipped. The deb is
of this build; lintian looks at it where the build has no sanitizers."""

import glob
import os
import re
import shutil
import subprocess
import sys
import time
import zipfile
from pathlib import Path

from cases import must, run_all

SOURCE = Path(os.environ["TPREPORT_SOURCE"])
TPREPORT = Path(os.environ["TPREPORT"])
JAX = SOURCE / "examples/jax_cnn/input"
MOST_BYTES, MOST_SECONDS = 12_000_000, 10
skipped = []


def call(*words, **how):
    return subprocess.run([str(word) for word in words], capture_output=True, text=True, check=False, **how)


def wheel_to_test(folder):
    given = os.environ.get("TPREPORT_WHEEL")
    if given:
        return Path(given)
    if call(sys.executable, "-c", "import scikit_build_core").returncode != 0:
        return None
    done = call(sys.executable, "-m", "pip", "wheel", "--quiet", "--no-build-isolation", "--no-deps", "--wheel-dir", folder, SOURCE)
    must(done.returncode == 0, done.stderr)
    return Path(glob.glob(f"{folder}/*.whl")[0])


def everything(folder):
    """Files and folders."""
    return {str(p.relative_to(folder)) for p in Path(folder).rglob("*")}


def files_of(folder):
    return {name for name in everything(folder) if not Path(folder, name).is_dir()}


def wheel(folder):
    file = wheel_to_test(folder)
    if file is None:
        skipped.append("wheel: give one by TPREPORT_WHEEL=FILE (src/package/wheel.sh makes it)")
        return
    if call(sys.executable, "-c", "import ensurepip").returncode != 0:
        skipped.append("wheel: this Python makes no environments; on Debian: apt-get install python3-venv")
        return
    must(file.stat().st_size <= MOST_BYTES, file.stat().st_size, "bytes")
    names = zipfile.ZipFile(file).namelist()
    must("tpreport/SKILL.md" in names, "no SKILL.md")
    must("tpreport/share/man/man1/tpreport.1" in names and not any(".data/data/" in n for n in names), names)
    where = Path(folder, "venv")
    must(call(sys.executable, "-m", "venv", where).returncode == 0, "no environment")
    call(where / "bin/pip", "list")  # pip compiles itself
    before = everything(where)
    began = time.monotonic()
    done = call(where / "bin/pip", "install", "--quiet", "--no-index", "--no-deps", file)
    must(done.returncode == 0, done.stderr)
    clean = {"PATH": str(where / "bin"), "HOME": folder}
    done = call(where / "bin/tpreport", JAX, "-o", "r.html", "-o", "r.pdf", cwd=folder, env=clean)
    seconds = time.monotonic() - began
    must(done.returncode == 0 and Path(folder, "r.pdf").read_bytes().startswith(b"%PDF-"), done.stderr)
    must(seconds < MOST_SECONDS * (3 if os.getloadavg()[0] > 2 else 1), "from wheel to report:", seconds, "s")
    script = f"import tpreport; tpreport.report({str(JAX)!r}, 'm.html'); print(tpreport.metrics({str(JAX)!r})['step.time.p50_ms'])"
    done = call(where / "bin/python", "-c", script, cwd=folder, env=clean)
    must(done.returncode == 0 and float(done.stdout) > 0 and Path(folder, "m.html").exists(), done.stdout, done.stderr)
    # Its libraries are its own; the C library is the system's.
    program = glob.glob(f"{where}/lib/python*/site-packages/tpreport/bin/tpreport")[0]
    others = [line for line in call("ldd", program, env=clean | {"PATH": os.environ["PATH"]}).stdout.splitlines() if "=>" in line and str(where) not in line]
    must(all(re.match(r"\s*lib(c|m|dl|rt|pthread|resolv)\.so", line) for line in others), "not in the wheel:", others)
    look = 'eval "$(tpreport completion bash)"; complete -p tpreport; man -w tpreport'
    done = call("bash", "--norc", "-c", look, env=clean | {"PATH": f"{where}/bin:{os.environ['PATH']}"})
    must("-F _tpreport tpreport" in done.stdout, done.stdout, done.stderr)
    must(not shutil.which("man") or done.stdout.endswith(f"{Path(program).parents[1]}/share/man/man1/tpreport.1\n"), done.stdout, done.stderr)
    done = call(where / "bin/pip", "uninstall", "--quiet", "--yes", "tpreport")
    must(done.returncode == 0 and everything(where) == before, "left behind:", sorted(everything(where) ^ before))


def deb(folder):
    if not (shutil.which("cpack") and shutil.which("dpkg-shlibdeps")):
        skipped.append("deb: needs cpack and dpkg-dev")
        return
    done = call("cpack", "--config", TPREPORT.parent / "CPackConfig.cmake", "-G", "DEB", "-B", folder)
    must(done.returncode == 0, done.stdout, done.stderr)
    file = glob.glob(f"{folder}/*.deb")[0]
    must(call("dpkg-deb", "--extract", file, f"{folder}/root").returncode == 0, "cannot be unpacked")
    have = files_of(f"{folder}/root")
    pages = subprocess.run([TPREPORT, "--man"], capture_output=True, text=True, check=True).stdout.split()
    wanted = {f"usr/share/man/man{page[-1]}/{page}.gz" for page in pages} | {
        "usr/bin/tpreport", "usr/share/doc/tpreport/SKILL.md", "usr/share/doc/tpreport/copyright", "usr/share/doc/tpreport/changelog.gz", "usr/share/doc/tpreport/changelog.Debian.gz",
        "usr/share/bash-completion/completions/tpreport", "usr/share/zsh/vendor-completions/_tpreport", "usr/share/fish/vendor_completions.d/tpreport.fish"}
    must(have == wanted, sorted(have ^ wanted))
    control = call("dpkg-deb", "--field", file).stdout
    for name in ("libc6", "libxml2", "libpango-1.0-0", "libsqlite3-0"):
        must(name in control.split("Depends:")[1].split("\n")[0], name, "is not asked for:", control)
    if shutil.which("lintian") and not os.environ.get("TPREPORT_SANITIZE"):
        done = call("lintian", "--fail-on", "warning,error", file)
        must(done.returncode == 0, done.stdout)


def finish():
    for reason in skipped:
        print(reason)


try:
    run_all([wheel, deb])
except SystemExit as end:
    finish()
    sys.exit(end.code or (77 if len(skipped) == 2 else 0))
