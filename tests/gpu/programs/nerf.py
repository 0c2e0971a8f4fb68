"""JAX and optax: a neural radiance field learns a scene from forty photographs. NumPy draws 8192 of their pixels for each
batch, turns them into rays and picks where along each ray the network is asked (96 places, jittered) in the main thread;
loss and PSNR are read each step. `nosync`: read in the end only."""

import os

os.environ.setdefault("XLA_PYTHON_CLIENT_PREALLOCATE", "false")

import functools

import jax
import jax.numpy as jnp
import numpy as np
import optax

from steps import ALL, WORDS, Clock

READ_EACH = "nosync" not in WORDS
ON_GPU = jax.default_backend() == "gpu"
PHOTOS, SIDE, FOCAL, NEAR, FAR = 40, 400, 550.0, 2.0, 6.0
RAYS, PLACES, WIDTH, LAYERS = (8192, 96, 256, 6) if ON_GPU else (128, 16, 32, 3)
TURNS, TURNS_OF_VIEW = 10, 4


class Photographs:
    def __init__(self):
        self.chance = np.random.default_rng(0)
        rows, columns = np.mgrid[:SIDE, :SIDE].astype(np.float32) / SIDE
        colours = self.chance.random((PHOTOS, 1, 1, 3), dtype=np.float32)
        waves = 0.5 + 0.5 * np.stack([np.sin(9 * rows), np.cos(7 * columns), np.sin(5 * (rows + columns))], -1)
        self.pictures = (0.7 * waves + 0.3 * colours).astype(np.float32)
        around = np.arange(PHOTOS) * (2 * np.pi / PHOTOS)
        self.centres = np.stack([4 * np.cos(around), 4 * np.sin(around), np.ones(PHOTOS)], -1).astype(np.float32)
        forward = -self.centres / np.linalg.norm(self.centres, axis=-1, keepdims=True)
        right = np.cross(forward, np.array([0, 0, 1], np.float32))
        right /= np.linalg.norm(right, axis=-1, keepdims=True)
        self.turned = np.stack([right, np.cross(right, forward), forward], -1).astype(np.float32)

    def batch(self):
        photo, row, column = self.chance.integers((PHOTOS, SIDE, SIDE), size=(RAYS, 3)).T
        seen = np.stack([(column - SIDE / 2) / FOCAL, (SIDE / 2 - row) / FOCAL, np.ones(RAYS)], -1).astype(np.float32)
        directions = np.einsum("rij,rj->ri", self.turned[photo], seen)
        directions /= np.linalg.norm(directions, axis=-1, keepdims=True)
        edges = np.linspace(NEAR, FAR, PLACES + 1, dtype=np.float32)
        jitter = self.chance.random((RAYS, PLACES), dtype=np.float32)
        distances = edges[:-1] + (edges[1:] - edges[:-1]) * jitter
        return self.centres[photo], directions, distances, self.pictures[photo, row, column]


def encode(values, turns):
    scaled = values[..., None, :] * (2.0 ** jnp.arange(turns))[:, None]
    waves = jnp.concatenate([jnp.sin(scaled), jnp.cos(scaled)], -1)
    return jnp.concatenate([values, waves.reshape(*values.shape[:-1], -1)], -1)


def make_layer(key, inputs, outputs):
    return {"w": jax.random.normal(key, (inputs, outputs)) * np.sqrt(2 / inputs), "b": jnp.zeros(outputs)}


def make_parameters(key):
    keys = jax.random.split(key, LAYERS + 3)
    inputs, of_view = 3 + 6 * TURNS, 3 + 6 * TURNS_OF_VIEW
    widths = [inputs] + [WIDTH] * LAYERS
    return {"body": [make_layer(keys[at], widths[at], widths[at + 1]) for at in range(LAYERS)],
            "density": make_layer(keys[-3], WIDTH, 1), "view": make_layer(keys[-2], WIDTH + of_view, WIDTH // 2),
            "colour": make_layer(keys[-1], WIDTH // 2, 3)}


def dense(layer, hidden):
    return hidden @ layer["w"].astype(hidden.dtype) + layer["b"].astype(hidden.dtype)


def render(parameters, centres, directions, distances):
    places = centres[:, None] + directions[:, None] * distances[..., None]
    hidden = encode(places, TURNS).astype(jnp.bfloat16)
    for layer in parameters["body"]:
        hidden = jax.nn.relu(dense(layer, hidden))
    density = jax.nn.softplus(dense(parameters["density"], hidden)[..., 0].astype(jnp.float32) - 1)
    view = encode(directions, TURNS_OF_VIEW).astype(jnp.bfloat16)
    view = jnp.broadcast_to(view[:, None], (*hidden.shape[:2], view.shape[-1]))
    hidden = jax.nn.relu(dense(parameters["view"], jnp.concatenate([hidden, view], -1)))
    colours = jax.nn.sigmoid(dense(parameters["colour"], hidden).astype(jnp.float32))
    widths = jnp.diff(distances, axis=-1, append=jnp.full((len(distances), 1), FAR + 0.1))
    depth = density * widths
    weights = (1 - jnp.exp(-depth)) * jnp.exp(depth - jnp.cumsum(depth, axis=-1))  # absorbed here, not before
    return (weights[..., None] * colours).sum(1)


def loss_of(parameters, centres, directions, distances, true):
    return jnp.mean((render(parameters, centres, directions, distances) - true) ** 2)


def main():
    optimizer = optax.adam(optax.exponential_decay(5e-4, 1000, 0.5))
    parameters = make_parameters(jax.random.PRNGKey(0))
    state = optimizer.init(parameters)

    @functools.partial(jax.jit, donate_argnums=(0, 1))
    def step(parameters, state, batch):
        loss, gradients = jax.value_and_grad(loss_of)(parameters, *batch)
        updates, state = optimizer.update(gradients, state, parameters)
        return optax.apply_updates(parameters, updates), state, loss, -10 * jnp.log10(loss)

    photographs, losses, ratios, clock = Photographs(), [], [], Clock()
    for _ in range(ALL):
        parameters, state, loss, ratio = step(parameters, state, photographs.batch())
        losses.append(float(loss) if READ_EACH else loss)
        ratios.append(float(ratio) if READ_EACH else ratio)
        clock.tick()
    print("loss %.4f, PSNR %.2f dB" % (float(losses[-1]), float(ratios[-1])))
    clock.report(lambda: jax.block_until_ready(parameters))


if __name__ == "__main__":
    main()
