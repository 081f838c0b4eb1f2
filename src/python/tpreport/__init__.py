"""tpreport: any profiler log directory in, one report out.

    import tpreport

    tpreport.report("logdir", "report.html")     # writes it; in a notebook the result shows it
    tpreport.metrics("logdir")["step.time.p50_ms"]
    tpreport.diff("old.html", "logdir", "diff.html")

    with tpreport.jax.trace("logdir"):           # captures, then writes logdir/report.html
        ...

The program that comes with the module does all the work. The module needs no other packages.
"""

from tpreport import jax, torch
from tpreport._program import Failed, program, run
from tpreport._report import Report, diff, metrics, report

__all__ = ["Failed", "Report", "diff", "jax", "metrics", "program", "report", "run", "torch"]
