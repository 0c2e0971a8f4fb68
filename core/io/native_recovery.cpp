#include "core/io/native_recovery.h"

#include <cstdlib>
#include <filesystem>
#include <system_error>
#include <utility>

#include "core/io/sqlite_database.h"

namespace overlane
{
namespace fs = std::filesystem;

Result<NativeRecovery> NativeRecovery::forFile(const std::string& path)
{
    std::error_code failure;
    const fs::path journal = path + "-journal";
    NativeRecovery recovery(path);
    if (!fs::is_regular_file(journal, failure) || fs::file_size(journal, failure) == 0 || failure)
        return recovery;

    const auto failed = [&](const std::string& reason) {
        return Error{
            "its recorder was stopped in the middle of writing, and the copy from which the last complete "
            "state is restored cannot be made: " +
            reason};
    };
    std::string folder = (fs::temp_directory_path(failure) / "overlane-XXXXXX").string();
    if (failure || !::mkdtemp(folder.data()))
        return failed("there is no folder for temporary files.");
    recovery.m_folder = folder;
    recovery.m_path = (fs::path(folder) / "trace").string();
    fs::copy_file(path, recovery.m_path, failure);
    if (!failure)
        fs::copy_file(journal, recovery.m_path + "-journal", failure);
    if (failure)
        return failed(failure.message() + ".");
    Result<SqliteDatabase> database = SqliteDatabase::openForWriting(recovery.m_path);
    if (!database.ok())
        return failed(database.error());
    // The first read of a writable database rolls its journal back.
    const Result<std::int64_t> tables = database.value().integer("SELECT count(*) FROM sqlite_master");
    if (!tables.ok())
        return failed(tables.error());
    return recovery;
}

NativeRecovery::NativeRecovery(NativeRecovery&& other) noexcept
    : m_path(std::move(other.m_path)), m_folder(std::exchange(other.m_folder, {}))
{
}

NativeRecovery& NativeRecovery::operator=(NativeRecovery&& other) noexcept
{
    std::swap(m_path, other.m_path);
    std::swap(m_folder, other.m_folder);
    return *this;
}

NativeRecovery::~NativeRecovery()
{
    std::error_code failure;
    if (!m_folder.empty())
        fs::remove_all(m_folder, failure);
}

}  // namespace overlane
