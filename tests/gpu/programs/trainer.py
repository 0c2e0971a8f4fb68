"""transformers' Trainer: a BERT of four layers on texts of different lengths, gradients gathered over two batches.
An iteration is a step of the optimizer, as Trainer counts them. `pin`: dataloader_pin_memory."""

import tempfile

import torch
import transformers
from torch.utils.data import Dataset

from steps import ALL, DEVICE, PIN, Clock, torch_wait


class Texts(Dataset):
    def __len__(self):
        return 64 * (ALL + 20)

    def __getitem__(self, index):
        source = torch.Generator().manual_seed(index)
        ids = torch.randint(1, 8192, (int(torch.randint(40, 250, (1,), generator=source)),), generator=source)
        return {"input_ids": ids, "labels": index % 2}


def padded(rows):
    ids = torch.nn.utils.rnn.pad_sequence([row["input_ids"] for row in rows], batch_first=True)
    return {"input_ids": ids, "attention_mask": (ids != 0).long(), "labels": torch.tensor([row["labels"] for row in rows])}


class Timed(transformers.TrainerCallback):
    def __init__(self, clock):
        self.clock = clock

    def on_step_end(self, args, state, control, **kwargs):
        self.clock.tick()


def main():
    torch.manual_seed(0)
    config = transformers.BertConfig(vocab_size=8192, hidden_size=512, num_hidden_layers=4, num_attention_heads=8,
                                     intermediate_size=2048, num_labels=2)
    clock = Clock()
    arguments = transformers.TrainingArguments(
        output_dir=tempfile.mkdtemp(), max_steps=ALL, per_device_train_batch_size=32, gradient_accumulation_steps=2,
        dataloader_num_workers=2, dataloader_pin_memory=PIN, save_strategy="no", logging_strategy="no", report_to=[],
        disable_tqdm=True, bf16=DEVICE == "cuda", use_cpu=DEVICE == "cpu")
    transformers.Trainer(model=transformers.BertForSequenceClassification(config), args=arguments, train_dataset=Texts(),
                         data_collator=padded, callbacks=[Timed(clock)]).train()
    clock.report(torch_wait)


main()
