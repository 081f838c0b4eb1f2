"""What a report of a made-up profile must say, worked out from its events as they are made."""
import statistics

from big_xspace import MS


def step_answers(steps_ps):
    """A step lasts as long as its slowest worker; 'inner' leaves out the first and the last, as xprof does on CPUs."""
    def summary(values):
        return dict(count=len(values), mean=statistics.fmean(values) / MS, min=min(values) / MS, max=max(values) / MS,
                    stdev=statistics.stdev(values) / MS)
    return dict(step_ms=summary(steps_ps), inner_step_ms=summary(steps_ps[1:-1]))


def op_answers(totals):
    order = sorted(totals.items(), key=lambda item: (-item[1][1], item[0]))
    return [dict(name=name, occurrences=count, self_ps=ps) for name, (count, ps) in order]
