"""A Llama of twelve layers fine-tuned with LoRA on answers of different lengths; two micro-batches for each step of
AdamW, the loss of each read. An iteration is a step of AdamW. `nosync`: losses are read at the end; `pin`, `nb`: of
the ids."""

import random

import torch
import transformers
from torch import nn
from torch.utils.data import DataLoader

from steps import ALL, DEVICE, NON_BLOCKING, PIN, WORDS, Clock, torch_wait

NO_SYNC = "nosync" in WORDS
ACCUMULATE, RANK, IGNORED = 2, 16, -100
BATCH, WIDTH, LAYERS, LONGEST, VOCABULARY = (8, 2048, 12, 512, 32000) if DEVICE == "cuda" else (2, 128, 2, 32, 512)


class LoRALinear(nn.Module):
    def __init__(self, base, rank=RANK, alpha=32):
        super().__init__()
        self.base, self.scale = base, alpha / rank
        self.a = nn.Parameter(torch.randn(rank, base.in_features, device=DEVICE) * 0.01)
        self.b = nn.Parameter(torch.zeros(base.out_features, rank, device=DEVICE))

    def forward(self, x):
        return self.base(x) + nn.functional.linear(nn.functional.linear(x, self.a), self.b) * self.scale


def add_lora(model, names=("q_proj", "k_proj", "v_proj", "o_proj")):
    model.requires_grad_(False)
    for layer in model.model.layers:
        for name in names:
            setattr(layer.self_attn, name, LoRALinear(getattr(layer.self_attn, name)))
    return [p for p in model.parameters() if p.requires_grad]


def build():
    config = transformers.LlamaConfig(
        vocab_size=VOCABULARY, hidden_size=WIDTH, intermediate_size=WIDTH * 11 // 4, num_hidden_layers=LAYERS,
        num_attention_heads=WIDTH // 64, num_key_value_heads=WIDTH // 128, max_position_embeddings=LONGEST)
    with torch.device(DEVICE):
        return transformers.LlamaForCausalLM(config).to(torch.bfloat16)


def examples(count):
    chance = random.Random(0)
    for _ in range(count):
        prompt, answer = chance.randint(LONGEST // 16, LONGEST // 4), chance.randint(LONGEST // 8, LONGEST * 3 // 4)
        ids = [chance.randrange(VOCABULARY) for _ in range(prompt + answer)]
        yield {"input_ids": ids, "labels": [IGNORED] * prompt + ids[prompt:]}


def collate(rows):
    longest = max(len(row["input_ids"]) for row in rows)
    ids = torch.tensor([row["input_ids"] + [0] * (longest - len(row["input_ids"])) for row in rows])
    labels = torch.tensor([row["labels"] + [IGNORED] * (longest - len(row["labels"])) for row in rows])
    return {"input_ids": ids, "labels": labels}  # padded on the right, so a causal model needs no mask


def endless(loader):
    while True:
        yield from loader


def main():
    torch.manual_seed(0)
    model = build()
    trained = add_lora(model)
    optimizer = torch.optim.AdamW(trained, 2e-4, weight_decay=0.0)
    schedule = transformers.get_cosine_schedule_with_warmup(optimizer, 8, ALL)
    batches = endless(DataLoader(list(examples(BATCH * 64)), BATCH, shuffle=True, collate_fn=collate, pin_memory=PIN))
    model.train()
    losses, clock = [], Clock()
    for step in range(ALL):
        for _ in range(ACCUMULATE):
            batch = {name: ids.to(DEVICE, non_blocking=NON_BLOCKING) for name, ids in next(batches).items()}
            with torch.autocast(DEVICE, torch.bfloat16):
                loss = model(**batch).loss / ACCUMULATE
            loss.backward()
            losses.append(loss.detach() if NO_SYNC else loss.item())
        nn.utils.clip_grad_norm_(trained, 1.0)
        optimizer.step()
        schedule.step()
        optimizer.zero_grad(set_to_none=True)
        clock.tick()
    clock.report(torch_wait)
    print("mean loss %.3f" % (ACCUMULATE * sum(float(loss) for loss in losses) / len(losses)))


main()
