"""Pictures from prompts on a card that others use too: text encoder, diffusion transformer and decoder wait on the host
and each comes to the GPU for its phase only. An iteration is a batch of prompts: encoding, eight steps with guidance,
decoding. `pin`: weights, ids and pictures in page-locked memory, `nb`: weights and ids are sent without waiting."""

import torch
import transformers
from torch import nn
from torch.nn import functional as F

from steps import ALL, DEVICE, NON_BLOCKING, PIN, Clock, torch_wait

PICTURES, WORDS_EACH, LATENT, DENOISE, GUIDANCE = 4, 64, 32, 8, 5.0
WIDTH, LAYERS, TEXT_WIDTH, TEXT_LAYERS, CHANNELS = (768, 14, 640, 10, 256) if DEVICE == "cuda" else (64, 2, 64, 2, 64)
DTYPE = torch.bfloat16


class OnHost:
    """A module whose weights live on the host; `with` it, they are on the GPU."""

    def __init__(self, module):
        self.module = module.to(DTYPE).eval().requires_grad_(False)
        self.parameters = list(module.parameters())
        self.host = [p.data.pin_memory() if PIN else p.data for p in self.parameters]

    def __enter__(self):
        for p, host in zip(self.parameters, self.host):
            p.data = host.to(DEVICE, non_blocking=NON_BLOCKING)
        return self.module

    def __exit__(self, *_):
        for p, host in zip(self.parameters, self.host):
            p.data = host


class Block(nn.Module):
    def __init__(self):
        super().__init__()
        self.norms = nn.ModuleList(nn.LayerNorm(WIDTH, elementwise_affine=False) for _ in range(2))
        self.qkv, self.out = nn.Linear(WIDTH, 3 * WIDTH), nn.Linear(WIDTH, WIDTH)
        self.modulate = nn.Linear(WIDTH, 6 * WIDTH)
        self.mlp = nn.Sequential(nn.Linear(WIDTH, 4 * WIDTH), nn.GELU("tanh"), nn.Linear(4 * WIDTH, WIDTH))

    def forward(self, x, condition):
        s1, b1, g1, s2, b2, g2 = self.modulate(F.silu(condition))[:, None].chunk(6, -1)
        qkv = self.qkv(self.norms[0](x) * (1 + s1) + b1)
        q, k, v = qkv.view(*x.shape[:2], 3, WIDTH // 64, 64).permute(2, 0, 3, 1, 4)
        x = x + g1 * self.out(F.scaled_dot_product_attention(q, k, v).transpose(1, 2).reshape(x.shape))
        return x + g2 * self.mlp(self.norms[1](x) * (1 + s2) + b2)


class Transformer(nn.Module):
    def __init__(self):
        super().__init__()
        self.patch, self.text, self.time = nn.Linear(16, WIDTH), nn.Linear(TEXT_WIDTH, WIDTH), nn.Linear(256, WIDTH)
        self.place = nn.Parameter(torch.randn(LATENT * LATENT // 4, WIDTH) * 0.02)
        self.blocks = nn.ModuleList(Block() for _ in range(LAYERS))
        self.head = nn.Linear(WIDTH, 16)

    def forward(self, x, time, text):
        waves = time * torch.logspace(0, 3, 128, device=x.device)
        condition = self.time(torch.cat([waves.sin(), waves.cos()]).to(x.dtype)) + self.text(text.mean(1))
        tokens = self.patch(F.pixel_unshuffle(x, 2).flatten(2).transpose(1, 2)) + self.place
        tokens = torch.cat([self.text(text), tokens], 1)
        for block in self.blocks:
            tokens = block(tokens, condition)
        out = self.head(tokens[:, text.shape[1]:]).transpose(1, 2)
        return F.pixel_shuffle(out.unflatten(2, (LATENT // 2, LATENT // 2)), 2)


def decoder():
    layers, width = [nn.Conv2d(4, CHANNELS, 3, padding=1)], CHANNELS
    for _ in range(3):
        layers += [nn.Conv2d(width, width, 3, padding=1), nn.GroupNorm(8, width), nn.SiLU(),
                   nn.Upsample(scale_factor=2),
                   nn.Conv2d(width, width // 2, 3, padding=1), nn.GroupNorm(8, width // 2), nn.SiLU()]
        width //= 2
    return nn.Sequential(*layers, nn.Conv2d(width, 3, 3, padding=1), nn.Tanh())


@torch.no_grad()
def main():
    torch.manual_seed(0)
    config = transformers.T5Config(
        d_model=TEXT_WIDTH, d_ff=4 * TEXT_WIDTH, d_kv=64, num_layers=TEXT_LAYERS, vocab_size=16_000,
        num_heads=TEXT_WIDTH // 64, feed_forward_proj="gated-gelu", use_cache=False)
    encoder, denoiser, vae = (OnHost(m) for m in (transformers.T5EncoderModel(config), Transformer(), decoder()))
    prompts = torch.randint(3, 16_000, (16, PICTURES, WORDS_EACH))
    result = torch.zeros(PICTURES, 3, 8 * LATENT, 8 * LATENT, dtype=torch.uint8)
    if PIN:
        prompts, result = prompts.pin_memory(), result.pin_memory()
    nothing = torch.ones(PICTURES, WORDS_EACH, dtype=torch.long, device=DEVICE)
    brightness, clock = [], Clock()
    for step in range(ALL):
        ids = prompts[step % len(prompts)].to(DEVICE, non_blocking=NON_BLOCKING)
        with encoder as model:
            text = model(input_ids=torch.cat([ids, nothing])).last_hidden_state
        x = torch.randn(PICTURES, 4, LATENT, LATENT, device=DEVICE, dtype=DTYPE)
        with denoiser as model:
            for time in torch.linspace(1, 1 / DENOISE, DENOISE).tolist():
                wanted, free = model(torch.cat([x, x]), time, text).chunk(2)
                x = x - (free + GUIDANCE * (wanted - free)) / DENOISE
        with vae as model:
            pictures = model(x)
        result.copy_(((pictures.float() + 1) * 127.5).to(torch.uint8))
        brightness.append(result.numpy().mean())
        clock.tick()
    clock.report(torch_wait)
    print("mean brightness %.1f" % (sum(brightness) / len(brightness)))


main()
