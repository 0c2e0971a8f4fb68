"""JAX with optax: a network is trained on batches of 16 MiB that NumPy makes in the main thread; the loss is read each
tenth time, so that the host runs ahead."""

import os

os.environ.setdefault("XLA_PYTHON_CLIENT_PREALLOCATE", "false")

import jax
import jax.numpy as jnp
import numpy
import optax

from steps import ALL, Clock

ROWS, WIDTH = 2048, 2048


def main():
    source = numpy.random.default_rng(0)
    weights = {"layer%d" % index: jnp.asarray(source.standard_normal((WIDTH, WIDTH), numpy.float32) / 64) for index in range(6)}
    optimizer = optax.adam(1e-4)
    state = optimizer.init(weights)

    def loss_of(weights, rows):
        hidden = rows
        for index in range(6):
            hidden = jnp.tanh(hidden @ weights["layer%d" % index])
        return jnp.mean((hidden - rows) ** 2)

    @jax.jit
    def train(weights, state, rows):
        loss, gradient = jax.value_and_grad(loss_of)(weights, rows)
        updates, state = optimizer.update(gradient, state)
        return optax.apply_updates(weights, updates), state, loss

    clock = Clock()
    for step in range(ALL):
        rows = source.random((ROWS, WIDTH), numpy.float32)
        weights, state, loss = train(weights, state, jax.device_put(rows))
        if step % 10 == 9:
            assert float(loss) == float(loss)
        clock.tick()
    clock.report(lambda: jax.block_until_ready(weights))


main()
