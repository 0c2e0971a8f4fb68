"""transformers' Trainer: a Llama of eight layers learns from texts which the collator cleans, splits into tokens and
packs into blocks of 512. An iteration is a step, as Trainer counts them; the loss is logged at each. No loader workers,
as Trainer has it. `w4`: four; `nosync`: logged each sixteenth step, without looking for losses that are not numbers."""

import random
import re
import tempfile
import unicodedata

import tokenizers
import torch
import transformers
from torch.utils.data import Dataset

from steps import ALL, DEVICE, WORDS, Clock, torch_wait

NO_SYNC = "nosync" in WORDS
WORKERS = next((int(word[1:]) for word in WORDS if word[0] == "w" and word[1:].isdigit()), 0)
BATCH, LENGTH, WIDTH, LAYERS, VOCABULARY = (32, 512, 512, 8, 4000) if DEVICE == "cuda" else (4, 32, 64, 2, 4000)


class Texts(Dataset):
    def __init__(self, count=400):
        chance = random.Random(0)
        syllables = [a + b for a in "bdfglmnprst" for b in ("a", "e", "i", "o", "u", "an", "er", "il")]
        words = ["".join(chance.choices(syllables, k=chance.randint(1, 4))) for _ in range(20_000)]
        words += [word.capitalize() for word in words[:300]]
        words += ["\u201c", "\u2014", "\u2019s", "caf\u00e9", "  ", "<br/>"]
        self.texts = [" ".join(chance.choices(words, k=chance.randint(230, 430))) + "." for _ in range(count)]

    def __len__(self):
        return BATCH * (ALL + 4)

    def __getitem__(self, index):
        return self.texts[index % len(self.texts)]


def train_tokenizer(texts):
    tokenizer = tokenizers.Tokenizer(tokenizers.models.BPE(unk_token="<unk>"))
    tokenizer.pre_tokenizer = tokenizers.pre_tokenizers.ByteLevel(add_prefix_space=False)
    tokenizer.train_from_iterator(texts, tokenizers.trainers.BpeTrainer(
        vocab_size=VOCABULARY, special_tokens=["<unk>", "</s>"], show_progress=False))
    return transformers.PreTrainedTokenizerFast(tokenizer_object=tokenizer, unk_token="<unk>", eos_token="</s>")


class Packed:
    """Collates texts into blocks of one length with nothing between them but the mark of an end."""

    def __init__(self, tokenizer):
        self.tokenizer = tokenizer

    def __call__(self, texts):
        texts = [unicodedata.normalize("NFKC", text) for text in texts]
        texts = [re.sub(r"\s+", " ", re.sub(r"<[^>]+>", " ", text)).strip() for text in texts]
        ids = []
        for one in self.tokenizer(texts, add_special_tokens=False, return_attention_mask=False)["input_ids"]:
            ids += one + [self.tokenizer.eos_token_id]
        blocks = min(BATCH, len(ids) // LENGTH)
        blocks = torch.tensor(ids[:blocks * LENGTH]).view(blocks, LENGTH)
        return {"input_ids": blocks, "labels": blocks.clone()}


class Timed(transformers.TrainerCallback):
    def __init__(self, clock):
        self.clock = clock

    def on_step_end(self, args, state, control, **kwargs):
        self.clock.tick()


def main():
    torch.manual_seed(0)
    data = Texts()
    tokenizer = train_tokenizer(data.texts[:100])
    config = transformers.LlamaConfig(
        vocab_size=VOCABULARY, hidden_size=WIDTH, intermediate_size=WIDTH * 11 // 4, num_hidden_layers=LAYERS,
        num_attention_heads=WIDTH // 64, num_key_value_heads=WIDTH // 64, max_position_embeddings=LENGTH,
        use_cache=False)
    arguments = transformers.TrainingArguments(
        output_dir=tempfile.mkdtemp(), max_steps=ALL, per_device_train_batch_size=BATCH, learning_rate=3e-4,
        lr_scheduler_type="cosine", warmup_steps=10, weight_decay=0.1, remove_unused_columns=False,
        dataloader_num_workers=WORKERS, logging_steps=16 if NO_SYNC else 1, logging_nan_inf_filter=not NO_SYNC,
        save_strategy="no", report_to=[], disable_tqdm=True, bf16=DEVICE == "cuda", use_cpu=DEVICE == "cpu")
    clock = Clock()
    trainer = transformers.Trainer(
        model=transformers.LlamaForCausalLM(config), args=arguments, train_dataset=data,
        data_collator=Packed(tokenizer), callbacks=[Timed(clock)])
    trainer.remove_callback(transformers.trainer_callback.PrinterCallback)
    trainer.train()
    clock.report(torch_wait)
    print("losses logged: %d" % sum("loss" in entry for entry in trainer.state.log_history))


main()
