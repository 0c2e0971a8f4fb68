"""Accelerate's cpu_offload: a Llama of six layers whose weights stay on the host and come for each forward."""

import accelerate
import torch
import transformers

from steps import ALL, DEVICE, Clock, torch_wait


@torch.inference_mode()
def main():
    torch.manual_seed(0)
    config = transformers.LlamaConfig(hidden_size=1024, intermediate_size=4096, num_hidden_layers=6, num_attention_heads=16, vocab_size=8192)
    model = accelerate.cpu_offload(transformers.LlamaForCausalLM(config).eval(), execution_device=torch.device(DEVICE))
    clock = Clock()
    for step in range(ALL):
        ids = torch.randint(0, 8192, (4, 128), generator=torch.Generator().manual_seed(step))
        best = model(input_ids=ids.to(DEVICE)).logits[:, -1].argmax(-1).cpu()
        assert best.shape == (4,)
        clock.tick()
    clock.report(torch_wait)


main()
