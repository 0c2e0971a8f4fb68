"""The hooks of all optimizers, which PyTorch has since 2.0."""

import os

_hooks = []


def register_optimizer_step_post_hook(hook):
    _hooks.append(hook)


if os.environ.get("FAKE_TORCH_FORM") == "holder":  # an older one
    del register_optimizer_step_post_hook


class Optimizer:
    def step(self):
        for hook in _hooks:
            hook(self, (), {})
