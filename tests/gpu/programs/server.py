"""An inference server in one process: ten clients ask with a picture each and wait for the answer; a thread gathers
requests for up to 4 ms or 16 of them, runs the network and gives each client its five best classes. An iteration is a
batch that was served."""

import concurrent.futures
import queue
import random
import threading
import time

import numpy as np
import torch
import torchvision

from steps import ALL, DEVICE, Clock, torch_wait

CLIENTS, LARGEST, PATIENCE = 10, 16, 0.004
requests = queue.Queue()
closing = threading.Event()


def client(seed):
    rng = random.Random(seed)
    picture = np.random.default_rng(seed).integers(0, 255, (224, 224, 3), dtype=np.uint8)
    while not closing.is_set():
        time.sleep(rng.expovariate(1 / 0.012))
        answer = concurrent.futures.Future()
        requests.put((picture, answer))
        try:
            answer.result(timeout=5)
        except concurrent.futures.TimeoutError:
            return


def gather():
    batch = [requests.get()]
    deadline = time.monotonic() + PATIENCE
    while len(batch) < LARGEST:
        try:
            batch.append(requests.get(timeout=max(0, deadline - time.monotonic())))
        except queue.Empty:
            break
    return batch


def serve(model, clock):
    mean = torch.tensor([0.485, 0.456, 0.406], device=DEVICE).view(1, 3, 1, 1)
    std = torch.tensor([0.229, 0.224, 0.225], device=DEVICE).view(1, 3, 1, 1)
    with torch.inference_mode():
        for _ in range(ALL):
            batch = gather()
            pictures = torch.from_numpy(np.stack([picture for picture, _ in batch]))
            pictures = pictures.to(DEVICE).permute(0, 3, 1, 2).float().div_(255).sub_(mean).div_(std)
            best = model(pictures).softmax(1).topk(5)
            scores, classes = best.values.cpu().numpy(), best.indices.cpu().numpy()
            for row, (_, answer) in enumerate(batch):
                answer.set_result(list(zip(classes[row].tolist(), scores[row].tolist())))
            clock.tick()
    clock.report(torch_wait)


def main():
    model = torchvision.models.resnet50(weights=None).eval().to(DEVICE)
    threads = [threading.Thread(target=client, args=(seed,), daemon=True) for seed in range(CLIENTS)]
    server = threading.Thread(target=serve, args=(model, Clock()), name="server")
    for thread in (*threads, server):
        thread.start()
    server.join()
    closing.set()


main()
