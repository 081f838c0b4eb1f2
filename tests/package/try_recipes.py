"""The recipes for conda and Homebrew, run without either: their own commands build the last commit with this system's libraries, install into a folder of
their own, and run their own tests. No test of the suite: it builds the program twice.

    python3 tests/package/try_recipes.py

Needs python3-yaml, python3-jinja2 and ruby."""

import os
import re
import shutil
import subprocess
import sys
import tempfile
from pathlib import Path

import jinja2
import yaml

SOURCE = Path(__file__).resolve().parents[2]
FONTS = "/usr/share/fonts"

# What a formula calls, as far as ours does: who runs it gives source, prefix and version.
FORMULA = r"""
require "pathname"
class Pathname
  def install(files)
    mkpath
    files.each { |from, to| system("cp", "-r", from, (self + to).to_s) or abort("cp #{from}") }
  end
end
class String
  def /(other) = Pathname.new(self) / other
end
class Formula
  def self.method_missing(*) = nil
  def self.test(&block) = define_method(:run_test, &block)
  def prefix = Pathname.new(ENV.fetch("PREFIX"))
  def bin = prefix/"bin"
  def pkgshare = prefix/"share/tpreport"
  def testpath = Pathname.pwd
  def version = ENV.fetch("VERSION")
  def std_cmake_args = ["-DCMAKE_INSTALL_PREFIX=#{prefix}", "-DCMAKE_INSTALL_LIBDIR=lib", "-DCMAKE_BUILD_TYPE=Release", "-Wno-dev"]
  def system(*words) = Kernel.system(*words.map(&:to_s)) || abort("failed: #{words.join(" ")}")
  def shell_output(words) = `#{words}`
  def assert_path_exists(path) = path.exist? || abort("not there: #{path}")
  def assert_match(wanted, text) = text.include?(wanted) || abort("no #{wanted} in #{text}")
end
load ARGV[0]
formula = Tpreport.new
Dir.chdir(ENV.fetch("SOURCE")) { formula.install }
Dir.chdir(ENV.fetch("TEST")) { formula.run_test }
"""


def run(words, **how):
    done = subprocess.run(words, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True, check=False, **how)
    if done.returncode != 0:
        sys.exit(f"{words}: exit status {done.returncode}\n{done.stdout[-4000:]}")
    return done.stdout


def unpacked(folder):
    folder.mkdir()
    archive = subprocess.run(["git", "archive", "HEAD"], cwd=SOURCE, stdout=subprocess.PIPE, check=True).stdout
    subprocess.run(["tar", "x", "-C", folder], input=archive, check=True)
    return folder


def conda(work):
    source, prefix = unpacked(work / "conda"), work / "conda-prefix"
    for family in ("fonts-inter", "fonts-jetbrains-mono"):  # conda's packages of fonts lie flat in PREFIX/fonts
        for file in run(["dpkg", "-L", family]).split():
            if re.search(r"\.(ttf|otf|woff2?)$", file):
                (prefix / "fonts").mkdir(parents=True, exist_ok=True)
                shutil.copy(file, prefix / "fonts")
    text = jinja2.Template((source / "src/package/conda/meta.yaml").read_text(encoding="utf-8")).render(compiler=lambda of: of, stdlib=lambda of: of)
    recipe = yaml.safe_load(text)
    for name in recipe["about"]["license_file"] + recipe["test"]["source_files"]:
        if not (source / name).exists():
            sys.exit(f"conda: {name} is not there")
    environment = {**os.environ, "PREFIX": str(prefix), "CPU_COUNT": "2", "CMAKE_ARGS": f"-DCMAKE_INSTALL_PREFIX={prefix} -DCMAKE_INSTALL_LIBDIR=lib"}
    for line in recipe["build"]["script"]:
        run(["bash", "-ec", line], cwd=source, env=environment)
    for line in recipe["test"]["commands"]:
        run(["bash", "-ec", line], cwd=source, env={**environment, "PATH": f"{prefix}/bin:{os.environ['PATH']}"})
    version = run([prefix / "bin/tpreport", "--version"])
    if version.split()[1] != recipe["package"]["version"]:
        sys.exit(f"conda: the recipe says {recipe['package']['version']}, the program {version}")
    print("conda: built, installed and tested by its own commands")


def brew(work):
    source, prefix, test = unpacked(work / "brew"), work / "brew-prefix", work / "brew-test"
    test.mkdir()
    version = re.search(r"^\tVERSION ([0-9.]+)$", (source / "CMakeLists.txt").read_text(encoding="utf-8"), re.M)[1]
    (work / "formula.rb").write_text(FORMULA, encoding="utf-8")
    run(["ruby", "-W", work / "formula.rb", source / "src/package/tpreport.rb"],
        env={**os.environ, "PREFIX": str(prefix), "SOURCE": str(source), "TEST": str(test), "VERSION": version, "TPREPORT_FONTS": FONTS})
    print("Homebrew: built, installed and tested by its own commands")


with tempfile.TemporaryDirectory() as made:
    conda(Path(made))
    brew(Path(made))
