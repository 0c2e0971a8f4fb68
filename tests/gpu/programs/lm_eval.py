"""Multiple-choice questions put to a language model, as evaluation harnesses do: question and answer are split into
tokens by plain Python and padded, a GPT-NeoX of twelve layers runs in bf16, the log-probabilities of the whole
vocabulary go to the host, which adds up those of the answer's tokens and looks whether each was the likeliest. An
iteration is a batch of eight answers. `pin`: ids, masks and log-probabilities in page-locked memory; `nb`: ids and masks
are sent without waiting."""

import random

import torch
import transformers
from torch.nn import functional as F

from steps import ALL, DEVICE, NON_BLOCKING, PIN, Clock, torch_wait

BATCH, ANSWERS, LONGEST = 8, 4, 160
VOCABULARY, WIDTH, LAYERS = (50_304, 1024, 12) if DEVICE == "cuda" else (997, 64, 2)


class Questions:
    def __init__(self, count):
        chance = random.Random(0)
        words = ["".join(chance.choices("abcdefghijklmnoprstuv", k=chance.randint(2, 9))) for _ in range(5000)]
        self.questions = [(" ".join(chance.choices(words, k=chance.randint(90, 130))),
                           [" ".join(chance.choices(words, k=chance.randint(3, 12))) for _ in range(ANSWERS)])
                          for _ in range(count)]

    def requests(self):
        """Pairs of question and answer in batches."""
        pairs = [(question, answer) for question, answers in self.questions for answer in answers]
        return [pairs[start:start + BATCH] for start in range(0, len(pairs), BATCH)]


def tokens(text):
    ids = []
    for word in text.split():
        number = 0
        for letter in word:
            number = (number * 31 + ord(letter)) % 1_000_003
        ids.append(2 + number % (VOCABULARY - 2))
        if len(word) > 6:
            ids.append(2 + number // 7 % (VOCABULARY - 2))
    return ids


def collate(pairs):
    rows = []
    for question, answer in pairs:
        answer = tokens(answer)
        rows.append((tokens(question)[-(LONGEST - len(answer)):], answer))
    length = max(len(question) + len(answer) for question, answer in rows)
    ids = torch.zeros(len(rows), length, dtype=torch.long)
    mask = torch.zeros(len(rows), length, dtype=torch.long)
    for row, (question, answer) in enumerate(rows):
        ids[row, :len(question) + len(answer)] = torch.tensor(question + answer)
        mask[row, :len(question) + len(answer)] = 1
    return (ids.pin_memory(), mask.pin_memory(), rows) if PIN else (ids, mask, rows)


@torch.inference_mode()
def main():
    torch.manual_seed(0)
    config = transformers.GPTNeoXConfig(
        vocab_size=VOCABULARY, hidden_size=WIDTH, num_hidden_layers=LAYERS, num_attention_heads=WIDTH // 64,
        intermediate_size=4 * WIDTH, max_position_embeddings=512, bos_token_id=0, eos_token_id=0)
    with torch.device(DEVICE):
        model = transformers.GPTNeoXForCausalLM(config).to(torch.bfloat16).eval()
    host = torch.empty(BATCH * LONGEST * VOCABULARY, pin_memory=True) if PIN else None
    scores, greedy, clock = [], 0, Clock()
    for pairs in Questions(ALL * BATCH // ANSWERS).requests():
        ids, mask, rows = collate(pairs)
        ids, mask = ids.to(DEVICE, non_blocking=NON_BLOCKING), mask.to(DEVICE, non_blocking=NON_BLOCKING)
        logits = model(input_ids=ids, attention_mask=mask, use_cache=False).logits
        likelihoods = F.log_softmax(logits.float(), dim=-1)
        if PIN:
            likelihoods = host[:likelihoods.numel()].view(likelihoods.shape).copy_(likelihoods)
        else:
            likelihoods = likelihoods.cpu()
        for row, (question, answer) in enumerate(rows):
            asked = likelihoods[row, len(question) - 1:len(question) + len(answer) - 1]
            right = torch.tensor(answer)
            scores.append(asked.gather(1, right[:, None]).sum().item() / len(answer))
            greedy += bool((asked.argmax(1) == right).all())
        clock.tick()
    best = [max(range(ANSWERS), key=scores[start:start + ANSWERS].__getitem__)
            for start in range(0, len(scores), ANSWERS)]
    print("first answer is best %.3f, greedy %.3f" % (best.count(0) / len(best), greedy / len(scores)))
    clock.report(torch_wait)


if __name__ == "__main__":
    main()
