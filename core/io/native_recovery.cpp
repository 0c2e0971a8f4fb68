#include "core/io/native_recovery.h"

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
    auto folder = TemporaryFolder::make("recovery");
    if (!folder.ok())
        return failed(folder.error());
    recovery.m_path = folder.value().file("trace");
    recovery.m_folder = std::move(folder).value();
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

}  // namespace overlane
