#include <algorithm>
#include <condition_variable>
#include <filesystem>
#include <mutex>
#include <new>
#include <set>
#include <thread>
#include <utility>

#include "core/base/parallel.h"
#include "core/io/memory_guard.h"
#include "core/job/job.h"
#include "core/job/rank_digest_file.h"
#include "core/job/rank_name.h"
#include "core/job/rank_reader.h"

namespace overlane
{
namespace
{

// Memory that readers share: each waits until its part is free. More than all of it is read alone.
class MemoryShare
{
public:
    explicit MemoryShare(std::int64_t bytes) : m_all(bytes), m_free(bytes) {}

    std::int64_t take(std::int64_t bytes)
    {
        bytes = std::min(bytes, m_all);
        std::unique_lock lock(m_mutex);
        m_given.wait(lock, [&] { return m_free >= bytes; });
        m_free -= bytes;
        return bytes;
    }
    void give(std::int64_t bytes)
    {
        {
            const std::lock_guard lock(m_mutex);
            m_free += bytes;
        }
        m_given.notify_all();
    }

private:
    const std::int64_t m_all;
    std::int64_t m_free;
    std::mutex m_mutex;
    std::condition_variable m_given;
};

// One progress from those of the files that are read just now; a cancel of it reaches them all.
class ProgressOfMany
{
public:
    ProgressOfMany(Progress& whole, std::size_t count) : m_whole(whole), m_count(count), m_watcher([this] { watch(); })
    {
    }
    ~ProgressOfMany()
    {
        {
            const std::lock_guard lock(m_mutex);
            m_ended = true;
        }
        m_wake.notify_all();
    }
    ProgressOfMany(const ProgressOfMany&) = delete;
    ProgressOfMany& operator=(const ProgressOfMany&) = delete;

    void begin(Progress& one)
    {
        const std::lock_guard lock(m_mutex);
        m_running.insert(&one);
        if (m_whole.cancelled())
            one.cancel();
    }
    void end(Progress& one)
    {
        const std::lock_guard lock(m_mutex);
        m_running.erase(&one);
        ++m_done;
    }

private:
    void watch()
    {
        constexpr auto kLook = std::chrono::milliseconds(30);
        std::unique_lock lock(m_mutex);
        while (!m_wake.wait_for(lock, kLook, [this] { return m_ended; })) {
            double done = static_cast<double>(m_done);
            for (Progress* one : m_running) {
                done += one->fraction();
                if (m_whole.cancelled())
                    one->cancel();
            }
            m_whole.report(done / static_cast<double>(std::max<std::size_t>(m_count, 1)));
        }
    }

    Progress& m_whole;
    const std::size_t m_count;
    std::mutex m_mutex;
    std::condition_variable m_wake;
    std::set<Progress*> m_running;
    std::size_t m_done = 0;
    bool m_ended = false;
    std::jthread m_watcher;  // the last: it uses the others
};

class JobReader
{
public:
    JobReader(const JobRequest& request, std::vector<RankFile> files, Progress& progress)
        : m_request(request), m_progress(progress), m_share(request.mostBytes > 0 ? request.mostBytes : halfOfFree())
    {
        m_files = files.size();
        m_ranks.resize(m_files);
        for (std::size_t at = 0; at < files.size(); ++at) {
            m_ranks[at].identity = files[at].identity;
            m_ranks[at].file = std::move(files[at]);
        }
    }

    Result<std::vector<JobRank>> read()
    {
        std::vector<char> isThere(m_ranks.size(), 0);
        runInParallel(m_ranks.size(), m_request.threads, [&](std::size_t at) {
            if (takeDigest(m_ranks[at])) {
                isThere[at] = 1;
                tell(at);
            }
            return !m_progress.cancelled();
        });
        if (m_progress.cancelled())
            return Error::cancelled();
        std::vector<std::size_t> left;
        for (std::size_t at = 0; at < m_ranks.size(); ++at)
            if (isThere[at] == 0)
                left.push_back(at);
        ProgressOfMany all(m_progress, left.size());
        runInParallel(left.size(), m_request.threads, [&](std::size_t at) {
            readRank(m_ranks[left[at]], all);
            if (!m_progress.cancelled())
                tell(left[at]);
            return !m_progress.cancelled();
        });
        for (std::size_t at = left.size() == 1 ? m_files : m_ranks.size(); at < m_ranks.size(); ++at)
            tell(at);
        if (m_progress.cancelled())
            return Error::cancelled();
        return std::move(m_ranks);
    }

private:
    static std::int64_t halfOfFree()
    {
        return static_cast<std::int64_t>(MemoryGuard().mostEvents() / 2) * MemoryGuard::kBytesPerEvent;
    }

    // A digest that is newer than its trace, or that has none.
    bool takeDigest(JobRank& rank) const
    {
        if (rank.file.digest.empty() || (!rank.file.trace.empty() && !m_request.useDigests))
            return false;
        Result<RankDigest> digest = readDigest(rank.file.digest);
        if (!digest.ok()) {
            rank.problem = rank.file.trace.empty() ? digest.error() : "";
            return rank.file.trace.empty();
        }
        if (!rank.file.trace.empty() && !isOfFile(digest.value(), rank.file.trace))
            return false;
        // It has one of its GPUs, and a file alone shows each.
        if (isAlone() && !rank.file.trace.empty() && !digest.value().deviceChoice.empty() &&
            !digest.value().identity.rank)
            return false;
        take(rank, std::move(digest).value());
        rank.fromDigest = true;
        return true;
    }

    void readRank(JobRank& rank, ProgressOfMany& all)
    {
        std::error_code unknown;
        const auto bytes = std::filesystem::file_size(rank.file.trace, unknown);
        const std::int64_t share =
            m_share.take(memoryToRead(rank.file.trace, unknown ? 0 : static_cast<std::int64_t>(bytes)));
        Progress progress;
        all.begin(progress);
        try {
            if (isAlone())
                readGpus(rank, progress);
            else if (Result<RankDigest> digest = digestOfFile(rank.file.trace, rank.file.identity, progress);
                     digest.ok())
                take(rank, std::move(digest).value());
            else
                rank.problem = inWordsOf(rank.file, digest.error());
        } catch (const std::exception& thrown) {
            rank.problem = rank.file.trace + ": " + thrown.what() + ".";
        }
        all.end(progress);
        m_share.give(share);
    }

    bool isAlone() const { return m_files == 1; }

    // A row for each GPU where one process drives several. Only of a file alone, so that no other thread is here.
    void readGpus(JobRank& only, Progress& progress)
    {
        auto digests = gpuDigestsOfFile(only.file.trace, only.file.identity, progress);
        if (!digests.ok()) {
            only.problem = inWordsOf(only.file, digests.error());
            return;
        }
        std::vector<JobRank> rows(digests.value().size(), only);
        for (std::size_t at = 0; at < rows.size(); ++at)
            take(rows[at], std::move(digests.value()[at]));
        m_ranks = std::move(rows);
    }

    // The name of what was unpacked for a moment helps no one.
    static std::string inWordsOf(const RankFile& file, std::string text)
    {
        const std::size_t at = file.member.empty() ? std::string::npos : text.find(file.trace);
        return at == std::string::npos ? text : text.replace(at, file.trace.size(), file.member);
    }

    static void take(JobRank& rank, RankDigest digest)
    {
        // A digest that was renamed, or made of a trace that tells nothing.
        if (!digest.identity.rank && !digest.identity.gpu && rank.identity.rank) {
            digest.identity.rank = rank.identity.rank;
            digest.identity.source = rank.identity.source;
            if (!digest.identity.worldSize)
                digest.identity.worldSize = rank.identity.worldSize;
        }
        rank.identity = digest.identity;
        rank.digest = std::move(digest);
    }

    void tell(std::size_t at)
    {
        if (!m_request.ready)
            return;
        const std::lock_guard lock(m_telling);
        m_request.ready(at, m_ranks.size(), m_ranks[at]);
    }

    const JobRequest& m_request;
    Progress& m_progress;
    MemoryShare m_share;
    std::vector<JobRank> m_ranks;
    std::size_t m_files = 0;
    std::mutex m_telling;
};

void orderByRank(std::vector<JobRank>& ranks)
{
    std::stable_sort(ranks.begin(), ranks.end(), [](const JobRank& a, const JobRank& b) {
        constexpr int kBehindAll = 1 << 30;
        const int left = a.identity.rank.value_or(kBehindAll);
        const int right = b.identity.rank.value_or(kBehindAll);
        return left != right ? left < right : naturallyLess(a.file.path(), b.file.path());
    });
}

}  // namespace

Result<Job> openJob(const JobRequest& request, Progress& progress)
{
    ASSIGN_OR_RETURN(RankFiles found, findRanks(request.paths, progress));
    JobReader reader(request, std::move(found.files), progress);
    ASSIGN_OR_RETURN(std::vector<JobRank> ranks, reader.read());
    orderByRank(ranks);
    progress.report(1);
    return Job{std::move(ranks), std::move(found.notes)};
}

}  // namespace overlane
