"""JAX and optax: a message-passing network learns energies of molecules; NumPy turns and shakes the molecules, finds
who is near whom and pads each batch in the main thread; loss and error are read each step. `nosync`: each sixteenth."""

import os

os.environ.setdefault("XLA_PYTHON_CLIENT_PREALLOCATE", "false")

import functools

import jax
import jax.numpy as jnp
import numpy as np
import optax

from steps import ALL, DEVICE, WORDS, Clock

NO_SYNC = "nosync" in WORDS
MOLECULES, ATOMS, EDGES, WIDTH, LAYERS = (256, 4096, 40960, 256, 4) if DEVICE == "cuda" else (8, 192, 2048, 32, 2)
SPECIES, RADIAL, CUTOFF = 6, 32, 4.0


def dataset(rng, count=2000):
    molecules = []
    for _ in range(count):
        atoms = int(rng.integers(9, 21))
        places = rng.standard_normal((atoms, 3)).astype(np.float32) * 0.6 * atoms ** (1 / 3)
        molecules.append((rng.integers(0, SPECIES, atoms).astype(np.int32), places, np.float32(rng.standard_normal())))
    return molecules


def rotation(rng):
    q, r = np.linalg.qr(rng.standard_normal((3, 3)))
    return (q * np.sign(np.diag(r))).astype(np.float32)


def batches(molecules, rng):
    while True:
        batch = {
            "species": np.zeros(ATOMS, np.int32), "places": np.zeros((ATOMS, 3), np.float32),
            "molecule": np.full(ATOMS, MOLECULES, np.int32), "energy": np.zeros(MOLECULES, np.float32),
            "sender": np.full(EDGES, ATOMS - 1, np.int32), "receiver": np.full(EDGES, ATOMS - 1, np.int32)}
        atom = edge = 0
        for row, chosen in enumerate(rng.integers(0, len(molecules), MOLECULES)):
            species, places, energy = molecules[chosen]
            places = places @ rotation(rng) + 0.02 * rng.standard_normal(places.shape).astype(np.float32)
            distance = ((places[:, None] - places[None]) ** 2).sum(2)
            near = np.nonzero((distance < CUTOFF ** 2) & (distance > 0))
            count, edges = len(species), min(len(near[0]), EDGES - edge)
            batch["species"][atom:atom + count] = species
            batch["places"][atom:atom + count] = places
            batch["molecule"][atom:atom + count] = row
            batch["energy"][row] = energy
            batch["sender"][edge:edge + edges] = near[0][:edges] + atom
            batch["receiver"][edge:edge + edges] = near[1][:edges] + atom
            atom, edge = atom + count, edge + edges
        yield batch


def init(key):
    def dense(key, inputs, outputs):
        return inputs ** -0.5 * jax.random.normal(key, (inputs, outputs))

    keys = iter(jax.random.split(key, 4 * LAYERS + 3))
    layers = [{"message": dense(next(keys), 2 * WIDTH + RADIAL, WIDTH), "gate": dense(next(keys), WIDTH, WIDTH),
               "update": dense(next(keys), 2 * WIDTH, WIDTH), "out": dense(next(keys), WIDTH, WIDTH)}
              for _ in range(LAYERS)]
    return {"embed": jax.random.normal(next(keys), (SPECIES, WIDTH)), "layers": layers,
            "head": dense(next(keys), WIDTH, WIDTH), "energy": 0.01 * dense(next(keys), WIDTH, 1)}


def predict(params, batch):
    sender, receiver = batch["sender"], batch["receiver"]
    offset = batch["places"][sender] - batch["places"][receiver]
    distance = jnp.sqrt((offset * offset).sum(1) + 1e-6)
    radial = jnp.exp(-4.0 * (distance[:, None] - jnp.linspace(0.0, CUTOFF, RADIAL)) ** 2)
    fade = jnp.where(sender == receiver, 0.0, 0.5 * (jnp.cos(jnp.pi * distance / CUTOFF) + 1.0))[:, None]
    x = params["embed"][batch["species"]]
    for layer in params["layers"]:
        message = jax.nn.silu(jnp.concatenate([x[sender], x[receiver], radial], 1) @ layer["message"])
        message = message * jax.nn.sigmoid(message @ layer["gate"]) * fade
        gathered = jax.ops.segment_sum(message, receiver, ATOMS)
        x = x + jax.nn.silu(jnp.concatenate([x, gathered / 8.0], 1) @ layer["update"]) @ layer["out"]
    energies = jax.nn.silu(x @ params["head"]) @ params["energy"]
    return jax.ops.segment_sum(energies[:, 0], batch["molecule"], MOLECULES)


def loss_of(params, batch):
    error = predict(params, batch) - batch["energy"]
    return optax.huber_loss(error).mean(), jnp.abs(error).mean()


def main():
    rng = np.random.default_rng(0)
    optimizer = optax.chain(optax.clip_by_global_norm(1.0), optax.adam(3e-4))
    params = init(jax.random.key(0))
    state = optimizer.init(params)

    @functools.partial(jax.jit, donate_argnums=(0, 1))
    def train_step(params, state, batch):
        (loss, error), grads = jax.value_and_grad(loss_of, has_aux=True)(params, batch)
        updates, state = optimizer.update(grads, state, params)
        return optax.apply_updates(params, updates), state, loss, error

    source = batches(dataset(rng), rng)
    history, clock = [], Clock()
    for step in range(ALL):
        batch = jax.device_put(next(source))
        params, state, loss, error = train_step(params, state, batch)
        if not NO_SYNC or step % 16 == 15:
            history.append((float(loss), float(error)))
        clock.tick()
    clock.report(lambda: jax.block_until_ready(params))
    assert all(loss == loss for loss, _ in history)
    print("loss %.3f, error %.3f" % history[-1])


main()
