#include "core/spool/spool_folder.h"

#include <algorithm>
#include <cerrno>
#include <cstring>
#include <filesystem>
#include <fmt/format.h>
#include <sys/stat.h>
#include <unistd.h>

#include "core/spool/process_life.h"
#include "core/spool/spool_clock.h"

namespace overlane
{
namespace
{

// Of those let go, looked at in a poll.
constexpr std::size_t kMostLooks = 256;
// Processes that a poll asks /proc for.
constexpr int kMostAsked = 64;
// A collector writes more often than this, so that a process of another namespace is not taken for gone.
constexpr std::int64_t kQuietNs = 2'000'000'000;

std::int64_t changeOf(const struct stat& info)
{
    return std::int64_t{info.st_mtim.tv_sec} * 1'000'000'000 + info.st_mtim.tv_nsec;
}

}  // namespace

// Names of spools that are not known yet. A folder that did not change lately has none.
Result<std::vector<std::string>> SpoolFolder::findNew(bool all)
{
    std::vector<std::string> names;
    struct stat folder = {};
    const std::int64_t changedNs = ::stat(m_directory.c_str(), &folder) == 0 ? changeOf(folder) : 0;
    if (!all && changedNs != 0 && changedNs == m_changedNs && unixNs() - changedNs > kQuietNs)
        return names;
    m_changedNs = changedNs;
    std::error_code error;
    for (std::filesystem::directory_iterator entry(m_directory, error), end; !error && entry != end;
         entry.increment(error)) {
        std::string name = entry->path().filename().string();
        if (name.ends_with(spool::kFileSuffix) && !m_known.contains(name))
            names.push_back(std::move(name));
    }
    if (error)
        return Error{fmt::format("{} cannot be read: {}.", m_directory, error.message())};
    std::sort(names.begin(), names.end());
    return names;
}

Result<void> SpoolFolder::look(bool all)
{
    ASSIGN_OR_RETURN(std::vector<std::string> names, findNew(all));
    for (std::size_t looks = all ? m_spools.size() : std::min(kMostLooks, m_spools.size()); looks > 0; --looks) {
        Spool& spool = m_spools[m_looked++ % m_spools.size()];
        if (spool.followed || state(spool).bytes <= spool.seenBytes)
            continue;
        spool.followed = spool.returned = true;
        m_followed.push_back(spool.number);
    }
    for (std::string& name : names) {
        Spool& added = m_spools.emplace_back();
        added.name = std::move(name);
        added.number = static_cast<std::uint32_t>(m_spools.size() - 1);
        m_known.insert(added.name);
        m_followed.push_back(added.number);
    }
    m_asked = 0;
    return {};
}

std::size_t SpoolFolder::keepFollowed(std::size_t next)
{
    if (m_followed.empty())
        return 0;
    const auto wasLetGo = [this](std::uint32_t number) { return !m_spools[number].followed; };
    // Those whose processes were not asked for come first the next time.
    next = (next + (m_asked > kMostAsked ? kMostAsked : 0)) % m_followed.size();
    next -= static_cast<std::size_t>(
        std::count_if(m_followed.begin(), m_followed.begin() + static_cast<std::ptrdiff_t>(next), wasLetGo));
    std::erase_if(m_followed, wasLetGo);
    return m_followed.empty() ? 0 : next % m_followed.size();
}

SpoolFolder::FileState SpoolFolder::state(const Spool& spool) const
{
    FileState result;
    struct stat info = {};
    const std::string file = path(spool.number);
    if (::stat(file.c_str(), &info) != 0) {
        result.error = fmt::format("{} cannot be read: {}.", file, std::strerror(errno));
        return result;
    }
    result.bytes = static_cast<std::uint64_t>(std::max<off_t>(info.st_size, 0));
    result.changedNs = changeOf(info);
    return result;
}

bool SpoolFolder::isAbandoned(const Spool& spool, const FileState& file)
{
    if (spool.returned || unixNs() - file.changedNs < kQuietNs)
        return false;
    const SpoolOwner owner = spoolOwner(spool.name);
    if (!mayLive(owner))
        return true;
    return ++m_asked <= kMostAsked && !lives(owner);
}

bool SpoolFolder::someLive() const
{
    return std::any_of(m_followed.begin(), m_followed.end(), [this](std::uint32_t number) {
        const Spool& spool = m_spools[number];
        const SpoolOwner owner = spoolOwner(spool.name);
        return owner.pid != ::getpid() && !(spool.merger && spool.merger->isOver()) && lives(owner);
    });
}

std::int64_t SpoolFolder::cutTails() const
{
    return std::count_if(m_spools.begin(), m_spools.end(),
                         [](const Spool& spool) { return !spool.followed && spool.seenBytes > spool.readBytes; });
}

}  // namespace overlane
