"""The traces of this folder, and truth.json: what the program timed itself by the host's clock and by CUDA events. Taken on an NVIDIA
H200 with torch 2.11; it makes more than are kept here.

Usage: OUT=FOLDER capture.py"""
import gc, gzip, json, os, shutil, sys, time, traceback
from pathlib import Path
import torch
import torch.nn as nn
import torch.nn.functional as F
from torch.profiler import profile, ProfilerActivity as A, record_function, schedule, tensorboard_trace_handler

OUT = Path(os.environ["OUT"]); W = Path("/tmp/cap"); W.mkdir(exist_ok=True)
TRUTH = {"torch": torch.__version__, "device": torch.cuda.get_device_name(0)}
torch.manual_seed(0)
torch.set_float32_matmul_precision("high")

class Block(nn.Module):
    def __init__(self, d, h):
        super().__init__()
        self.h = h
        self.norm1, self.norm2 = nn.LayerNorm(d), nn.LayerNorm(d)
        self.qkv, self.proj = nn.Linear(d, 3 * d), nn.Linear(d, d)
        self.up, self.down = nn.Linear(d, 4 * d), nn.Linear(4 * d, d)

    def forward(self, x, cache=None, at=None):
        b, t, d = x.shape
        q, k, v = self.qkv(self.norm1(x)).view(b, t, 3, self.h, d // self.h).permute(2, 0, 3, 1, 4)
        if cache is None:
            y = F.scaled_dot_product_attention(q, k, v, is_causal=True)
        else:
            ck, cv = cache
            if t > 1:
                ck[:b, :, :t].copy_(k); cv[:b, :, :t].copy_(v)
                y = F.scaled_dot_product_attention(q, k, v, is_causal=True)
            else:
                ck.index_copy_(2, at, k); cv.index_copy_(2, at, v)
                y = F.scaled_dot_product_attention(q, ck, cv)
        x = x + self.proj(y.transpose(1, 2).reshape(b, t, d))
        return x + self.down(F.gelu(self.up(self.norm2(x))))

class Gpt(nn.Module):
    def __init__(self, layers=4, d=512, h=8, vocab=8192, most=512):
        super().__init__()
        self.d, self.h, self.layers, self.vocab, self.most = d, h, layers, vocab, most
        self.embed, self.pos = nn.Embedding(vocab, d), nn.Embedding(most, d)
        self.blocks = nn.ModuleList(Block(d, h) for _ in range(layers))
        self.norm, self.head = nn.LayerNorm(d), nn.Linear(d, vocab, bias=False)

    def forward(self, ids, pos, caches=None):
        x = self.embed(ids) + self.pos(pos)
        for i, block in enumerate(self.blocks):
            x = block(x, caches[i] if caches else None, pos)
        return self.head(self.norm(x))

def save(p, name):
    path = W / f"{name}.pt.trace.json"
    p.export_chrome_trace(str(path))
    with open(path, "rb") as f, gzip.GzipFile(filename="", fileobj=open(OUT_T / f"{name}.pt.trace.json.gz", "wb"), mode="wb", mtime=0, compresslevel=9) as g:
        shutil.copyfileobj(f, g)
    print(name, path.stat().st_size, (OUT_T / f"{name}.pt.trace.json.gz").stat().st_size, flush=True)

OUT_T = W / "out"; OUT_T.mkdir(exist_ok=True)

def serving(name, activities, graphs, annotate, prefills=4, decodes=40, batch=8, prompt=128, shapes=False):
    model = Gpt().cuda().to(torch.bfloat16).eval()
    caches = [(torch.zeros(batch, model.h, model.most, model.d // model.h, device="cuda", dtype=torch.bfloat16),
               torch.zeros(batch, model.h, model.most, model.d // model.h, device="cuda", dtype=torch.bfloat16)) for _ in range(model.layers)]
    ids = torch.zeros(batch, 1, dtype=torch.long, device="cuda"); pos = torch.zeros(1, dtype=torch.long, device="cuda")
    prompts = torch.randint(0, model.vocab, (2, prompt), device="cuda"); prompt_pos = torch.arange(prompt, device="cuda")
    with torch.no_grad():
        def decode():
            return model(ids, pos, caches)
        def prefill():
            return model(prompts, prompt_pos, caches)
        side = torch.cuda.Stream()
        with torch.cuda.stream(side):
            for _ in range(3):
                decode(); prefill()
        torch.cuda.synchronize()
        graph = None
        if graphs:
            graph = torch.cuda.CUDAGraph()
            with torch.cuda.graph(graph):
                logits = decode()
        rows, tokens = [], 0
        def sample(l):
            p = torch.softmax(l[:, -1].float(), -1)
            return torch.multinomial(p, 1)
        def iteration(kind, n):
            nonlocal tokens
            label = (f"execute_context_2({2 * prompt})_generation_0(0)" if kind == "prefill" else f"execute_context_0(0)_generation_{batch}({batch})")
            a, b = torch.cuda.Event(enable_timing=True), torch.cuda.Event(enable_timing=True)
            t0 = time.perf_counter()
            mark = record_function(label) if annotate else None
            if mark: mark.__enter__()
            a.record()
            if kind == "prefill":
                sample(prefill())
            else:
                pos.fill_(prompt + n)
                if graph is not None:
                    graph.replay(); out = sample(logits)
                else:
                    out = sample(decode())
                ids.copy_(out)
            b.record()
            if mark: mark.__exit__(None, None, None)
            torch.cuda.synchronize()
            t1 = time.perf_counter()
            rows.append({"family": kind, "name": label, "host_ms": (t1 - t0) * 1e3, "gpu_ms": a.elapsed_time(b)})
            tokens += 2 if kind == "prefill" else batch
            time.sleep(0.0002)
        def loop():
            n = 0
            for i in range(prefills):
                iteration("prefill", 0)
                for _ in range(decodes // prefills):
                    iteration("decode", n); n += 1
        loop(); rows.clear(); tokens = 0
        with profile(activities=activities, record_shapes=shapes) as p:
            t0 = time.perf_counter(); loop(); wall = time.perf_counter() - t0
    save(p, name)
    TRUTH[name] = {"iterations": rows, "output_tokens": tokens, "wall_s": wall, "graphs": graphs, "annotated": annotate}

def params(model):
    return sum(p.numel() for p in model.parameters())

def training(name, compiled=False, steps=10, micro=2, batch=8, seq=256, annotations=True, profiler_step=False, **options):
    model = Gpt().cuda()
    opt = torch.optim.AdamW(model.parameters(), lr=1e-4, fused=True)
    run = torch.compile(model) if compiled else model
    pos = torch.arange(seq, device="cuda"); rows = []
    def step():
        t0 = time.perf_counter()
        a, b = torch.cuda.Event(enable_timing=True), torch.cuda.Event(enable_timing=True); a.record()
        for _ in range(micro):
            ids = torch.randint(0, model.vocab, (batch, seq)).pin_memory().cuda(non_blocking=True)
            with record_function("forward"):
                with torch.autocast("cuda", torch.bfloat16):
                    loss = F.cross_entropy(run(ids, pos).float().view(-1, model.vocab), ids.view(-1))
            with record_function("backward"):
                loss.backward()
        with record_function("optimizer"):
            opt.step(); opt.zero_grad(set_to_none=True)
        b.record(); torch.cuda.synchronize()
        rows.append({"host_ms": (time.perf_counter() - t0) * 1e3, "gpu_ms": a.elapsed_time(b)})
    for _ in range(4): step()
    rows.clear()
    if profiler_step:
        with profile(activities=[A.CPU, A.CUDA], schedule=schedule(wait=0, warmup=1, active=steps, repeat=1), **options) as p:
            for _ in range(steps + 1):
                step(); p.step()
        rows[:] = rows[1:]
    else:
        with profile(activities=[A.CPU, A.CUDA], **options) as p:
            for _ in range(steps): step()
    save(p, name)
    TRUTH[name] = {"steps": rows, "microbatches": micro, "tokens_per_step": micro * batch * seq, "params": params(model),
                   "params_without_embeddings": params(model) - model.embed.weight.numel() - model.pos.weight.numel(),
                   "layers": model.layers, "hidden": model.d, "seq": seq, "vocab": model.vocab, "heads": model.h}

def snapshot():
    torch.cuda.memory._record_memory_history(max_entries=20000)
    model = Gpt(layers=2).cuda(); opt = torch.optim.AdamW(model.parameters())
    kept = []
    for i in range(3):
        ids = torch.randint(0, model.vocab, (4, 128), device="cuda")
        loss = F.cross_entropy(model(ids, torch.arange(128, device="cuda")).view(-1, model.vocab), ids.view(-1))
        loss.backward(); opt.step(); opt.zero_grad(set_to_none=True)
        kept.append(torch.empty(1 << 20, device="cuda"))
    torch.cuda.memory._dump_snapshot(str(W / "snapshot.pickle"))
    TRUTH["snapshot"] = {"allocated": torch.cuda.memory_allocated(), "reserved": torch.cuda.memory_reserved(), "peak": torch.cuda.max_memory_allocated()}
    torch.cuda.memory._record_memory_history(enabled=None)
    with open(W / "snapshot.pickle", "rb") as f, gzip.GzipFile(filename="", fileobj=open(OUT_T / "snapshot.pickle.gz", "wb"), mode="wb", mtime=0) as g:
        shutil.copyfileobj(f, g)

def part(fn, *a, **k):
    t = time.time()
    try:
        fn(*a, **k)
    except Exception:
        traceback.print_exc()
    gc.collect(); torch.cuda.empty_cache()
    print("  took", round(time.time() - t, 1), flush=True)

BOTH = [A.CPU, A.CUDA]
part(serving, "serving_graphs", BOTH, True, True)
part(serving, "serving_eager", BOTH, False, True, 2, 12, shapes=True)
part(serving, "serving_kernels_only", [A.CUDA], True, True)
part(serving, "serving_kernels_only_eager", [A.CUDA], False, False)
part(serving, "serving_unnamed", BOTH, True, False, 2, 20)
part(training, "train_annotated", steps=4)
part(training, "train_annotated_one", steps=6, micro=1)
part(training, "train_steps", profiler_step=True, steps=3, micro=1, record_shapes=True, profile_memory=True, with_stack=True, with_flops=True, with_modules=True)
part(training, "train_compiled", compiled=True, profiler_step=True, steps=3, micro=1, record_shapes=True)
part(snapshot)
(OUT_T / "truth.json").write_text(json.dumps(TRUTH, indent=1))
