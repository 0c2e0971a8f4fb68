"""Two optimizers, as of a GAN, which step so often as the argument says; no DataLoader. Prints the steps."""

import sys
import time

import torch

first, second = torch.optim.Optimizer(), torch.optim.Optimizer()
for _ in range(int(sys.argv[1])):
    first.step()
    second.step()
    time.sleep(0.001)
print("steps:", sys.argv[1])
