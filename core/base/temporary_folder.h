// TemporaryFolder: a private folder under TMPDIR, gone with this object and everything in it.
//
// Owns the folder; moved, not copied; any thread, one at a time. A process that is killed leaves it
// behind as "overlane-PURPOSE-XXXXXX".
#pragma once

#include <string>
#include <string_view>
#include <utility>

#include "core/base/result.h"

namespace overlane
{

class TemporaryFolder
{
public:
    // The Error says that none can be made and what to look at.
    static Result<TemporaryFolder> make(std::string_view purpose);

    TemporaryFolder(TemporaryFolder&& other) noexcept : m_path(std::exchange(other.m_path, {})) {}
    TemporaryFolder& operator=(TemporaryFolder&& other) noexcept
    {
        std::swap(m_path, other.m_path);
        return *this;
    }
    ~TemporaryFolder();

    const std::string& path() const { return m_path; }
    std::string file(std::string_view name) const { return m_path + '/' + std::string(name); }

private:
    explicit TemporaryFolder(std::string path) : m_path(std::move(path)) {}

    std::string m_path;  // empty once moved from
};

}  // namespace overlane
