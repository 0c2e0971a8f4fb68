#include "core/job/rank_archive.h"

#include <algorithm>
#include <cerrno>
#include <cstring>
#include <fcntl.h>
#include <filesystem>
#include <fmt/format.h>
#include <iterator>
#include <memory>
#include <sys/stat.h>

#include "core/base/descriptor.h"
#include "core/base/units.h"
#include "core/job/archive_library.h"
#include "core/job/rank_files.h"

namespace overlane
{

namespace
{

namespace fs = std::filesystem;

// As for gzip (core/io/byte_source.cpp), since packed traces lie in an archive as they are.
constexpr std::int64_t kHarmlessUnpacked = 128 * kMiB;
constexpr std::int64_t kMostTimesUnpacked = 200;
constexpr std::size_t kMostEntries = 1 << 20;

using ArchiveReader = ArchiveLibrary::Reader;

// The last two parts of a member's name, "rank_3/trace.json": both may tell the rank.
std::pair<std::string, std::string> namesOf(const std::string& member)
{
    const fs::path path(member);
    const auto usable = [](const std::string& name) { return !name.empty() && name != "." && name != ".."; };
    const std::string file = path.filename().string();
    const std::string folder = path.parent_path().filename().string();
    return {usable(folder) ? folder : std::string("-"), usable(file) ? file : std::string()};
}

class Unpacking
{
public:
    Unpacking(const ArchiveLibrary& library, ArchiveReader* file, std::int64_t packedBytes, const Progress& progress)
        : m_library(library),
          m_file(file),
          m_most(std::max(kHarmlessUnpacked, packedBytes * kMostTimesUnpacked)),
          m_progress(progress)
    {
    }

    Result<void> write(const fs::path& target)
    {
        const Descriptor out(::open(target.c_str(), O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0600));
        if (!out.valid())
            return Error{fmt::format("{} cannot be written: {}.", target.string(), std::strerror(errno))};
        for (;;) {
            const void* block = nullptr;
            std::size_t bytes = 0;
            std::int64_t at = 0;
            const int status = m_library.data(m_file, &block, &bytes, &at);
            if (status == ArchiveLibrary::kEnd)
                return {};
            if (status < ArchiveLibrary::kWarning) {
                m_damaged = true;
                return {};  // what there is of the member is a trace cut off
            }
            m_written += static_cast<std::int64_t>(bytes);
            if (m_written > m_most || at < 0 || at > m_most)
                return Error{
                    fmt::format("it expands more than {} times when unpacked, as no traces do; it was not opened. "
                                "Unpack it yourself if you trust it.",
                                kMostTimesUnpacked)};
            if (m_progress.cancelled())
                return Error::cancelled();
            if (::pwrite(out.get(), block, bytes, at) != static_cast<ssize_t>(bytes))
                return Error{fmt::format("{} cannot be written: {}. Set TMPDIR to a folder with more room.",
                                         target.string(), std::strerror(errno != 0 ? errno : ENOSPC))};
        }
    }
    bool damaged() const { return m_damaged; }

private:
    const ArchiveLibrary& m_library;
    ArchiveReader* m_file;
    std::int64_t m_most;
    const Progress& m_progress;
    std::int64_t m_written = 0;
    bool m_damaged = false;
};

}  // namespace

bool isRankArchive(std::string_view path)
{
    constexpr std::string_view kArchives[] = {".tar", ".tar.gz", ".tgz", ".tar.zst", ".tar.xz", ".zip"};
    return std::any_of(std::begin(kArchives), std::end(kArchives),
                       [&](std::string_view one) { return path.ends_with(one); });
}

Result<UnpackedRanks> unpackRanks(const std::string& archive, const std::string& folder,
                                  bool (*wanted)(std::string_view fileName), const Progress& progress)
{
    const Result<ArchiveLibrary>& loaded = ArchiveLibrary::get();
    if (!loaded.ok())
        return loaded.failure();
    const ArchiveLibrary& library = loaded.value();
    const std::unique_ptr<ArchiveReader, int (*)(ArchiveReader*)> file(library.make(), library.destroy);
    library.supportFilters(file.get());
    library.supportTar(file.get());
    library.supportZip(file.get());
    constexpr std::size_t kBlock = std::size_t{64} << 10;
    if (library.open(file.get(), archive.c_str(), kBlock) != ArchiveLibrary::kOk)
        return Error{"it is no archive that can be read; copy it again."};
    std::error_code error;
    Unpacking unpacking(library, file.get(), static_cast<std::int64_t>(fs::file_size(archive, error)), progress);
    UnpackedRanks made;
    for (std::size_t entries = 0; entries < kMostEntries && made.members.size() < kMostRanksOfJob; ++entries) {
        ArchiveLibrary::Entry* entry = nullptr;
        const int status = library.next(file.get(), &entry);
        if (status == ArchiveLibrary::kEnd)
            break;
        if (progress.cancelled())
            return Error::cancelled();
        if (status < ArchiveLibrary::kWarning || unpacking.damaged()) {
            made.damage = "it is cut off or damaged; what lies before that is shown";
            break;
        }
        const char* name = library.nameOf(entry);
        if (name == nullptr || !S_ISREG(library.typeOf(entry)))
            continue;
        const auto [parent, own] = namesOf(name);
        if (own.empty() || own.front() == '.' || !wanted(own))
            continue;
        const fs::path target = fs::path(folder) / std::to_string(made.members.size()) / parent;
        fs::create_directories(target, error);
        RETURN_IF_ERROR(unpacking.write(target / own));
        made.members.push_back({(target / own).string(), name});
    }
    if (unpacking.damaged())
        made.damage = "it is cut off or damaged; what lies before that is shown";
    return made;
}

}  // namespace overlane
