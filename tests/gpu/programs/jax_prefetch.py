"""JAX with a queue of batches on the device: the next batch is put there before the step runs, as Flax's
prefetch_to_device does; the loss of the step before is read while the GPU works."""

import collections
import itertools
import os

os.environ["XLA_PYTHON_CLIENT_PREALLOCATE"] = "false"

import jax
import jax.numpy as jnp
import numpy

from steps import ALL, Clock


def prefetch_to_device(batches, size):
    queue = collections.deque()

    def enqueue(n):
        for batch in itertools.islice(batches, n):
            queue.append(jax.tree.map(jax.device_put, batch))

    enqueue(size)
    while queue:
        yield queue.popleft()
        enqueue(1)


def conv(x, w, stride=1):
    return jax.lax.conv_general_dilated(x, w, (stride, stride), "SAME", dimension_numbers=("NHWC", "HWIO", "NHWC"))


def network(params, x):
    x = x.astype(jnp.bfloat16) / 255 - 0.5
    x = jax.nn.relu(conv(x, params["stem"], 2))
    for a, b in zip(params["a"], params["b"]):
        x = x + conv(jax.nn.relu(conv(x, a)), b) * 0.1
    return x.mean((1, 2)).astype(jnp.float32) @ params["head"]


@jax.jit
def step(params, batch):
    def loss_of(params):
        logits = network(params, batch["image"])
        return -jax.nn.log_softmax(logits)[jnp.arange(len(logits)), batch["label"]].mean()

    loss, grads = jax.value_and_grad(loss_of)(params)
    return jax.tree.map(lambda p, g: p - 0.01 * g.astype(p.dtype), params, grads), loss


def source(rng):
    pool = [{"image": rng.integers(0, 255, (192, 192, 192, 3), dtype=numpy.uint8),
             "label": rng.integers(0, 10, 192).astype(numpy.int32)} for _ in range(6)]
    for i in range(ALL):
        yield pool[i % 6]


def main():
    rng = numpy.random.default_rng(3)
    normal = lambda *shape: jnp.asarray(rng.standard_normal(shape) * (2 / numpy.prod(shape[:-1])) ** 0.5, jnp.bfloat16)
    params = {"stem": normal(7, 7, 3, 128), "a": [normal(3, 3, 128, 128) for _ in range(4)],
              "b": [normal(3, 3, 128, 128) for _ in range(4)], "head": normal(128, 10).astype(jnp.float32)}
    clock, previous, losses = Clock(), None, []
    for batch in prefetch_to_device(source(rng), 2):
        params, loss = step(params, batch)
        if previous is not None:
            losses.append(float(previous))
        previous = loss
        clock.tick()
    clock.report(lambda: float(previous))


main()
