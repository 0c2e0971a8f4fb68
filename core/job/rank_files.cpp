#include "core/job/rank_files.h"

#include <algorithm>
#include <filesystem>
#include <fmt/format.h>
#include <fmt/ranges.h>
#include <glob.h>
#include <memory>
#include <set>
#include <string_view>
#include <unordered_map>
#include <utility>

#include "core/base/units.h"
#include "core/io/byte_source.h"
#include "core/io/format.h"
#include "core/io/nsys_format.h"
#include "core/job/rank_archive.h"
#include "core/job/rank_digest_file.h"
#include "core/job/rank_name.h"

namespace overlane
{
namespace
{

namespace fs = std::filesystem;

bool endsAsDigest(std::string_view name)
{
    return name.size() > kDigestExtension.size() && name.ends_with(kDigestExtension);
}

bool endsAsTrace(std::string_view name)
{
    const auto extensions = traceExtensions();
    return isNsysReport(name) ||
           std::any_of(extensions.begin(), extensions.end(), [&](std::string_view one) { return name.ends_with(one); });
}

// What of a folder may be a rank, by its extension.
struct Listing {
    std::vector<std::string> files;
    std::vector<std::string> folders;
    std::string problem;
};

Listing listed(const std::string& folder)
{
    Listing list;
    std::error_code error;
    fs::directory_iterator at(folder, error);
    for (; !error && at != fs::directory_iterator(); at.increment(error)) {
        const std::string path = at->path().string();
        const std::string name = at->path().filename().string();
        if (name.starts_with('.'))
            continue;
        std::error_code unknown;
        if (at->is_directory(unknown))
            list.folders.push_back(path);
        else if (endsAsTrace(name) || endsAsDigest(name))
            list.files.push_back(path);
    }
    if (error)
        list.problem = fmt::format("{} cannot be listed: {}.", folder, error.message());
    std::sort(list.files.begin(), list.files.end(), naturallyLess);
    std::sort(list.folders.begin(), list.folders.end(), naturallyLess);
    return list;
}

std::vector<std::string> matching(const std::string& pattern)
{
    glob_t found = {};
    const std::unique_ptr<glob_t, decltype(&::globfree)> owner(&found, ::globfree);
    if (::glob(pattern.c_str(), 0, nullptr, &found) != 0)
        return {};
    return {found.gl_pathv, found.gl_pathv + found.gl_pathc};
}

class Search
{
public:
    explicit Search(const Progress& progress) : m_progress(progress) {}

    Result<void> add(const std::string& path)
    {
        std::error_code error;
        const fs::file_status status = fs::status(path, error);
        if (fs::is_directory(status))
            return addFolder(path);
        if (fs::exists(status) && isRankArchive(path))
            return addArchive(path);
        if (fs::exists(status)) {
            m_paths.push_back(path);
            return {};
        }
        const std::vector<std::string> matches = matching(path);
        if (matches.empty())
            return Error{path.empty() ? std::string("A file has no name; name a folder, files or a pattern.")
                                      : fmt::format("There is no file {}; check the name.", path)};
        for (const std::string& match : matches)
            RETURN_IF_ERROR(add(match));
        return {};
    }

    RankFiles take()
    {
        RankFiles made;
        made.files = paired();
        nameByNumber(made.files);
        std::stable_sort(made.files.begin(), made.files.end(), [](const RankFile& a, const RankFile& b) {
            const auto place = [](const RankFile& file) { return file.identity.rank.value_or(1 << 30); };
            return place(a) != place(b) ? place(a) < place(b) : naturallyLess(a.path(), b.path());
        });
        if (made.files.size() > kMostRanksOfJob) {
            m_notes.push_back(fmt::format("{} traces are there; the first {} are shown. Name fewer.",
                                          formatCount(static_cast<std::int64_t>(made.files.size())),
                                          formatCount(kMostRanksOfJob)));
            made.files.resize(kMostRanksOfJob);
        }
        made.notes = std::move(m_notes);
        made.unpacked = std::move(m_unpacked);
        return made;
    }

private:
    Result<void> addFolder(const std::string& folder)
    {
        const Listing own = listed(folder);
        if (!own.problem.empty())
            return Error{own.problem};
        std::size_t added = addTraces(own.files);
        if (added == 0)
            for (const std::string& below : own.folders) {
                const Listing list = listed(below);
                if (!list.problem.empty())
                    m_notes.push_back(list.problem);
                added += addTraces(list.files);
            }
        if (m_progress.cancelled())
            return Error::cancelled();
        if (added == 0)
            return Error{
                fmt::format("{} holds no traces, nor do the folders in it; Overlane opens files that end with {}.",
                            folder, fmt::join(traceExtensions(), ", "))};
        return {};
    }

    Result<void> addArchive(const std::string& archive)
    {
        ASSIGN_OR_RETURN(TemporaryFolder folder, TemporaryFolder::make("ranks"));
        const auto wanted = [](std::string_view name) { return endsAsTrace(name) || endsAsDigest(name); };
        Result<UnpackedRanks> unpacked = unpackRanks(archive, folder.path(), wanted, m_progress);
        if (!unpacked.ok())
            return unpacked.failure().in(archive);
        m_unpacked.push_back(std::move(folder));
        std::vector<std::string> files;
        for (const UnpackedRanks::Member& member : unpacked.value().members) {
            files.push_back(member.path);
            m_members[member.path] = archive + ": " + member.name;
        }
        if (!unpacked.value().damage.empty())
            m_notes.push_back(fmt::format("{}: {}.", archive, unpacked.value().damage));
        if (addTraces(files) == 0)
            return Error{fmt::format("{} holds no traces{}.", archive,
                                     unpacked.value().damage.empty() ? "" : ": " + unpacked.value().damage)};
        return {};
    }

    // Files that only look like traces are left out, but for those that were named one by one.
    std::size_t addTraces(const std::vector<std::string>& files)
    {
        std::vector<std::string> others;
        std::size_t added = 0;
        for (const std::string& file : files) {
            if (m_progress.cancelled())
                break;
            if (isOtherJson(file)) {
                others.push_back(fs::path(file).filename().string());
            } else {
                m_paths.push_back(file);
                ++added;
            }
        }
        constexpr std::size_t kNamed = 3;
        const std::size_t left = others.size();
        others.resize(std::min(left, kNamed));
        if (left > 0 && added > 0)
            m_notes.push_back(fmt::format("Left out, since no trace: {}{}.", fmt::join(others, ", "),
                                          left > kNamed ? fmt::format(" and {} more", left - kNamed) : ""));
        return added;
    }

    // Settings and results lie in such folders too; other extensions are traces, if broken ones.
    bool isOtherJson(const std::string& file) const
    {
        std::error_code error;
        const std::uintmax_t bytes = fs::file_size(file, error);
        if (error || bytes == 0 || !(file.ends_with(".json") || file.ends_with(".json.gz")))
            return false;
        constexpr std::uintmax_t kSmallBytes = 64 << 10;
        return !isTraceFile(file, m_progress) || (bytes <= kSmallBytes && holdsNoEvents(file));
    }

    // A small object without a list of events; not where its name is a rank's, which may be broken.
    bool holdsNoEvents(const std::string& file) const
    {
        if (identityOfName(file).rank)
            return false;
        constexpr std::size_t kMostBytes = 1 << 20;
        const Result<std::unique_ptr<ByteSource>> source = openByteSourceInline(file, &m_progress);
        std::string text(kMostBytes, '\0');
        const Result<std::size_t> count = source.ok() ? source.value()->read(text) : Result<std::size_t>(0);
        if (!count.ok() || count.value() == 0 || count.value() == kMostBytes)
            return false;
        text.resize(count.value());
        const std::size_t begin = text.find_first_of("[{");
        return begin != std::string::npos && text[begin] == '{' && text.find("traceEvents") == std::string::npos;
    }

    // Digests with their traces, each file once.
    std::vector<RankFile> paired() const
    {
        std::set<std::string> seen;
        std::unordered_map<std::string, std::size_t> placeOfTrace;
        std::vector<RankFile> files;
        for (const std::string& path : m_paths)
            if (!endsAsDigest(path) && seen.insert(path).second) {
                placeOfTrace[path] = files.size();
                files.push_back({path, {}, identityOfName(path)});
            }
        for (const std::string& path : m_paths) {
            if (!endsAsDigest(path) || !seen.insert(path).second)
                continue;
            const std::string trace = path.substr(0, path.size() - kDigestExtension.size());
            if (const auto place = placeOfTrace.find(trace); place != placeOfTrace.end())
                files[place->second].digest = path;
            else
                files.push_back({{}, path, identityOfName(trace)});
        }
        // Digests that were not named, but lie beside.
        for (RankFile& file : files)
            if (std::error_code error; file.digest.empty() && fs::is_regular_file(digestPath(file.trace), error))
                file.digest = digestPath(file.trace);
        for (RankFile& file : files)
            if (const auto member = m_members.find(file.path()); member != m_members.end())
                file.member = member->second;
        return files;
    }

    static void nameByNumber(std::vector<RankFile>& files)
    {
        std::vector<std::string_view> names;
        for (const RankFile& file : files) {
            if (file.identity.rank || file.identity.localRank)
                return;
            names.push_back(file.path());
        }
        const std::vector<int> ranks = ranksByNumber(names);
        for (std::size_t at = 0; at < ranks.size(); ++at) {
            files[at].identity.rank = ranks[at];
            files[at].identity.source = "file name";
        }
    }

    const Progress& m_progress;
    std::vector<std::string> m_paths;
    std::vector<std::string> m_notes;
    std::vector<TemporaryFolder> m_unpacked;
    std::unordered_map<std::string, std::string> m_members;  // of archives: path to name
};

}  // namespace

std::string digestPath(const std::string& trace, const std::string& folder)
{
    const fs::path path(trace);
    const std::string name = path.filename().string() + std::string(kDigestExtension);
    return (folder.empty() ? path.parent_path() / name : fs::path(folder) / name).string();
}

Result<RankFiles> findRanks(const std::vector<std::string>& paths, const Progress& progress)
{
    Search search(progress);
    for (const std::string& path : paths)
        RETURN_IF_ERROR(search.add(path));
    return search.take();
}

}  // namespace overlane
