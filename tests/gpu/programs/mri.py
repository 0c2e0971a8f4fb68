"""Pictures from half-measured magnetic resonance: a thread takes slices of twelve coils out of the host's memory,
leaves out most of their lines and puts them into one of four buffers (59 MiB of k-space, masks and true pictures); a
network of five cascades, in the manner of the variational network, fills in what is missing; the loss is read each
step. `pin`: page-locked buffers, `nb`: copies that do not wait, `side`: the next batch is sent on a stream of its own
while this one is learnt; `nosync`: losses are added up on the GPU."""

import contextlib
import queue
import threading

import torch
from torch import nn
from torch.nn import functional as F

from steps import ALL, DEVICE, NON_BLOCKING, PIN, WORDS, Clock, torch_wait

SIDE, READ_EACH = "side" in WORDS, "nosync" not in WORDS
BATCH, COILS, SIZE, CASCADES, WIDTH = (6, 12, 320, 5, 32) if DEVICE == "cuda" else (2, 3, 32, 2, 8)
SLICES, BUFFERS, MIDDLE = 36, 4, SIZE // 12


def to_picture(kspace):
    return torch.fft.fftshift(torch.fft.ifft2(kspace, norm="ortho"), dim=(-2, -1))


def to_kspace(pictures):
    return torch.fft.fft2(torch.fft.ifftshift(pictures, dim=(-2, -1)), norm="ortho")


def make_slices():
    rows, columns = torch.meshgrid(torch.linspace(-1, 1, SIZE), torch.linspace(-1, 1, SIZE), indexing="ij")
    body = torch.zeros(SIZE, SIZE)
    for _ in range(12):
        across, down, wide, tall, bright = (torch.rand(5) * torch.tensor([1.2, 1.2, 0.5, 0.5, 1.0])).tolist()
        x, y = (columns - across + 0.6) / (wide + 0.05), (rows - down + 0.6) / (tall + 0.05)
        body += bright * (x ** 2 + y ** 2 < 1)
    angles = torch.arange(COILS) * (6.283 / COILS)
    near = torch.exp(-((rows - angles.sin()[:, None, None]) ** 2 + (columns - angles.cos()[:, None, None]) ** 2))
    kspace = torch.empty(SLICES, COILS, SIZE, SIZE, dtype=torch.complex64)
    truth = torch.empty(SLICES, SIZE, SIZE)
    for number in range(SLICES):
        coils = near * body.roll((3 * number, 2 * number), (0, 1))
        kspace[number], truth[number] = to_kspace(coils + 0j), coils.pow(2).sum(0).sqrt()
    return kspace, truth


class Acquisition(threading.Thread):
    """Fills free buffers; what the GPU may still be reading is waited for here."""

    def __init__(self):
        super().__init__(daemon=True)
        self.kspace, self.truth = make_slices()
        self.free, self.ready = queue.Queue(), queue.Queue(2)
        for _ in range(BUFFERS):
            kspace = torch.empty(BATCH, COILS, SIZE, SIZE, dtype=torch.complex64, pin_memory=PIN)
            mask, truth = (torch.empty(BATCH, *shape, pin_memory=PIN) for shape in ((1, 1, SIZE), (SIZE, SIZE)))
            self.free.put(((kspace, mask, truth), None))

    def run(self):
        chance = torch.Generator().manual_seed(1)
        for _ in range(ALL):
            buffers, sent = self.free.get()
            if sent is not None:
                sent.synchronize()
            kspace, mask, truth = buffers
            picked = torch.randint(SLICES, (BATCH,), generator=chance)
            mask.copy_(torch.rand(BATCH, 1, 1, SIZE, generator=chance) < 0.2)
            mask[..., :MIDDLE] = mask[..., -MIDDLE:] = 1  # low frequencies are at the edges here
            torch.index_select(self.kspace, 0, picked, out=kspace)
            kspace *= mask
            torch.index_select(self.truth, 0, picked, out=truth)
            self.ready.put(buffers)


class Sender:
    def __init__(self, acquisition):
        self.acquisition, self.stream = acquisition, torch.cuda.Stream() if SIDE else None

    def next(self):
        buffers = self.acquisition.ready.get()
        with torch.cuda.stream(self.stream) if SIDE else contextlib.nullcontext():
            batch = [buffer.to(DEVICE, non_blocking=NON_BLOCKING) for buffer in buffers]
            sent = torch.cuda.current_stream().record_event() if NON_BLOCKING else None
        self.acquisition.free.put((buffers, sent))
        return batch

    def arrived(self, batch):
        torch.cuda.current_stream().wait_stream(self.stream)
        for part in batch:
            part.record_stream(torch.cuda.current_stream())
        return batch


class Cascade(nn.Module):
    def __init__(self):
        super().__init__()
        layers, inside = [], 2
        for _ in range(4):
            layers += [nn.Conv2d(inside, WIDTH, 3, padding=1), nn.InstanceNorm2d(WIDTH), nn.LeakyReLU(0.2)]
            inside = WIDTH
        self.refine, self.step = nn.Sequential(*layers, nn.Conv2d(WIDTH, 2, 1)), nn.Parameter(torch.ones(()))

    def forward(self, picture, sensitivities, measured, mask):
        change = self.refine(torch.view_as_real(picture).permute(0, 3, 1, 2)).permute(0, 2, 3, 1).contiguous()
        picture = picture + torch.view_as_complex(change)
        wrong = mask * to_kspace(sensitivities * picture[:, None]) - measured
        return picture - self.step * (to_picture(wrong) * sensitivities.conj()).sum(1)


def main():
    torch.manual_seed(0)
    torch.backends.cuda.matmul.allow_tf32 = torch.backends.cudnn.allow_tf32 = True
    cascades = nn.ModuleList(Cascade() for _ in range(CASCADES)).to(DEVICE)
    optimizer = torch.optim.Adam(cascades.parameters(), 3e-4)
    acquisition = Acquisition()
    acquisition.start()
    sender, total, clock = Sender(acquisition), 0.0, Clock()
    upcoming = sender.next() if SIDE else None
    for step in range(ALL):
        measured, mask, truth = sender.arrived(upcoming) if SIDE else sender.next()
        with torch.no_grad():
            coils = to_picture(measured)
            sensitivities = coils / (coils.abs().pow(2).sum(1, keepdim=True).sqrt() + 1e-4)
            picture = (coils * sensitivities.conj()).sum(1)
        for cascade in cascades:
            picture = cascade(picture, sensitivities, measured, mask)
        loss = F.l1_loss(picture.abs(), truth)
        optimizer.zero_grad()
        loss.backward()
        optimizer.step()
        if SIDE and step + 1 < ALL:
            upcoming = sender.next()
        total += loss.item() if READ_EACH else loss.detach()
        clock.tick()
    clock.report(torch_wait)
    print("mean loss %.4f" % (float(total) / ALL))


if __name__ == "__main__":
    main()
