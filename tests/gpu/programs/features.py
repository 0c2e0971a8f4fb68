"""Lightning's predict: tokens of JPEG pictures by a ViT-B/16 in bf16; two loader workers decode, resize and crop
with PIL, a writer puts each batch's tokens into a memory-mapped file. `w8`: eight workers, `pin`: pin_memory of the
loader."""

import io
import os
import tempfile
import warnings

import lightning as L
import numpy as np
import torch
import torchvision
from lightning.pytorch.callbacks import BasePredictionWriter
from PIL import Image
from torch.utils.data import DataLoader, Dataset
from torchvision.transforms import v2

from steps import ALL, DEVICE, PIN, WORDS, Clock, torch_wait

warnings.filterwarnings("ignore")
WORKERS = next((int(word[1:]) for word in WORDS if word[0] == "w" and word[1:].isdigit()), 2)
BATCH, LAYERS = (48, 12) if DEVICE == "cuda" else (4, 1)


class Folder(Dataset):
    """The folder's files, read into memory, and ImageNet's usual transforms."""

    def __init__(self, count):
        rng = np.random.default_rng(0)
        self.files, self.count = [], count
        for _ in range(16):
            small = Image.fromarray(rng.integers(0, 256, (30, 40, 3), np.uint8))
            file = io.BytesIO()
            small.resize((400, 300), Image.Resampling.BICUBIC).save(file, "JPEG", quality=90)
            self.files.append(file.getvalue())
        self.transform = v2.Compose([
            v2.Resize(256), v2.CenterCrop(224), v2.ToImage(), v2.ToDtype(torch.float32, scale=True),
            v2.Normalize([0.485, 0.456, 0.406], [0.229, 0.224, 0.225])])

    def __len__(self):
        return self.count

    def __getitem__(self, index):
        with Image.open(io.BytesIO(self.files[index % len(self.files)])) as picture:
            return self.transform(picture.convert("RGB")), index


class Extractor(L.LightningModule):
    def __init__(self):
        super().__init__()
        self.vit = torchvision.models.VisionTransformer(224, 16, LAYERS, 12, 768, 3072).eval()

    def predict_step(self, batch, batch_index):
        pictures, indices = batch
        tokens = self.vit._process_input(pictures)
        tokens = torch.cat([self.vit.class_token.expand(len(tokens), -1, -1), tokens], 1)
        return indices, self.vit.encoder(tokens)


class Writer(BasePredictionWriter):
    def __init__(self, path, count):
        super().__init__(write_interval="batch")
        self.file = np.lib.format.open_memmap(path, "w+", np.float16, (count, 197, 768))
        self.clock = Clock()

    def write_on_batch_end(self, trainer, module, prediction, batch_indices, batch, batch_index, dataloader_index):
        indices, tokens = prediction
        self.file[indices.cpu().numpy()] = tokens.float().cpu().numpy()

    def on_predict_start(self, *_):
        self.clock.skip()

    def on_predict_batch_end(self, *arguments, **named):
        super().on_predict_batch_end(*arguments, **named)
        self.clock.tick()


def main():
    L.seed_everything(0, verbose=False)
    with tempfile.TemporaryDirectory() as folder:
        data = Folder(BATCH * ALL)
        writer = Writer(os.path.join(folder, "features.npy"), len(data))
        trainer = L.Trainer(
            accelerator="gpu" if DEVICE == "cuda" else "cpu", devices=1, precision="bf16-mixed", callbacks=[writer],
            logger=False, enable_checkpointing=False, enable_progress_bar=False, enable_model_summary=False)
        loader = DataLoader(data, BATCH, num_workers=WORKERS, pin_memory=PIN)
        trainer.predict(Extractor(), loader, return_predictions=False)
        writer.clock.report(torch_wait)


main()
