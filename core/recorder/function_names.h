// Names of compiled functions as people read them: demangled, without template arguments and parameters.
//
// Names come from strangers' files: whatever they hold, the answer is short and takes time by its length. Pure; any
// thread.
#pragma once

#include <cstddef>
#include <string>
#include <string_view>

namespace overlane
{

// nvcc prefixes the host function that launches a kernel with this.
constexpr std::string_view kDeviceStub = "__device_stub_";

// Of what people read; the rest is cut off.
constexpr std::size_t kLongestName = 160;

// "_ZN2ns7augmentIfEEvRKSt6vectorIfE" -> "ns::augment"; a plain name stays, without what compilers and the linker
// append.
std::string functionName(std::string_view symbol);
// The same of a name that is demangled already: "void ns::augment<float>(std::vector<float> const&)".
std::string shortFunction(std::string_view demangled);

}  // namespace overlane
