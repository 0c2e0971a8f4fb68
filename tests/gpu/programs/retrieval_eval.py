"""Zero-shot retrieval: a CLIP (ViT-B/16) sees pictures and captions, vectors of both go to the host after each batch,
and recall is counted in the end. Two loader workers resize, crop and normalise. `w8`: eight of them, `pin`: pin_memory
of the loader."""

import random

import torch
import transformers
from torch.utils.data import DataLoader, Dataset
from torchvision.transforms import InterpolationMode, v2

from steps import ALL, DEVICE, NON_BLOCKING, PIN, WORDS, Clock, torch_wait

WORKERS = next((int(word[1:]) for word in WORDS if word[0] == "w" and word[1:].isdigit()), 2)
BATCH, SIDE, WIDTH, LAYERS = (48, 224, 768, 12) if DEVICE == "cuda" else (4, 64, 64, 2)
LENGTH, VOCABULARY = (77, 49408) if DEVICE == "cuda" else (16, 999)
END = VOCABULARY - 1


class Captioned(Dataset):
    """Photographs of several sizes with a caption each, as a folder of decoded files would give them."""

    def __init__(self, count=96):
        chance = random.Random(0)
        self.photos = [torch.randint(0, 256, (3, chance.randint(360, 480), chance.randint(480, 640)), dtype=torch.uint8)
                       for _ in range(count)]
        words = ["".join(chance.choices("abcdefghijklmnop", k=chance.randint(2, 9))) for _ in range(2000)]
        self.captions = [" ".join(chance.choices(words, k=chance.randint(5, 14))) for _ in range(count)]
        self.transform = v2.Compose([
            v2.Resize(SIDE, InterpolationMode.BICUBIC, antialias=True), v2.CenterCrop(SIDE),
            v2.ToDtype(torch.float32, scale=True),
            v2.Normalize([0.4815, 0.4578, 0.4082], [0.2686, 0.2613, 0.2758])])

    def __len__(self):
        return BATCH * ALL

    def __getitem__(self, index):
        words = self.captions[index % len(self.captions)].split()
        ids = [sum(map(ord, word)) * 31 % (VOCABULARY - 2) for word in words][:LENGTH - 2]
        ids = [VOCABULARY - 2] + ids + [END]
        return self.transform(self.photos[index % len(self.photos)]), ids


def collate(rows):
    ids = torch.full((len(rows), LENGTH), END)
    mask = torch.zeros((len(rows), LENGTH), dtype=torch.long)
    for row, (_, words) in enumerate(rows):
        ids[row, :len(words)] = torch.tensor(words)
        mask[row, :len(words)] = 1
    return {"pixel_values": torch.stack([photo for photo, _ in rows]), "input_ids": ids, "attention_mask": mask}


def build():
    shape = {"num_hidden_layers": LAYERS, "num_attention_heads": WIDTH // 64}
    vision = {"hidden_size": WIDTH, "intermediate_size": 4 * WIDTH, "image_size": SIDE, "patch_size": 16, **shape}
    text = {"hidden_size": WIDTH, "intermediate_size": 4 * WIDTH, "vocab_size": VOCABULARY, "eos_token_id": END,
            "bos_token_id": VOCABULARY - 2, "pad_token_id": END, "max_position_embeddings": LENGTH, **shape}
    config = transformers.CLIPConfig(text_config=text, vision_config=vision, projection_dim=512)
    return transformers.CLIPModel(config).to(DEVICE, torch.bfloat16).eval()


def recall(pictures, captions, k):
    best = (pictures @ captions.T).topk(k, dim=1).indices
    return (best == torch.arange(len(pictures))[:, None]).any(1).float().mean().item()


@torch.inference_mode()
def main():
    torch.manual_seed(0)
    model = build()
    loader = DataLoader(Captioned(), BATCH, num_workers=WORKERS, collate_fn=collate, pin_memory=PIN)
    pictures, captions, matched, clock = [], [], 0, Clock()
    for batch in loader:
        batch = {name: values.to(DEVICE, non_blocking=NON_BLOCKING) for name, values in batch.items()}
        batch["pixel_values"] = batch["pixel_values"].to(torch.bfloat16)
        out = model(**batch)
        pictures.append(out.image_embeds.float().cpu())
        captions.append(out.text_embeds.float().cpu())
        matched += (out.logits_per_image.argmax(1) == torch.arange(BATCH, device=DEVICE)).sum().item()
        clock.tick()
    clock.report(torch_wait)
    pictures, captions = torch.cat(pictures), torch.cat(captions)
    print("in the batch %.3f, recall at 5 %.4f" % (matched / len(pictures), recall(pictures, captions, 5)))


main()
