"""JAX and optax: a vision transformer (layers by lax.scan) learns from pictures that NumPy crops, flips and normalises
to float32 in the main thread, 54 MiB a batch; the loss is read each step. `nosync`: each twentieth step only."""

import os

os.environ.setdefault("XLA_PYTHON_CLIENT_PREALLOCATE", "false")

import functools

import jax
import jax.numpy as jnp
import numpy as np
import optax

from steps import ALL, DEVICE, WORDS, Clock

NO_SYNC = "nosync" in WORDS
BATCH, SIDE, PATCH, WIDTH, LAYERS, HEADS = (128, 192, 16, 768, 8, 12) if DEVICE == "cuda" else (4, 32, 16, 32, 2, 2)
MEAN = np.array([0.485, 0.456, 0.406], np.float32) * 255
STD = np.array([0.229, 0.224, 0.225], np.float32) * 255


def batches(rng):
    pictures = rng.integers(0, 256, (512, SIDE + 32, SIDE + 32, 3), np.uint8)
    labels = rng.integers(0, 100, 512).astype(np.int32)
    while True:
        chosen = rng.integers(0, 512, BATCH)
        out = np.empty((BATCH, SIDE, SIDE, 3), np.float32)
        for row, index in enumerate(chosen):
            top, left = rng.integers(0, 32, 2)
            crop = pictures[index, top:top + SIDE, left:left + SIDE]
            out[row] = crop[:, ::-1] if rng.random() < 0.5 else crop
        out -= MEAN
        out /= STD
        yield {"image": out, "label": labels[chosen]}


def init(key):
    keys = jax.random.split(key, 7)
    shapes = {"qkv": (WIDTH, 3 * WIDTH), "out": (WIDTH, WIDTH), "up": (WIDTH, 4 * WIDTH), "down": (4 * WIDTH, WIDTH)}
    layers = {name: 0.02 * jax.random.normal(k, (LAYERS,) + shape) for k, (name, shape) in zip(keys, shapes.items())}
    return {"layers": layers, "patch": 0.02 * jax.random.normal(keys[4], (PATCH * PATCH * 3, WIDTH)),
            "place": 0.02 * jax.random.normal(keys[5], ((SIDE // PATCH) ** 2, WIDTH)),
            "head": 0.02 * jax.random.normal(keys[6], (WIDTH, 100))}


def norm(x):
    x = x - x.mean(-1, keepdims=True)
    return x * jax.lax.rsqrt((x * x).mean(-1, keepdims=True) + 1e-6)


def layer(x, weights):
    weights = jax.tree.map(lambda w: w.astype(jnp.bfloat16), weights)
    rows, tokens, _ = x.shape
    q, k, v = jnp.split((norm(x) @ weights["qkv"]).reshape(rows, tokens, HEADS, -1), 3, axis=-1)
    x = x + jax.nn.dot_product_attention(q, k, v).reshape(rows, tokens, WIDTH) @ weights["out"]
    return x + jax.nn.gelu(norm(x) @ weights["up"]) @ weights["down"], None


def loss_of(params, batch):
    n = SIDE // PATCH
    x = batch["image"].astype(jnp.bfloat16).reshape(-1, n, PATCH, n, PATCH, 3).transpose(0, 1, 3, 2, 4, 5)
    x = x.reshape(-1, n * n, PATCH * PATCH * 3) @ params["patch"].astype(jnp.bfloat16)
    x, _ = jax.lax.scan(layer, x + params["place"].astype(jnp.bfloat16), params["layers"])
    logits = norm(x).mean(1).astype(jnp.float32) @ params["head"]
    return optax.softmax_cross_entropy_with_integer_labels(logits, batch["label"]).mean()


def main():
    optimizer = optax.chain(optax.clip_by_global_norm(1.0), optax.adamw(optax.cosine_decay_schedule(3e-4, ALL)))
    params = init(jax.random.key(0))
    state = optimizer.init(params)

    @functools.partial(jax.jit, donate_argnums=(0, 1))
    def train_step(params, state, batch):
        loss, grads = jax.value_and_grad(loss_of)(params, batch)
        updates, state = optimizer.update(grads, state, params)
        return optax.apply_updates(params, updates), state, loss

    source = batches(np.random.default_rng(0))
    total, clock = 0.0, Clock()
    for step in range(ALL):
        batch = jax.device_put(next(source))
        params, state, loss = train_step(params, state, batch)
        if not NO_SYNC or step % 20 == 19:
            total += float(loss)
        clock.tick()
    clock.report(lambda: jax.block_until_ready(params))
    assert total == total


main()
