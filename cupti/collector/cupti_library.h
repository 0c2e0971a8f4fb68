// CuptiLibrary: the functions of a CUPTI library that was found at run time.
//
// Nothing of CUPTI is linked. The library stays loaded for the life of the process: CUPTI keeps
// threads and callbacks of its own. Any thread may call through the pointers.
#pragma once

#include <cupti.h>
#include <string>
#include <vector>

namespace overlane
{

// Functions that recording cannot do without, and those that a library may lack.
#define OVERLANE_CUPTI_NEEDED(use)                                                                                \
    use(cuptiActivityEnable) use(cuptiActivityDisable) use(cuptiActivityFlushAll) use(cuptiActivityGetNextRecord) \
        use(cuptiActivityGetNumDroppedRecords) use(cuptiActivityRegisterCallbacks)                                \
            use(cuptiActivityRegisterTimestampCallback) use(cuptiGetCallbackName) use(cuptiGetVersion)            \
                use(cuptiSetThreadIdType)
#define OVERLANE_CUPTI_OPTIONAL(use)                                                                            \
    use(cuptiActivityEnableAllSyncRecords) use(cuptiActivityEnableDriverApi) use(cuptiActivityEnableRuntimeApi) \
        use(cuptiActivitySetAttribute) use(cuptiFinalize)

class CuptiLibrary
{
public:
    // The library that the process has loaded already, else the first of `candidates` that loads
    // and has what is needed. False: error() says why, and missing() names a function where the
    // library was found but is too old.
    bool load(const std::vector<std::string>& candidates);

    const std::string& path() const { return m_path; }
    const std::string& error() const { return m_error; }
    const std::string& missing() const { return m_missing; }
    std::uint32_t version() const { return m_version; }
    void* symbol(const char* name) const;

    // A name declares; parentheses around it would not compile.
#define OVERLANE_DECLARE(function) decltype(&::function) function = nullptr; /* NOLINT(bugprone-macro-parentheses) */
    OVERLANE_CUPTI_NEEDED(OVERLANE_DECLARE)
    OVERLANE_CUPTI_OPTIONAL(OVERLANE_DECLARE)
#undef OVERLANE_DECLARE

private:
    bool use(void* handle, const std::string& name);

    void* m_handle = nullptr;
    std::string m_path;
    std::string m_error;
    std::string m_missing;
    std::uint32_t m_version = 0;
};

}  // namespace overlane
