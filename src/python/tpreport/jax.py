"""Captures of JAX that end in a report."""

from contextlib import contextmanager

from tpreport._report import Report, written_beside


class Capture:
    """What the block is given; `report` is there when it has ended."""

    report: "Report | None" = None

    def __init__(self, logdir):
        self.logdir = logdir


@contextmanager
def trace(logdir, *outputs, **how):
    """with tpreport.jax.trace("logdir") as capture: … Profiles the block with jax.profiler.trace, to which further arguments go, and writes the
    outputs, by default logdir/report.html. Mark steps in it with jax.profiler.StepTraceAnnotation. If the block fails, nothing is
    written."""
    import jax.profiler  # of the user: the module needs no JAX

    capture = Capture(logdir)
    with jax.profiler.trace(str(logdir), **how):
        yield capture
    capture.report = written_beside(logdir, outputs)
