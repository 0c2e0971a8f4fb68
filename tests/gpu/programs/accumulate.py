"""Accelerate: a GPT of six layers, gradients gathered over four batches. An iteration is a batch, as the loop has it."""

import torch
import transformers
from accelerate import Accelerator
from torch.utils.data import DataLoader, Dataset

from steps import ALL, DEVICE, PIN, Clock, torch_wait


class Tokens(Dataset):
    def __len__(self):
        return 8 * (ALL + 40)

    def __getitem__(self, index):
        return torch.randint(0, 8192, (512,), generator=torch.Generator().manual_seed(index))


def main():
    torch.manual_seed(0)
    accelerator = Accelerator(gradient_accumulation_steps=4, mixed_precision="bf16", cpu=DEVICE == "cpu")
    model = transformers.GPT2LMHeadModel(transformers.GPT2Config(vocab_size=8192, n_embd=768, n_layer=6, n_head=12))
    optimizer = torch.optim.AdamW(model.parameters(), 1e-4)
    loader = DataLoader(Tokens(), batch_size=8, num_workers=2, pin_memory=PIN)
    model, optimizer, loader = accelerator.prepare(model, optimizer, loader)
    clock = Clock()
    for count, tokens in enumerate(loader):
        with accelerator.accumulate(model):
            loss = model(input_ids=tokens, labels=tokens).loss
            accelerator.backward(loss)
            optimizer.step()
            optimizer.zero_grad()
        if count % 10 == 9:
            assert loss.item() == loss.item()
        clock.tick()
        if count + 1 == ALL:
            break
    clock.report(torch_wait)


main()
