// SpoolFolder: the spools of a recording's directory: which are followed, and which are let go since
// their process is gone and they are read to their end.
//
// A recording may have had many thousand processes. A spool that is followed has a merger once it has
// content; one that was let go is a name and two sizes. A poll looks once at every spool that is
// followed, at a few of the others, and asks the system in full for a few processes at most. One thread.
#pragma once

#include <cstdint>
#include <deque>
#include <memory>
#include <string>
#include <string_view>
#include <unordered_set>
#include <vector>

#include "core/base/result.h"
#include "core/spool/spool_merger.h"

namespace overlane
{

class SpoolFolder
{
public:
    struct Spool {
        std::string name;  // of the file
        std::uint32_t number = 0;
        std::uint64_t readBytes = 0;  // when it was let go
        std::uint64_t seenBytes = 0;  // of the file, all that is complete of it was read
        bool followed = true;
        bool begun = false;     // its start was read
        bool returned = false;  // it grew though its process was taken for gone
        std::unique_ptr<SpoolMerger> merger;
    };
    struct FileState {
        std::uint64_t bytes = 0;
        std::int64_t changedNs = 0;  // Unix time
        std::string error;
    };

    explicit SpoolFolder(std::string directory) : m_directory(std::move(directory)) {}

    // Finds new spools, and those that grew though they were let go: a few of them, or `all`.
    Result<void> look(bool all);
    // Numbers of those followed, in order of their names within each look.
    const std::vector<std::uint32_t>& followed() const { return m_followed; }
    // Drops those that were let go since; the place of `next` in what is left.
    std::size_t keepFollowed(std::size_t next);

    Spool& spool(std::uint32_t number) { return m_spools[number]; }
    std::string path(std::uint32_t number) const { return m_directory + "/" + m_spools[number].name; }
    FileState state(const Spool& spool) const;
    // Whether its process is gone for good and its last write long enough ago.
    bool isAbandoned(const Spool& spool, const FileState& file);
    // Whether a process that may still write lives, this one apart.
    bool someLive() const;
    std::int64_t cutTails() const;

private:
    Result<std::vector<std::string>> findNew(bool all);

    std::string m_directory;
    std::int64_t m_changedNs = 0;  // when it last changed, Unix time
    std::deque<Spool> m_spools;    // by their numbers; they stay where they are
    std::unordered_set<std::string_view> m_known;
    std::vector<std::uint32_t> m_followed;
    std::size_t m_looked = 0;  // where the next look among those let go begins
    int m_asked = 0;           // about processes, since the last look
};

}  // namespace overlane
