"""Captures of PyTorch that end in a report."""

from contextlib import contextmanager

from tpreport._report import Report, written_beside


class Capture:
    """The object that the block gets: step() ends a training step; `report` is set when the block has ended."""

    report: "Report | None" = None

    def __init__(self, logdir, profiler):
        self.logdir = logdir
        self.profiler = profiler

    def step(self):
        self.profiler.step()


@contextmanager
def profile(logdir, *outputs, worker_name=None, **how):
    """with tpreport.torch.profile("logdir") as p: … p.step() … Profiles the block with torch.profiler.profile, which gets all further
    arguments; shapes, memory and call stacks are on by default. Then writes the outputs, by default logdir/report.html. In a distributed job,
    give each process the same logdir and its own worker_name, and make one report afterwards. If the block fails, no report is written."""
    from torch import profiler  # of the user: the module needs no PyTorch

    how = {"record_shapes": True, "profile_memory": True, "with_stack": True, **how}
    how.setdefault("on_trace_ready", profiler.tensorboard_trace_handler(str(logdir), worker_name=worker_name, use_gzip=True))
    with profiler.profile(**how) as running:
        capture = Capture(logdir, running)
        yield capture
    capture.report = written_beside(logdir, outputs)
