// SharedLibrary: a shared object loaded while the program runs, so that one binary starts with and
// without it. Closes the library when destroyed; symbols must not outlive it. Any thread.
#pragma once

#include <string>

#include "core/base/result.h"

namespace overlane
{

class SharedLibrary
{
public:
    // `name` as for the dynamic linker ("libcuda.so.1") or a path. The Error is the linker's reason.
    static Result<SharedLibrary> open(const std::string& name);

    SharedLibrary(SharedLibrary&& other) noexcept;
    SharedLibrary& operator=(SharedLibrary&& other) noexcept;
    ~SharedLibrary();

    // It stays loaded until the process ends, as a library must that allocates when loaded and frees nothing.
    void stay() { m_handle = nullptr; }

    // nullptr where the library has no such symbol.
    template <typename Function>
    Function* function(const char* symbol) const
    {
        return reinterpret_cast<Function*>(address(symbol));
    }

private:
    explicit SharedLibrary(void* handle) : m_handle(handle) {}
    void* address(const char* symbol) const;

    void* m_handle = nullptr;
};

}  // namespace overlane
