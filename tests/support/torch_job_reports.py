"""Reports on jobs of several workers (torch_jobs), and what they say of one of them."""

import tempfile

from truth import Report


def report_on(workers, *options):
    with tempfile.TemporaryDirectory() as folder:
        for worker in workers:
            worker.write(folder)
        return Report(folder, *options)


def of(report, name, worker):
    metric = report.metrics["torch.comm.%s@worker=%s,span=1" % (name, worker)]
    return metric["value"]
