"""Texts into vectors: words are looked up by plain Python in the main thread, a BERT of six layers runs on them, the
vectors go to the host as NumPy. `pin`, `nb`: of the ids."""

import random

import torch
import transformers

from steps import ALL, DEVICE, NON_BLOCKING, PIN, Clock, torch_wait

TEXTS = 96


def vocabulary():
    return {"word%d" % index: index + 3 for index in range(20000)}


def tokens_of(text, known):
    ids = [1]
    for word in text.lower().split():
        stripped = word.strip(".,;:!?")
        ids.append(known.get(stripped, 0))
        if stripped != word:
            ids.append(2)
    return ids


def text_of(source):
    return " ".join("Word%d%s" % (source.randrange(24000), source.choice(["", "", ",", "."])) for _ in range(source.randrange(30, 200)))


@torch.inference_mode()
def main():
    torch.manual_seed(0)
    source = random.Random(0)
    texts = [text_of(source) for _ in range(4 * TEXTS)]
    known = vocabulary()
    config = transformers.BertConfig(vocab_size=20004, hidden_size=512, num_hidden_layers=6, num_attention_heads=8, intermediate_size=2048)
    model = transformers.BertModel(config).to(DEVICE, torch.float16 if DEVICE == "cuda" else torch.float32).eval()
    clock = Clock()
    for step in range(ALL):
        rows = [tokens_of(text, known) for text in texts[step % 4 * TEXTS:(step % 4 + 1) * TEXTS]]
        longest = max(map(len, rows))
        ids = torch.tensor([row + [0] * (longest - len(row)) for row in rows])
        mask = (ids != 0).long()
        if PIN:
            ids, mask = ids.pin_memory(), mask.pin_memory()
        hidden = model(input_ids=ids.to(DEVICE, non_blocking=NON_BLOCKING),
                       attention_mask=mask.to(DEVICE, non_blocking=NON_BLOCKING)).last_hidden_state
        vectors = hidden[:, 0].float().cpu().numpy()
        assert vectors.shape == (TEXTS, 512)
        clock.tick()
    clock.report(torch_wait)


main()
