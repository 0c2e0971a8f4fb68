#include "cupti/collector/cupti_library.h"

#include <dlfcn.h>
#include <link.h>

#include "core/spool/cupti_search.h"

namespace overlane
{
namespace
{

// Path of a CUPTI library that is loaded in this process, or empty.
std::string loadedPath()
{
    std::string path;
    dl_iterate_phdr(
        [](dl_phdr_info* info, std::size_t, void* result) {
            if (info->dlpi_name == nullptr || !isCuptiLibrary(info->dlpi_name))
                return 0;
            *static_cast<std::string*>(result) = info->dlpi_name;
            return 1;
        },
        &path);
    return path;
}

std::string pathOf(const void* address, const std::string& otherwise)
{
    Dl_info info = {};
    return dladdr(address, &info) != 0 && info.dli_fname != nullptr ? info.dli_fname : otherwise;
}

}  // namespace

bool CuptiLibrary::load(const std::vector<std::string>& candidates)
{
    if (const std::string loaded = loadedPath(); !loaded.empty())
        if (void* handle = dlopen(loaded.c_str(), RTLD_NOW | RTLD_NOLOAD); handle != nullptr)
            return use(handle, loaded);
    for (const std::string& candidate : candidates) {
        void* handle = dlopen(candidate.c_str(), RTLD_NOW | RTLD_LOCAL);
        if (handle == nullptr) {
            // The first reason is that of the place the system looks in.
            const char* reason = dlerror();
            if (m_error.empty() && reason != nullptr)
                m_error = reason;
            continue;
        }
        if (use(handle, candidate))
            return true;
    }
    return false;
}

bool CuptiLibrary::use(void* handle, const std::string& name)
{
    m_handle = handle;
    const char* missingName = nullptr;
    const auto find = [&]<typename Function>(Function& function, const char* symbolName) {
        function = reinterpret_cast<Function>(dlsym(handle, symbolName));
        return function != nullptr;
    };
#define OVERLANE_FIND_NEEDED(function)                        \
    if (!find(function, #function) && missingName == nullptr) \
        missingName = #function;
    OVERLANE_CUPTI_NEEDED(OVERLANE_FIND_NEEDED)
#undef OVERLANE_FIND_NEEDED
#define OVERLANE_FIND(function) find(function, #function);
    OVERLANE_CUPTI_OPTIONAL(OVERLANE_FIND)
#undef OVERLANE_FIND
    if (missingName != nullptr) {
        m_missing = missingName;
        return false;
    }
    m_missing.clear();
    m_path = pathOf(reinterpret_cast<const void*>(cuptiGetVersion), name);
    if (cuptiGetVersion(&m_version) != CUPTI_SUCCESS)
        m_version = 0;
    return true;
}

void* CuptiLibrary::symbol(const char* name) const
{
    return m_handle != nullptr ? dlsym(m_handle, name) : nullptr;
}

}  // namespace overlane
