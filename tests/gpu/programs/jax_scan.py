"""JAX: one compiled call trains on eight minibatches with lax.scan; the host shuffles the next eight with NumPy and
reads the metrics after each call. An iteration is a call."""

import os

os.environ["XLA_PYTHON_CLIENT_PREALLOCATE"] = "false"

import jax
import jax.numpy as jnp
import numpy as np
import optax

from steps import ALL, Clock

INNER, BATCH, PIXELS = 8, 512, 3072


def init(key, sizes=(PIXELS, 4096, 4096, 100)):
    keys = jax.random.split(key, len(sizes) - 1)
    return [(jax.random.normal(k, (a, b)) * (2 / a) ** 0.5, jnp.zeros(b)) for k, a, b in zip(keys, sizes, sizes[1:])]


def apply(params, x):
    for w, b in params[:-1]:
        x = jax.nn.relu(x @ w + b)
    w, b = params[-1]
    return x @ w + b


def loss_fn(params, x, y):
    logits = apply(params, x)
    loss = optax.softmax_cross_entropy_with_integer_labels(logits, y).mean()
    return loss, (logits.argmax(-1) == y).mean()


tx = optax.adam(1e-4)


@jax.jit
def train_many(params, state, xs, ys):
    def body(carry, batch):
        params, state = carry
        (loss, accuracy), grads = jax.value_and_grad(loss_fn, has_aux=True)(params, *batch)
        updates, state = tx.update(grads, state)
        return (optax.apply_updates(params, updates), state), (loss, accuracy)

    (params, state), metrics = jax.lax.scan(body, (params, state), (xs, ys))
    return params, state, metrics


def main():
    rng = np.random.default_rng(0)
    images = rng.standard_normal((20000, PIXELS), dtype=np.float32)
    labels = rng.integers(0, 100, 20000).astype(np.int32)
    params = init(jax.random.PRNGKey(0))
    state = tx.init(params)
    history = []
    clock = Clock()
    for step in range(ALL):
        pick = rng.choice(20000, INNER * BATCH, replace=False)
        xs = images[pick].reshape(INNER, BATCH, PIXELS)
        ys = labels[pick].reshape(INNER, BATCH)
        params, state, metrics = train_many(params, state, xs, ys)
        loss, accuracy = jax.device_get(metrics)
        history.append((loss.mean(), accuracy.mean()))
        clock.tick()
    clock.report()


main()
