"""Pictures and captions: two loaders, one for each, are zipped; two encoders are trained to agree (CLIP's loss)."""

import torch
import torchvision
from torch import nn
from torch.nn import functional as F
from torch.utils.data import DataLoader, Dataset

from steps import ALL, DEVICE, Clock, torch_wait

PAIRS = 128


class Pictures(Dataset):
    def __init__(self):
        self.source = torch.randint(0, 255, (32, 3, 200, 200), dtype=torch.uint8)

    def __len__(self):
        return PAIRS * (ALL + 30)

    def __getitem__(self, index):
        crop = self.source[index % 32, :, index % 24:index % 24 + 176, index % 17:index % 17 + 176]
        return crop.float().div(255).sub(0.5).div(0.25)


class Captions(Dataset):
    def __len__(self):
        return PAIRS * (ALL + 30)

    def __getitem__(self, index):
        words = ("a photo of number %d in the set of %d" % (index, index % 97)).encode()
        ids = torch.zeros(48, dtype=torch.long)
        ids[:len(words)] = torch.tensor(list(words))
        return ids


class Text(nn.Module):
    def __init__(self):
        super().__init__()
        self.embed = nn.Embedding(256, 256)
        self.place = nn.Parameter(torch.randn(48, 256) * 0.02)
        layer = nn.TransformerEncoderLayer(256, 8, 1024, batch_first=True, dropout=0.0)
        self.layers = nn.TransformerEncoder(layer, 4, enable_nested_tensor=False)

    def forward(self, ids):
        return self.layers(self.embed(ids) + self.place).mean(1)


class Pair(nn.Module):
    def __init__(self):
        super().__init__()
        self.vision, self.text = torchvision.models.resnet50(num_classes=256), Text()
        self.scale = nn.Parameter(torch.tensor(2.6))

    def forward(self, pictures, captions):
        a, b = F.normalize(self.vision(pictures), dim=1), F.normalize(self.text(captions), dim=1)
        logits = self.scale.exp() * a @ b.T
        truth = torch.arange(len(a), device=a.device)
        return (F.cross_entropy(logits, truth) + F.cross_entropy(logits.T, truth)) / 2


def main():
    torch.manual_seed(0)
    model = Pair().to(DEVICE)
    optimizer = torch.optim.AdamW(model.parameters(), 5e-4)
    pin = DEVICE == "cuda"
    pictures = DataLoader(Pictures(), PAIRS, num_workers=8, pin_memory=pin, persistent_workers=True)
    captions = DataLoader(Captions(), PAIRS, num_workers=1, pin_memory=pin, persistent_workers=True)
    clock, average = Clock(), 0.0
    for step, (image, ids) in enumerate(zip(pictures, captions)):
        image, ids = image.to(DEVICE, non_blocking=True), ids.to(DEVICE, non_blocking=True)
        loss = model(image, ids)
        optimizer.zero_grad()
        loss.backward()
        optimizer.step()
        average = 0.9 * average + 0.1 * loss.item()
        clock.tick()
        if step + 1 == ALL:
            break
    clock.report(torch_wait)


main()
