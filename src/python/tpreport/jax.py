"""Captures of JAX that end in a report."""

from contextlib import contextmanager

from tpreport._report import Report, written_beside


class Capture:
    """The object that the block gets; its `report` is set when the block has ended."""

    report: "Report | None" = None

    def __init__(self, logdir):
        self.logdir = logdir


@contextmanager
def trace(logdir, *outputs, **how):
    """with tpreport.jax.trace("logdir") as capture: … Profiles the block with jax.profiler.trace, which gets all further arguments. Then writes the
    outputs, by default logdir/report.html. Mark the steps in the block with jax.profiler.StepTraceAnnotation. If the block fails, no
    report is written."""
    import jax.profiler  # of the user: the module needs no JAX

    capture = Capture(logdir)
    with jax.profiler.trace(str(logdir), **how):
        yield capture
    capture.report = written_beside(logdir, outputs)
