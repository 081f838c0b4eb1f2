"""Reports, figures and comparisons, by calls of the program."""

import html
import json
import os
from pathlib import Path

from tpreport._program import options, run


class Report:
    """A report. `path` is the file that was written; None: no file, only for a notebook to show."""

    def __init__(self, words, path=None):
        self.path = None if path is None else Path(path)
        self._words = list(words)

    def __repr__(self):
        return f"<tpreport.Report {self.path}>" if self.path else "<tpreport.Report>"

    def __str__(self):
        """The first screen as text."""
        return run(*self._words, "--output=-", "--format=text").decode()

    def html(self):
        """The page, whole."""
        if self.path is not None and self.path.suffix.lower() in (".html", ".htm"):
            return self.path.read_text(encoding="utf-8")
        return run(*self._words, "--output=-", "--format=html").decode()

    def _repr_html_(self):
        """In a frame of its own: the page's style and the notebook's do not meet."""
        return (f'<iframe srcdoc="{html.escape(self.html(), quote=True)}" sandbox="allow-scripts allow-popups allow-downloads" '
                'style="width:100%;height:800px;border:1px solid #ccc" title="tpreport"></iframe>')

    def _repr_markdown_(self):
        """For notebooks that show no HTML, and for language models."""
        return run(*self._words, "--output=-", "--format=markdown").decode()


def _paths(paths):
    """As words: one that begins with "-" is none of the options."""
    words = [paths] if isinstance(paths, (str, os.PathLike)) else paths
    return [f"./{path}" if path.startswith("-") and path != "-" else path for path in map(os.fspath, words)]


def _made(words, outputs):
    """Paths stand first: --baseline takes all words behind it."""
    if outputs:
        run(*words, *(f"--output={os.fspath(output)}" for output in outputs))
    return Report(words, outputs[0] if outputs else None)


def report(logdir, *outputs, **how):
    """Reports on a log directory, a run, a file or a list of them, and writes each output; its suffix sets the format (.html, .pdf, .json,
    .md …). Options of the command line are keywords: run="all", host=["a"], top=20, redact=True. In a notebook, the result shows the
    page."""
    return _made(["report", *_paths(logdir), *options(how)], outputs)


def metrics(path, **how):
    """{id: value} of all figures; None if the profile does not hold one. A value is a number in the unit at the end of the id, or a text."""
    document = json.loads(run("report", *_paths(path), *options(how), "--output=-", "--format=json"))
    return {name: metric.get("value") for name, metric in document["metrics"].items()}


def diff(a, b, *outputs, baselines=(), **how):
    """Compares two runs or reports, as `tpreport diff A B` does. baselines are earlier runs, from which the noise is measured."""
    return _made(["diff", *_paths([a, b]), *options({**how, "baseline": _paths(baselines)})], outputs)


def written_beside(logdir, outputs):
    """Writes the report of a capture that has just ended, by default logdir/report.html."""
    outputs = outputs or [Path(logdir) / "report.html"]
    return report(logdir, *outputs)

