// Whether copies between GPUs are recorded in a process.
//
// CUPTI has a kind of record of its own for them. With it and that of other copies switched on, a program of XLA (JAX)
// whose CUDA graph loops by itself ended with "unspecified launch failure" in 28 of 36 recordings, on one H200 (driver
// 580.159, CUPTI 13.0); without it in none of 16. Others of that kind (a captured body of kernels, a memset and a copy)
// did not fail. So it is switched on only where there is more than one GPU, and never beside XLA.
#pragma once

#include <string>
#include <vector>

namespace overlane
{

// Whether any of these libraries is XLA's: of JAX, TensorFlow, PyTorch/XLA and what else is built on it.
bool isOfXla(const std::vector<std::string>& loadedObjects);

}  // namespace overlane
