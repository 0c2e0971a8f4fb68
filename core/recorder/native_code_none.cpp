// What stands for NativeCode where this program is built without libdw.
#ifndef OVERLANE_LIBDW

#include "core/recorder/native_code.h"

namespace overlane
{

class NativeCode::Impl
{
};

bool NativeCode::isAvailable()
{
    return false;
}

NativeCode::NativeCode(pid_t) {}
NativeCode::~NativeCode() = default;

bool NativeCode::refresh()
{
    return false;
}

std::span<const std::uint64_t> NativeCode::functions(const StackDump&)
{
    return {};
}

bool NativeCode::sawUnknownCode() const
{
    return false;
}

CodeName NativeCode::name(std::uint64_t)
{
    return {};
}

}  // namespace overlane

#endif
