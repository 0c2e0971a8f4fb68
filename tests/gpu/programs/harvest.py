"""Activations for sparse autoencoders: a GPT-2 of sixteen layers reads 32 pieces of text at a time in fp16, hooks on
four of its layers bring what they give to the host (32 MiB each), which picks half of the tokens for a shuffled shard
and keeps their mean. An iteration is such a batch. `pin`: ids and activations in page-locked memory, `nb`: ids are sent
without waiting, `later`: activations are not waited for, those of a batch are stored after the next one was launched,
with a second set of buffers."""

import numpy as np
import torch
import transformers

from steps import ALL, DEVICE, NON_BLOCKING, PIN, WORDS, Clock, torch_wait

LATER = "later" in WORDS
TEXTS, LENGTH, WIDTH, LAYERS, VOCABULARY = (32, 512, 1024, 16, 50_257) if DEVICE == "cuda" else (2, 32, 64, 16, 500)
TAPPED = (3, 7, 11, 15)
DTYPE = torch.float16 if DEVICE == "cuda" else torch.float32
TOKENS = TEXTS * LENGTH


class Landing:
    """Where the activations of a batch arrive, and the event after the last of their copies."""

    def __init__(self):
        self.ids = torch.empty(TEXTS, LENGTH, dtype=torch.int64, pin_memory=PIN)
        self.layers = {layer: torch.zeros(TOKENS, WIDTH, dtype=DTYPE, pin_memory=PIN) for layer in TAPPED}
        self.arrived = torch.cuda.Event() if LATER else None


class Harvester:
    def __init__(self):
        config = transformers.GPT2Config(
            vocab_size=VOCABULARY, n_positions=LENGTH, n_embd=WIDTH, n_layer=LAYERS, n_head=WIDTH // 64,
            bos_token_id=0, eos_token_id=0)
        with torch.device(DEVICE):
            self.model = transformers.GPT2Model(config).to(DTYPE).eval()
        for layer in TAPPED:
            self.model.h[layer].register_forward_hook(self.hook(layer))
        self.landings = [Landing() for _ in range(2 if LATER else 1)]
        self.landing = self.landings[0]

    def hook(self, layer):
        def keep(module, arguments, output):
            hidden = output[0] if isinstance(output, tuple) else output
            self.landing.layers[layer].copy_(hidden.reshape(TOKENS, WIDTH), non_blocking=LATER)
        return keep

    @torch.inference_mode()
    def read(self, step, texts):
        self.landing = self.landings[step % len(self.landings)]
        self.landing.ids.copy_(texts)
        ids = self.landing.ids.to(DEVICE, non_blocking=NON_BLOCKING)
        self.model(input_ids=ids, use_cache=False)
        if LATER:
            self.landing.arrived.record()
        return self.landing


class Shard:
    """Tokens of many batches, mixed; the autoencoders are trained on it by somebody else."""

    def __init__(self, batches=4):
        self.half, self.batches = TOKENS // 2, batches
        self.values = {layer: torch.zeros(batches * self.half, WIDTH, dtype=DTYPE) for layer in TAPPED}
        self.means = {layer: torch.zeros(WIDTH) for layer in TAPPED}
        self.chance, self.added = torch.Generator().manual_seed(0), 0

    def add(self, landing):
        picked = torch.randperm(TOKENS, generator=self.chance)[:self.half]
        start = self.added % self.batches * self.half
        for layer, activations in landing.layers.items():
            place = self.values[layer][start:start + self.half]
            torch.index_select(activations, 0, picked, out=place)
            self.means[layer] += place[::64].float().mean(0)
        self.added += 1


def make_corpus():
    chance = np.random.default_rng(0)
    words = np.minimum(chance.zipf(1.2, 64 * TOKENS), VOCABULARY - 1).astype(np.uint16)
    return words.reshape(-1, TEXTS, LENGTH)


def main():
    torch.manual_seed(0)
    corpus, harvester, shard = make_corpus(), Harvester(), Shard()
    before, clock = None, Clock()
    for step in range(ALL):
        texts = torch.from_numpy(corpus[step % len(corpus)].astype(np.int64))
        landing = harvester.read(step, texts)
        if LATER:
            if before is not None:
                before.arrived.synchronize()
                shard.add(before)
            before = landing
        else:
            shard.add(landing)
        clock.tick()
    if LATER:
        before.arrived.synchronize()
        shard.add(before)
    clock.report(torch_wait)
    norms = ["%.2f" % (mean / shard.added).norm() for mean in shard.means.values()]
    print("batches %d, norms of means %s" % (shard.added, " ".join(norms)))


if __name__ == "__main__":
    main()
