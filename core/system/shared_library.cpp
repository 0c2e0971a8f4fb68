#include "core/system/shared_library.h"

#include <dlfcn.h>
#include <utility>

namespace overlane
{

Result<SharedLibrary> SharedLibrary::open(const std::string& name)
{
    void* handle = dlopen(name.c_str(), RTLD_NOW | RTLD_LOCAL);
    if (handle == nullptr) {
        const char* reason = dlerror();
        return Error{reason != nullptr ? reason : name + ": cannot be loaded"};
    }
    return SharedLibrary(handle);
}

SharedLibrary::SharedLibrary(SharedLibrary&& other) noexcept : m_handle(std::exchange(other.m_handle, nullptr)) {}

SharedLibrary& SharedLibrary::operator=(SharedLibrary&& other) noexcept
{
    std::swap(m_handle, other.m_handle);
    return *this;
}

SharedLibrary::~SharedLibrary()
{
    if (m_handle != nullptr)
        dlclose(m_handle);
}

void* SharedLibrary::address(const char* symbol) const
{
    return dlsym(m_handle, symbol);
}

}  // namespace overlane
