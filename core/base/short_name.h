// A name by what tells it from others: without the parts that kernels and Python functions share.
//
// Pure function, any thread; text is UTF-8 and comes from strangers.
#pragma once

#include <string>
#include <string_view>

namespace overlane
{

// Of a C++ function without its return type, namespaces and parameters:
//   "void at::native::fill<4, at::Functor<float>>(int, T*)" -> "fill<4, Functor<float>>".
// Of a Python function without its file, of a built-in one without the words around it:
//   "torch/nn/modules/module.py(1773): _call_impl"          -> "_call_impl",
//   "<built-in method resize of type object at 0x7f01>"     -> "resize".
// Of a sampled function without its file: "zoom_shift (loader.py:84)" -> "zoom_shift".
// Any other name stays as it is.
std::string shortName(std::string_view name);

}  // namespace overlane
