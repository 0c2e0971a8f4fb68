// NativeRecovery: the file to read when a recorder was killed in the middle of a flush.
//
// Such a recorder leaves a rollback journal beside its file. The user's files are never changed:
// both are copied into a private folder, SQLite rolls the copy back to its last whole flush, and
// the copy is read. Owns that folder and removes it. Where there is no journal, which is nearly
// always, path() is the file itself and nothing is copied.
#pragma once

#include <optional>
#include <string>

#include "core/base/result.h"
#include "core/base/temporary_folder.h"

namespace overlane
{

class NativeRecovery
{
public:
    static Result<NativeRecovery> forFile(const std::string& path);

    const std::string& path() const { return m_path; }

private:
    explicit NativeRecovery(std::string path) : m_path(std::move(path)) {}

    std::string m_path;
    std::optional<TemporaryFolder> m_folder;  // none where nothing was copied
};

}  // namespace overlane
