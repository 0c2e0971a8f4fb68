"""JAX and optax: a normalizing flow (coupling layers by lax.scan) learns the density of collision events; NumPy turns
and smears 32 768 events and standardises their 64 values in the main thread for each batch; loss and the norm of the
gradient are read each step. `nosync`: in the end only."""

import os

os.environ.setdefault("XLA_PYTHON_CLIENT_PREALLOCATE", "false")

import jax
import jax.numpy as jnp
import numpy as np
import optax

from steps import ALL, DEVICE, WORDS, Clock

READ_EACH = "nosync" not in WORDS
VALUES, JETS, STORED = 64, 16, 200_000
BATCH, HIDDEN, LAYERS = (32_768, 1024, 12) if DEVICE == "cuda" else (256, 32, 4)


class Events:
    """Events of sixteen jets: transverse momentum, direction (two angles) and mass of each."""

    def __init__(self):
        chance = self.chance = np.random.default_rng(0)
        momentum = 20 + chance.exponential(40, (STORED, JETS)).astype(np.float32)
        angles = chance.random((STORED, JETS, 2), dtype=np.float32) * np.float32(2) - np.float32(1)
        mass = np.float32(0.1) * momentum * chance.random((STORED, JETS), dtype=np.float32)
        self.events = np.concatenate([momentum[..., None], angles * np.float32(np.pi), mass[..., None]], axis=2)
        sample = self.values(self.events[:4096])
        self.mean, self.scale = sample.mean(axis=0), sample.std(axis=0) + np.float32(1e-3)

    def values(self, events):
        momentum, eta, phi, mass = (events[..., value] for value in range(4))
        smeared = momentum * (1 + np.float32(0.1) * self.chance.standard_normal(momentum.shape, np.float32))
        phi = phi + np.float32(2 * np.pi) * self.chance.random((len(events), 1), dtype=np.float32)
        logarithm = np.log(np.maximum(smeared, 1))
        return np.stack([logarithm * np.cos(phi), logarithm * np.sin(phi), eta, np.log1p(mass)],
                        axis=2).reshape(len(events), VALUES)

    def batch(self):
        rows = self.chance.integers(0, STORED, BATCH)
        return (self.values(self.events[rows]) - self.mean) / self.scale


def start_parameters(key):
    half = VALUES // 2
    shapes = {"in": (LAYERS, half, HIDDEN), "middle": (LAYERS, HIDDEN, HIDDEN), "out": (LAYERS, HIDDEN, 2 * half)}
    keys = dict(zip(shapes, jax.random.split(key, len(shapes))))
    weights = {name: jax.random.normal(keys[name], shape) / np.sqrt(shape[1]) for name, shape in shapes.items()}
    weights["out"] = 0.01 * weights["out"]
    biases = {name + "_bias": jnp.zeros((LAYERS, 1, shape[2])) for name, shape in shapes.items()}
    return {**weights, **biases}


def log_density(parameters, values):
    half = VALUES // 2

    def coupling(carry, layer):
        first, second, total = carry
        hidden = jax.nn.silu(first @ layer["in"] + layer["in_bias"])
        hidden = jax.nn.silu(hidden @ layer["middle"] + layer["middle_bias"])
        shift, scale = jnp.split(hidden @ layer["out"] + layer["out_bias"], 2, axis=1)
        scale = 2 * jnp.tanh(scale / 2)
        return (second * jnp.exp(scale) + shift, first, total + scale.sum(axis=1)), None

    start = values[:, :half], values[:, half:], jnp.zeros(len(values))
    (first, second, total), _ = jax.lax.scan(coupling, start, parameters)
    return total - 0.5 * (first ** 2 + second ** 2).sum(axis=1) - 0.5 * VALUES * np.log(2 * np.pi)


def main():
    parameters = start_parameters(jax.random.PRNGKey(0))
    optimizer = optax.chain(optax.clip_by_global_norm(10.0), optax.adam(3e-4))
    state = optimizer.init(parameters)

    @jax.jit
    def learn(parameters, state, values):
        loss, gradient = jax.value_and_grad(lambda given: -log_density(given, values).mean())(parameters)
        changes, state = optimizer.update(gradient, state)
        return optax.apply_updates(parameters, changes), state, loss, optax.global_norm(gradient)

    events, losses, norms, clock = Events(), [], [], Clock()
    for _ in range(ALL):
        parameters, state, loss, norm = learn(parameters, state, events.batch())
        losses.append(float(loss) if READ_EACH else loss)
        norms.append(float(norm) if READ_EACH else norm)
        clock.tick()
    print("loss %.3f, norm %.3f" % (float(losses[-1]), float(norms[-1])))
    clock.report(lambda: jax.block_until_ready(parameters))


if __name__ == "__main__":
    main()
