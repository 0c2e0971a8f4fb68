// AtomicFile: a new file that takes the place of another as a whole, or not at all.
//
// It grows beside the one it replaces under a short hidden name, and takes its name in commit(), when it
// is on disk. Owns the new file and removes it where commit() did not succeed. A lock on it says that
// its owner lives: what killed programs left in the same folder is removed by the next one that writes
// there. A link stays, and what it leads to is replaced; so do the permissions. A read-only file is not replaced
// (read_only.h). One thread.
#pragma once

#include <string>
#include <string_view>

#include "core/base/descriptor.h"
#include "core/base/result.h"

namespace overlane
{

class AtomicFile
{
public:
    // The Errors of all members are the reason alone, without the name of the file.
    static Result<AtomicFile> beside(const std::string& path);

    AtomicFile(AtomicFile&& other) noexcept;
    AtomicFile& operator=(AtomicFile&&) = delete;
    ~AtomicFile();

    // The new file, for what writes by name.
    const std::string& temporary() const { return m_temporary; }
    int descriptor() const { return m_file.get(); }
    // The file that it will be, links resolved.
    const std::string& target() const { return m_target; }

    Result<void> write(std::string_view bytes);
    Result<void> sync();
    Result<void> commit();

private:
    AtomicFile(std::string target, std::string temporary, Descriptor file);
    bool isOurs() const;

    std::string m_target;
    std::string m_temporary;  // empty once it has its name
    Descriptor m_file;
};

// All of it at once.
Result<void> writeWhole(const std::string& path, std::string_view bytes);

}  // namespace overlane
