"""Lightning: a convolutional autoencoder in bf16-mixed, gradients gathered over four batches, a validation of six
batches after each sixteen. An iteration is a training batch; validation is left out of the mean."""

import warnings

import lightning as L
import torch
from torch import nn
from torch.utils.data import DataLoader, TensorDataset

from steps import ALL, DEVICE, PIN, Clock, torch_wait

warnings.filterwarnings("ignore")
BATCH = 96


def block(into, out, stride):
    return nn.Sequential(nn.Conv2d(into, out, 3, stride, 1), nn.GroupNorm(8, out), nn.GELU())


class AutoEncoder(L.LightningModule):
    def __init__(self):
        super().__init__()
        self.encoder = nn.Sequential(block(3, 64, 2), block(64, 128, 2), block(128, 128, 1), block(128, 256, 2))
        self.decoder = nn.Sequential(
            nn.ConvTranspose2d(256, 128, 4, 2, 1), nn.GELU(), nn.ConvTranspose2d(128, 64, 4, 2, 1), nn.GELU(),
            nn.ConvTranspose2d(64, 3, 4, 2, 1))
        self.clock = Clock()

    def training_step(self, batch, index):
        (x,) = batch
        loss = nn.functional.mse_loss(self.decoder(self.encoder(x + 0.1 * torch.randn_like(x))), x)
        self.log("train_loss", loss)
        return loss

    def validation_step(self, batch, index):
        (x,) = batch
        self.log("val_loss", nn.functional.l1_loss(self.decoder(self.encoder(x)), x))

    def on_train_batch_end(self, *_):
        self.clock.tick()

    def on_validation_end(self):
        self.clock.skip()

    def configure_optimizers(self):
        return torch.optim.Adam(self.parameters(), 1e-3)


def main():
    L.seed_everything(7, verbose=False)
    data = TensorDataset(torch.rand(BATCH * 8, 3, 160, 160).repeat(-(-ALL // 8), 1, 1, 1)[:BATCH * ALL])
    validation = TensorDataset(torch.rand(BATCH * 6, 3, 160, 160))
    model = AutoEncoder()
    trainer = L.Trainer(
        accelerator="gpu" if DEVICE == "cuda" else "cpu", devices=1, precision="bf16-mixed", max_epochs=1,
        accumulate_grad_batches=4, val_check_interval=16, num_sanity_val_steps=0, logger=False,
        enable_checkpointing=False, enable_progress_bar=False, enable_model_summary=False)
    trainer.fit(model, DataLoader(data, BATCH, shuffle=True, num_workers=4, pin_memory=PIN),
                DataLoader(validation, BATCH, num_workers=2, pin_memory=PIN))
    model.clock.report(torch_wait)


main()
