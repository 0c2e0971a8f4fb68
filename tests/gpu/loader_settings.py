"""Holds the advisor's words to PyTorch DataLoaders: settings as they are, as advised, and a neighbour, timed in turns.

Usage: loader_settings.py FOLDER ROUNDS [PART OF A NAME], a table of settings on standard input, whose first line
names its columns (loader_settings.sh has it, and what is taken from the environment); or loader_settings.py loop, the
process that times: "ready", then a line of figures for each line of settings, both as JSON.

Times are of a batch, in milliseconds, by the program's own clock between two torch.cuda.synchronize(). As in the
simulation, a worker writes the batch within its time and keeps a core busy for the rest of it, and times of batches
vary by a tenth.
"""

import gc
import itertools
import json
import os
import random
import statistics
import subprocess
import sys
import threading
import time

from held_runs import HERE, touch_memory

DRY = os.environ.get("OVERLANE_SETTINGS_DRY", "") not in ("", "0")
PROFILE = os.environ.get("OVERLANE_SETTINGS_DEVICE", "h200_vm")
PROGRAM = os.environ.get("OVERLANE", os.path.join(HERE, "overlane"))
LONGEST_IN_ALL_S = float(os.environ.get("OVERLANE_SETTINGS_SECONDS", "450"))

SAMPLES = 64
SPREAD = 0.1
MATRIX = 4096
# A run: batches before the clock starts fill queues, pinned memory and caches.
WARM_UP_S, WARM_UP_LEAST = 0.3, 8
TIMED_S, TIMED_LEAST = 1.0, 32
LONGEST_RUN_S = 45
# What the advice has to be within of the best, and how far times lie apart that are the same at least.
NEAR, LEAST_NOISE = 0.05, 0.02
VARIANTS = ("now", "advised", "neighbour")


# -- the process that times ---------------------------------------------------------------------------------------


def spread_factor(index):
    return max(0.05, random.Random(index).gauss(1, SPREAD))


class Collate:
    """Puts samples together as a DataLoader does, and keeps its core busy until the batch's time is over."""

    def __init__(self, produce_ms):
        self.produce_ms = produce_ms

    def __call__(self, samples):
        from torch.utils.data import default_collate
        end = time.perf_counter() + self.produce_ms * 1e-3 * spread_factor(samples[0][0] // SAMPLES)
        batch = default_collate([tensors for _, tensors in samples])
        while time.perf_counter() < end:
            pass
        return batch


def samples_of(setting):
    import torch
    from torch.utils.data import Dataset

    class Samples(Dataset):
        def __init__(self):
            floats = (setting["mib"] << 20) // (4 * SAMPLES * setting["tensors"])
            self.source = [torch.randn(floats) for _ in range(8)]

        def __len__(self):
            return 1 << 30

        def __getitem__(self, index):
            return index, tuple(self.source[(index + at) % 8] for at in range(setting["tensors"]))

    return Samples()


def loader_of(setting):
    from torch.utils.data import DataLoader
    several = {"prefetch_factor": setting["prefetch"], "multiprocessing_context": "fork"} if setting["workers"] else {}
    return DataLoader(samples_of(setting), batch_size=SAMPLES, collate_fn=Collate(setting["produce_ms"]),
                      num_workers=setting["workers"], pin_memory=bool(setting["pin"]), **several)


class Gpu:
    """What the loop asks of PyTorch and CUDA."""

    def __init__(self):
        import torch
        self.torch = torch
        self.weights = torch.randn(MATRIX, MATRIX, device="cuda", dtype=torch.bfloat16)
        self.state = torch.randn(MATRIX, MATRIX, device="cuda", dtype=torch.bfloat16)
        self.output = torch.empty_like(self.state)
        self.product_ms = 0.2
        self.compute(5)
        self.synchronize()

    def synchronize(self):
        self.torch.cuda.synchronize()

    def compute(self, milliseconds):
        for _ in range(self.products(milliseconds)):
            self.torch.mm(self.state, self.weights, out=self.output)
        return self.output[0, 0]

    def products(self, milliseconds):
        return max(1, round(milliseconds / self.product_ms))

    def measure_product(self):
        """Milliseconds of a product, as the median of bursts like those of a loop."""
        bursts, count = [], 50
        for _ in range(20):
            start = time.perf_counter()
            self.compute(count * self.product_ms)
            self.synchronize()
            bursts.append((time.perf_counter() - start) * 1e3 / count)
            time.sleep(0.005)
        return statistics.median(bursts)

    def copied(self, batches, setting):
        """Batches on the device, copied as in the code that an advice gives."""
        non_blocking = bool(setting["non_blocking"])
        if setting["side"]:
            yield from self.on_side_stream(batches, max(1, setting["side"] - 1), non_blocking)
            return
        for batch in batches:
            yield [tensor.to("cuda", non_blocking=non_blocking) for tensor in batch]

    def on_side_stream(self, batches, depth, non_blocking):
        side, ready = self.torch.cuda.Stream(), []
        for batch in batches:
            with self.torch.cuda.stream(side):
                ready.append(([tensor.to("cuda", non_blocking=non_blocking) for tensor in batch], side.record_event()))
            if len(ready) == depth:
                yield self.handed_over(*ready.pop(0))

    def handed_over(self, batch, copied):
        compute = self.torch.cuda.current_stream()
        compute.wait_event(copied)
        for tensor in batch:
            tensor.record_stream(compute)
        return batch

    def forget(self):
        """Pinned memory that earlier runs left is not the next one's."""
        empty = getattr(self.torch._C, "_host_emptyCache", None)
        if empty:
            empty()

    def about(self):
        properties = self.torch.cuda.get_device_properties(0)
        return {"device": properties.name, "torch": self.torch.__version__, "cuda": self.torch.version.cuda,
                "cores": os.cpu_count()}


class NoGpu(Gpu):
    """The same without one: nothing is copied, and compute is a pause."""

    def __init__(self):
        import torch
        self.torch = torch
        self.product_ms = 0.2

    def synchronize(self):
        pass

    def compute(self, milliseconds):
        time.sleep(milliseconds * 1e-3)
        return self.torch.zeros(())

    def measure_product(self):
        return self.product_ms

    def copied(self, batches, setting):
        yield from batches

    def forget(self):
        pass

    def about(self):
        return {"device": "none, a dry run", "torch": self.torch.__version__, "cuda": None, "cores": os.cpu_count()}


def step(gpu, batch, setting):
    loss = gpu.compute(setting["compute_ms"]) + batch[0].flatten()[0]
    if setting["item"]:
        loss.item()


def timed_run(gpu, setting):
    """Goes through batches until enough are timed, a whole number of rounds of the workers."""
    loader = iter(loader_of(setting))
    batches = gpu.copied(loader, setting)
    in_flight = setting["workers"] * setting["prefetch"] + setting["side"]
    warm_up = WARM_UP_LEAST + setting["workers"] + in_flight
    begun = time.perf_counter()
    for count in itertools.count(1):
        step(gpu, next(batches), setting)
        if count >= warm_up and time.perf_counter() - begun >= WARM_UP_S:
            break
    gpu.synchronize()
    start = time.perf_counter()
    for count in itertools.count(1):
        step(gpu, next(batches), setting)
        enough = count >= TIMED_LEAST and time.perf_counter() - start >= TIMED_S
        if enough and count % max(1, setting["workers"]) == 0:
            break
    gpu.synchronize()
    batch_ms = (time.perf_counter() - start) * 1e3 / count
    batches.close()
    del batches, loader  # ends the workers
    gc.collect()
    gpu.forget()
    return {"batch_ms": round(batch_ms, 4), "batches": count}


def loop():
    gpu = NoGpu() if DRY else Gpu()
    print("ready", flush=True)
    for line in sys.stdin:
        asked = json.loads(line)
        try:
            if asked.get("product_ms"):
                gpu.product_ms = asked["product_ms"]
            answer = timed_run(gpu, asked["setting"]) if "setting" in asked else dict(
                gpu.about(), product_ms=gpu.measure_product())
        except Exception as error:  # of one setting; the next may do
            answer = {"error": "%s: %s" % (type(error).__name__, str(error).splitlines()[0] if str(error) else "")}
        print(json.dumps(answer), flush=True)


# -- the process that asks ----------------------------------------------------------------------------------------


class Process:
    """One that times, started beforehand: importing PyTorch takes longer than a run."""

    def __init__(self):
        self.process = subprocess.Popen([sys.executable, os.path.abspath(__file__), "loop"], stdin=subprocess.PIPE,
                                        stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True)
        self.errors = []
        threading.Thread(target=lambda: self.errors.extend(self.process.stderr), daemon=True).start()

    def line(self, longest_s):
        timer = threading.Timer(longest_s, self.process.kill)
        timer.start()
        try:
            return self.process.stdout.readline()
        finally:
            timer.cancel()

    def ready(self):
        return self.line(120).startswith("ready")

    def ask(self, **what):
        try:
            self.process.stdin.write(json.dumps(what) + "\n")
            self.process.stdin.flush()
        except OSError:
            pass
        line = self.line(LONGEST_RUN_S)
        if not line:
            return {"error": " / ".join(text.strip() for text in self.errors[-2:]) or "it ended or took too long"}
        return json.loads(line)

    def end(self):
        try:
            self.process.stdin.close()
            self.process.wait(15)
        except (OSError, subprocess.TimeoutExpired):
            self.process.kill()
            self.process.wait()


def read_settings(text, part):
    lines = [line.lstrip("# ").split() for line in text.splitlines() if line.strip()]
    names, settings = lines[0], []
    for values in lines[1:]:
        setting = {name: value if name == "name" else float(value) if name.endswith("_ms") else int(value)
                   for name, value in zip(names, values)}
        if part in setting["name"]:
            settings.append(setting)
    return settings


def scenario_of(setting):
    """The settings of the scenario that is like it."""
    return {
        "batch_bytes": setting["mib"] << 20, "samples": SAMPLES, "tensors": setting["tensors"],
        "workers": setting["workers"], "prefetch_factor": setting["prefetch"], "read_us": 0, "transform_us": 0,
        "produce_us": setting["produce_ms"] * 1e3, "produce_spread": SPREAD,
        "pin": "thread" if setting["pin"] else "none", "allocator": "pool",
        "non_blocking": "true" if setting["non_blocking"] else "false",
        "copy_stream": "side" if setting["side"] else "compute", "device_buffers": setting["side"] or 2,
        "compute_us": round(setting["compute_ms"] * 1e3, 1), "kernel": "gemm", "result_bytes": 0,
        "sync_every_step": "true" if setting["item"] else "false"}


def advise(setting):
    command = [PROGRAM, "advise", "--device", PROFILE, "--json"]
    for key, value in scenario_of(setting).items():
        command += ["--set", "%s=%s" % (key, value)]
    libraries = os.path.join(HERE, "lib") + ":" + os.environ.get("LD_LIBRARY_PATH", "")
    done = subprocess.run(command, capture_output=True, text=True, timeout=120,
                          env=dict(os.environ, LD_LIBRARY_PATH=libraries))
    if done.returncode != 0:
        raise RuntimeError("%s: %s" % (setting["name"], done.stderr.strip() or done.returncode))
    return json.loads(done.stdout)


def with_advised(setting, candidate):
    """The setting as an advice has it."""
    return dict(setting, workers=candidate["workers"], prefetch=candidate["prefetch_factor"],
                pin=int(candidate["pin"] != "none"), non_blocking=int(candidate["non_blocking"]),
                side=candidate["device_buffers"] if candidate["copy_stream"] == "side" else 0)


def neighbour_of(setting):
    return dict(setting, pin=1, non_blocking=1, workers=setting["workers"] + 1)


def simulated(candidate):
    """Milliseconds a batch: what the simulation says, and the range, where the advice gives one."""
    low, high = candidate.get("batch_low_ns"), candidate.get("batch_high_ns")
    return {"ms": candidate["batch_ns"] / 1e6, "low": low / 1e6 if low else None, "high": high / 1e6 if high else None}


def case_of(setting):
    advice = advise(setting)
    variants = {"now": setting, "advised": with_advised(setting, advice["advised"])}
    variants["neighbour"] = neighbour_of(variants["advised"])
    of_neighbour = advise(variants["neighbour"])["now"]
    return {"name": setting["name"], "advice": advice["advice"], "sentence": advice["sentence"],
            "certainty": advice.get("certainty"), "changed": advice["changed"], "variants": variants,
            "simulated": {"now": simulated(advice["now"]), "advised": simulated(advice["advised"]),
                          "neighbour": simulated(of_neighbour)},
            "measured": {variant: [] for variant in VARIANTS}, "errors": []}


def same(case):
    return case["variants"]["advised"] == case["variants"]["now"]


def run_case(process, case, order, product_ms):
    for variant in order:
        if variant == "advised" and same(case):
            continue
        answer = process.ask(setting=case["variants"][variant], product_ms=product_ms)
        if "error" in answer:
            case["errors"].append("%s: %s" % (variant, answer["error"]))
            print("%-16s %-10s %s" % (case["name"], variant, answer["error"]), flush=True)
            if process.process.poll() is not None:
                return
            continue
        case["measured"][variant].append(answer["batch_ms"])
        print("%-16s %-10s %9.3f ms, simulated %9.3f ms" % (
            case["name"], variant, answer["batch_ms"], case["simulated"][variant]["ms"]), flush=True)


def run_round(cases, turn, product_ms, deadline):
    """A process for each case; all start together, then one at a time is at work. Cases that had no time."""
    processes = [Process() for _ in cases]
    ready = [process.ready() for process in processes]
    order = VARIANTS[turn % len(VARIANTS):] + VARIANTS[:turn % len(VARIANTS)]
    left = 0
    for case, process, well in zip(cases, processes, ready):
        if time.perf_counter() > deadline:
            left += 1
        elif not well:
            case["errors"].append("no process: " + " / ".join(text.strip() for text in process.errors[-2:]))
        else:
            run_case(process, case, order, product_ms)
        process.end()
    return left


# -- the table ----------------------------------------------------------------------------------------------------


def noise_of(case):
    """Half of what lies between runs of one variant, as a share; the largest of the variants."""
    found = [(max(times) - min(times)) / 2 / statistics.median(times) for times in case["measured"].values() if times]
    return max(found + [LEAST_NOISE])


def judged(case):
    """What the advice turned out to be."""
    middles = {variant: statistics.median(times) for variant, times in case["measured"].items() if times}
    if same(case) and "now" in middles:
        middles["advised"] = middles["now"]
    case["medians"], case["noise"] = middles, noise_of(case)
    case["in_range"] = {variant: case["simulated"][variant]["low"] is not None and
                        case["simulated"][variant]["low"] <= middle <= case["simulated"][variant]["high"]
                        for variant, middle in middles.items()}
    if "now" not in middles or "advised" not in middles:
        case["no_slower"] = case["near_best"] = case["right"] = None
        return case
    case["no_slower"] = middles["advised"] <= middles["now"] * (1 + case["noise"])
    case["near_best"] = middles["advised"] <= min(middles.values()) * (1 + NEAR)
    case["right"] = case["no_slower"] and case["near_best"]
    return case


def setting_words(setting):
    words = ["pin" if setting["pin"] else "pageable", "non_blocking" if setting["non_blocking"] else "blocking"]
    if setting["side"]:
        words.append("side %d" % setting["side"])
    words.append("%d workers" % setting["workers"] if setting["workers"] != 1 else "1 worker")
    if setting["workers"]:
        words.append("prefetch %d" % setting["prefetch"])
    return ", ".join(words)


def simulated_words(figures):
    if figures["low"] is None:
        return "%.2f" % figures["ms"]
    return "%.2f (%.2f to %.2f)" % (figures["ms"], figures["low"], figures["high"])


def measured_words(times):
    return "%.2f (%.2f to %.2f)" % (statistics.median(times), min(times), max(times)) if times else "-"


def answer_words(answer):
    return "-" if answer is None else "yes" if answer else "**no**"


def row_of(case):
    now, times = case["variants"]["now"], case["measured"]
    data = "%d MiB in %d, %g ms a worker, %.1f ms of kernels%s" % (
        now["mib"], now["tensors"], now["produce_ms"], now["compute_ms"], ", loss read" if now["item"] else "")
    kept = same(case)
    return [case["name"], data, setting_words(now), simulated_words(case["simulated"]["now"]),
            measured_words(times["now"]), answer_words(case["in_range"].get("now")),
            "kept" if kept else setting_words(case["variants"]["advised"]),
            simulated_words(case["simulated"]["advised"]), measured_words(times["now" if kept else "advised"]),
            answer_words(case["in_range"].get("advised")),
            setting_words(case["variants"]["neighbour"]), measured_words(times["neighbour"]),
            "%.0f %%" % (case["noise"] * 100), answer_words(case["no_slower"]), answer_words(case["near_best"]),
            answer_words(case["right"])]


HEAD = ["setting", "data and compute", "now", "simulated (range)", "measured", "in range", "advised",
        "simulated (range)", "measured", "in range", "neighbour", "measured", "noise", "not slower", "within 5 %",
        "right"]


def count_words(cases, answer):
    found = [answer(case) for case in cases]
    return "%d of %d" % (sum(one is True for one in found), sum(one is not None for one in found))


def markdown(about, cases):
    lines = ["# The advisor held to PyTorch DataLoaders", "",
             "%s, PyTorch %s, CUDA %s, %s cores, %s; simulated with the profile `%s`; a product of the kernels takes "
             "%.3f ms. Milliseconds a batch: simulated with the range that the advice gives, measured as the median of "
             "runs in turns (smallest to largest). *Noise* is half of what lies between runs of a variant, the "
             "largest, and 2 %% at least; *right* is an advice that is not slower than before beyond it and within "
             "5 %% of the best that was measured." % (
                 about["device"], about["torch"], about["cuda"], about["cores"], time.strftime("%Y-%m-%d"), PROFILE,
                 about["product_ms"]), "",
             "| " + " | ".join(HEAD) + " |", "|" + "---|" * len(HEAD)]
    lines += ["| " + " | ".join(row_of(case)) + " |" for case in cases]
    lines += ["", "Right: %s. Not slower: %s. Within 5 %% of the best: %s. In the range: %s as they are, %s as advised, "
              "%s of the neighbours." % (
                  count_words(cases, lambda case: case["right"]), count_words(cases, lambda case: case["no_slower"]),
                  count_words(cases, lambda case: case["near_best"]),
                  *(count_words(cases, lambda case, variant=variant: case["in_range"].get(variant))
                    for variant in VARIANTS)), ""]
    lines += ["- `%s`: %s%s" % (case["name"], case["sentence"],
                                " " + case["certainty"] if case.get("certainty") else "") for case in cases]
    errors = ["- `%s`: %s" % (case["name"], error) for case in cases for error in case["errors"]]
    return "\n".join(lines + (["", "Not measured:", ""] + errors if errors else [])) + "\n"


def save(out, about, cases):
    cases = [judged(case) for case in cases]
    with open(os.path.join(out, "loader_settings.json"), "w") as file:
        json.dump({"about": about, "profile": PROFILE, "cases": cases}, file, indent=1)
    with open(os.path.join(out, "loader_settings.md"), "w") as file:
        file.write(markdown(about, cases))


def look_at_machine():
    """What it is, and how long a product takes."""
    process = Process()
    about = process.ask() if process.ready() else {"error": "".join(process.errors[-3:])}
    process.end()
    if "error" in about:
        sys.exit("python3 has no PyTorch that sees a GPU: " + about["error"])
    shared = os.statvfs("/dev/shm")
    about["shared_memory_bytes"] = shared.f_bavail * shared.f_frsize
    print("%(device)s, PyTorch %(torch)s, a product takes %(product_ms).4f ms, %(shared_memory_bytes)d bytes of shared "
          "memory" % about, flush=True)
    return about


def main():
    start = time.perf_counter()
    out, rounds = os.path.abspath(sys.argv[1]), int(sys.argv[2])
    settings = read_settings(sys.stdin.read(), sys.argv[3] if len(sys.argv) > 3 else "")
    about = look_at_machine()
    if not DRY:
        touch_memory(24 << 30)
    for setting in settings:  # as long as so many whole products take
        setting["compute_ms"] = max(1, round(setting["compute_ms"] / about["product_ms"])) * about["product_ms"]
    cases = [case_of(setting) for setting in settings]
    print("advised on %d settings: %.0f s" % (len(cases), time.perf_counter() - start), flush=True)
    for turn in range(rounds):
        left = run_round(cases, turn, about["product_ms"], start + LONGEST_IN_ALL_S)
        save(out, about, cases)
        print("round %d: %.0f s in all%s" % (turn + 1, time.perf_counter() - start,
                                             ", no time for %d settings" % left if left else ""), flush=True)
        if left:
            break
    print(markdown(about, cases))
    failures = sum(len(case["errors"]) for case in cases)
    print("failures: %d, %.0f s" % (failures, time.perf_counter() - start))
    return 1 if failures else 0


if __name__ == "__main__":
    sys.exit(loop() if sys.argv[1] == "loop" else main())
