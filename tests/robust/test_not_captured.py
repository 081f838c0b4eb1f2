"""What a profile does not hold is listed with how to capture it: what makes sense for this framework on these devices, and nothing
of what is there."""

import json
import os
import subprocess

import graph_writer
import hlo_writer
import tiny_xspace as t
import torch_files as torch
from cases import must, run_all
from tiny_xspace import MS, field

PROGRAM = os.environ["TPREPORT"]
HEADING = "Not in this profile, and how to capture it"


def not_captured(folder, name, data, *arguments):
    """{id: sentence} of the list in the report of one file, and how many things the first screen says there are."""
    path = os.path.join(folder, "run", name)
    os.makedirs(os.path.dirname(path), exist_ok=True)
    with open(path, "wb") as out:
        out.write(data)
    done = subprocess.run([PROGRAM, os.path.join(folder, "run"), "-q", "-o", "-", "--format", "json", *arguments],
                          capture_output=True, check=False)
    must(done.returncode == 0, name, done.returncode, done.stderr)
    report = json.loads(done.stdout)
    summary = next(s for s in report["sections"] if s["id"] == "summary")
    quality = next(b for b in summary["blocks"] if b["id"] == "summary/quality")
    told = [item for item in quality["items"] if item.endswith("not captured")]
    method = next(s for s in report["sections"] if s["id"] == "method")
    found = [b for b in method["blocks"] if b["id"] == "method/absent"]
    if not found:
        must(not told, told)
        return {}
    must(found[0]["title"] == HEADING and found[0]["role"] == "sub", found)
    items = {b["id"].removeprefix("method/absent/"): b["items"][0] for b in found[0]["blocks"]}
    if told:
        must(told[0].split()[0] == str(len(items)), told, items)
    return items


def says(items, name, *words):
    must(name in items and all(word in items[name] for word in words), name, items)


def xla(folder, *planes, name="vm.xplane.pb"):
    return not_captured(folder, name, t.space(*planes))


def options(python=1, host=2):
    plane = t.Plane("Task Environment")
    return plane.stat("profile_options", field(1, 1) + field(2, host) + field(3, 1) + field(4, python))


def tpu_without_hlo(folder):
    items = xla(folder, t.tpu(0), t.environment())
    says(items, "memory-plan", "because the profile holds no HLO", "XLA_FLAGS", "--xla_dump_hlo_as_proto")
    says(items, "padding", "HLO")
    must(not {"kernels", "gpus", "operations", "memory"} & set(items), items)


def tpu_with_hlo(folder):
    items = xla(folder, t.tpu(0), t.metadata(), t.environment())
    must("padding" not in items, items)


def what_a_dump_adds(folder):
    """As the list says: HLO that XLA dumped, in the folder of the run."""
    must("memory-plan" in xla(folder, t.tpu(0), t.environment()), "there is no HLO yet")
    module, plan = hlo_writer.Module("jit_f"), hlo_writer.Plan()
    weights = module.computation("main").add("weights", "parameter", "f32[250]{0}", parameter_number=0)
    plan.allocation(1000, plan.buffer(weights, 1000), parameter=True)
    dump = module.bytes() + plan.bytes()
    items = not_captured(folder, "module_0001.jit_f.tpu_after_optimizations.hlo.pb", dump)
    must("memory-plan" not in items, items)


def device_without_events(folder):
    """A device that nothing was recorded of."""
    says(xla(folder, t.tpu(0, 0), t.host()), "tpu-operations", "TPU", "because the profile holds no device operations")
    gpu = t.Plane("/device:GPU:0").stat("device_vendor", "Nvidia")
    says(xla(folder, gpu, t.host()), "gpu-operations", "GPU", "CUPTI", "NVreg_RestrictProfilingToAdminUsers=0")


def python_and_host_tracer(folder):
    host = t.Plane("/host:CPU")
    work = host.line("a", [host.event("train", i * 10 * MS, 9 * MS, {"_r": 1, "step_num": i}) for i in range(3)])
    must(not {"python", "host"} & set(xla(folder, work, options())), "both were on")
    says(xla(folder, work, options(python=0)), "python", "because the Python tracer was off", "python_tracer_level")
    says(xla(folder, work, options(host=0)), "host", "because the host tracer was off", "host_tracer_level")


def cut_events(folder):
    """A step that begins before the capture."""
    env = t.Plane("Task Environment").stat("profile_start_time", 10**18).stat("profile_stop_time", 10**18 + 100 * 10**6)
    host = t.Plane("/host:CPU")
    events = [host.event("train", (i * 30 - 10 + 100) * MS, 29 * MS, {"_r": 1, "step_num": i}) for i in range(3)]
    events += [host.event("work", (i * 30 - 10 + 100) * MS, 20 * MS) for i in range(3)]
    host.line("a", events, timestamp_ns=10**18 - 100 * 10**6)
    says(xla(folder, env, host), "cut", "before the capture", "between two steps")


def steps_without_marks(folder):
    host = t.Plane("/host:CPU")
    host.line("a", [host.event("work", i * MS * 10, MS) for i in range(3)])
    says(xla(folder, host), "steps", "because", "jax.profiler.StepTraceAnnotation")


def pytorch(folder):
    events = [torch.event("user_annotation", f"ProfilerStep#{i}", i * 1000, 1000, **{"External id": i}) for i in range(2)]
    operator = torch.event("cpu_op", "aten::add", 10, 100, **{"External id": 9, "Input Dims": [[2, 2], []]})
    world = {"backend": "nccl", "rank": 0, "world_size": 4}
    def of(events, **more):
        return not_captured(folder, "w.1.pt.trace.json", torch.text(torch.trace(events, **more)))

    items = of(events)
    says(items, "shapes", "record_shapes=True")
    says(items, "stacks", "with_stack=True")
    says(items, "memory", "profile_memory=True")
    says(items, "gpus", "ProfilerActivity.CUDA")
    must(not any("jax" in text or "xplane" in text or "TPU" in text for text in items.values()), items)
    launch = torch.event("cuda_runtime", "cudaLaunchKernel", 20, 5, correlation=1)
    items = of([*events, launch])
    says(items, "kernels-launched", "launched 1 kernel", "CUPTI")
    must("gpus" not in items, items)
    must("shapes" not in of([*events, operator]), "shapes were recorded")
    must("memory" not in of([*events, torch.memory(5, 100)]), "memory was recorded")
    must("stacks" not in of(events, with_stack=1), "what was asked for and is not there was not to be had")
    says(of(events, distributedInfo=world), "workers", "traces of 1 of 4 workers", "worker_name")
    says(of([torch.event("cpu_op", "aten::add", 10, 100, **{"External id": 9})]), "steps", "p.step()")


def no_profile(folder):
    """Of a graph alone the profile is missing, and nothing that only a profile holds."""
    items = not_captured(folder, "graph.pb", graph_writer.graph(graph_writer.LOOP, graph_writer.LIBRARY))
    must(list(items) == ["events"], items)
    says(items, "events", "jax.profiler.trace(DIR)", "tf.profiler.experimental.start(DIR)", "tensorboard_trace_handler(DIR)")


run_all([tpu_without_hlo, tpu_with_hlo, what_a_dump_adds, device_without_events, python_and_host_tracer, cut_events,
         steps_without_marks, pytorch, no_profile])
