#include "core/base/temporary_folder.h"

#include <cstdlib>
#include <filesystem>
#include <new>
#include <system_error>

namespace overlane
{
namespace fs = std::filesystem;

Result<TemporaryFolder> TemporaryFolder::make(std::string_view purpose)
{
    std::error_code failure;
    std::string path = (fs::temp_directory_path(failure) / ("overlane-" + std::string(purpose) + "-XXXXXX")).string();
    if (failure || ::mkdtemp(path.data()) == nullptr)
        return Error{"No temporary folder can be made: check TMPDIR and the room in it."};
    return TemporaryFolder(std::move(path));
}

TemporaryFolder::~TemporaryFolder()
{
    try {
        std::error_code failure;
        if (!m_path.empty())
            fs::remove_all(m_path, failure);
    } catch (const std::bad_alloc&) {
        // It stays, as after a program that was killed.
    }
}

}  // namespace overlane
