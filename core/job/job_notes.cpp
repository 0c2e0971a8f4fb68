#include "core/job/job_notes.h"

#include <algorithm>
#include <filesystem>
#include <fmt/format.h>
#include <fmt/ranges.h>
#include <map>
#include <string_view>
#include <utility>

#include "core/base/contains.h"
#include "core/base/saturated.h"
#include "core/base/statistics.h"
#include "core/base/units.h"

namespace overlane
{
namespace
{

// More of one kind are counted.
constexpr std::size_t kMostSentences = 10;

class NoteList
{
public:
    void add(std::string sentence) { m_all.push_back(std::move(sentence)); }
    // Of one kind, so that a thousand broken files are no thousand lines.
    void addSome(std::vector<std::string> sentences, std::string_view kind, std::size_t most = kMostSentences)
    {
        const std::size_t count = sentences.size();
        for (std::size_t at = 0; at < std::min(count, most); ++at)
            m_all.push_back(std::move(sentences[at]));
        if (count > most)
            m_all.push_back(fmt::format("{} more {}.", count - most, kind));
    }
    std::vector<std::string> take() { return std::move(m_all); }

private:
    std::vector<std::string> m_all;
};

std::string fileName(const JobRank& rank)
{
    return std::filesystem::path(rank.file.path()).filename().string();
}

// Ranks by their numbers, those without by their files.
std::string namesOf(const std::vector<const JobRank*>& ranks)
{
    std::vector<int> numbers;
    std::vector<std::string> files;
    for (const JobRank* rank : ranks)
        if (rank->identity.rank)
            numbers.push_back(*rank->identity.rank);
        else if (files.size() < 3)
            files.push_back(rank->identity.gpu ? rank->label() : fileName(*rank));
    std::string text =
        numbers.empty() ? "" : fmt::format("rank{} {}", numbers.size() > 1 ? "s" : "", rankListText(numbers));
    for (const std::string& file : files)
        text += (text.empty() ? "" : ", ") + file;
    if (const std::size_t left = ranks.size() - numbers.size() - files.size(); left > 0)
        text += fmt::format(" and {} more", left);
    return text;
}

// What a value of each rank should be the same of: where it is not, which ranks have which.
template <typename Value>
std::string differing(const Job& job, Value value)
{
    std::map<std::string, std::vector<const JobRank*>> byValue;
    for (const JobRank& rank : job.ranks)
        if (const std::string is = rank.isRead() ? value(rank) : std::string(); !is.empty())
            byValue[is].push_back(&rank);
    if (byValue.size() < 2)
        return {};
    constexpr std::size_t kMostValues = 4;
    std::string text;
    std::size_t told = 0;
    for (const auto& [is, ranks] : byValue)
        if (told++ < kMostValues)
            text += fmt::format("{}{} ({})", text.empty() ? "" : ", ", is, namesOf(ranks));
    return byValue.size() > kMostValues ? fmt::format("{} and {} more", text, byValue.size() - kMostValues) : text;
}

void addFiles(NoteList& notes, const Job& job)
{
    if (const std::vector<int> missing = job.missing(); !missing.empty())
        notes.add(job.worldSize() > 0 ? fmt::format("Missing: rank{} {} of {}.", missing.size() > 1 ? "s" : "",
                                                    rankListText(missing), job.worldSize())
                                      : fmt::format("Missing: rank{} {}; how many there are is not known.",
                                                    missing.size() > 1 ? "s" : "", rankListText(missing)));
    std::vector<std::string> doubled;
    for (const int rank : job.doubled()) {
        std::vector<std::string> files;
        for (const JobRank& one : job.ranks)
            if (one.identity.rank == rank)
                files.push_back(fileName(one));
        const std::size_t count = files.size();
        files.resize(std::min<std::size_t>(count, 3));
        doubled.push_back(fmt::format("Rank {} has {} files: {}{}. The first is compared; name only one of them.", rank,
                                      count, fmt::join(files, ", "), count > files.size() ? ", ..." : ""));
    }
    notes.addSome(std::move(doubled), "ranks have several files");
    std::vector<const JobRank*> unknown;
    for (const JobRank& rank : job.ranks)
        if (rank.isRead() && !rank.identity.rank)
            unknown.push_back(&rank);
    if (!unknown.empty() && job.ranks.size() > 1 && !job.isOfGpus())
        notes.add(fmt::format("No rank is known of {} file{}, neither from the trace nor from its name: {}.",
                              unknown.size(), unknown.size() > 1 ? "s" : "", namesOf(unknown)));
    std::vector<std::string> broken;
    for (const JobRank& rank : job.ranks)
        if (!rank.isRead())
            broken.push_back((rank.identity.rank ? rank.label() + ": " : "") + rank.problem);
    notes.addSome(std::move(broken), "ranks cannot be read");
    std::vector<std::string> damaged;
    for (const JobRank& rank : job.ranks)
        if (rank.isRead() && !rank.digest.damage.empty())
            damaged.push_back(
                fmt::format("{}: {}{}.", rank.label(), rank.digest.damage,
                            contains(rank.digest.damage, "is shown") ? "" : "; what could be read is shown"));
    notes.addSome(std::move(damaged), "ranks are damaged");
}

void addMixed(NoteList& notes, const Job& job)
{
    if (const std::string sizes = differing(job,
                                            [](const JobRank& rank) {
                                                return rank.identity.worldSize
                                                           ? fmt::format("{} rank{}", *rank.identity.worldSize,
                                                                         *rank.identity.worldSize == 1 ? "" : "s")
                                                           : std::string();
                                            });
        !sizes.empty())
        notes.add(fmt::format("The files are of different jobs: {}. Open the files of one job.", sizes));
    if (const std::string programs = differing(job, [](const JobRank& rank) { return rank.digest.program; });
        !programs.empty())
        notes.add(fmt::format("The ranks ran different programs: {}.", programs));
    if (const std::string devices = differing(job, [](const JobRank& rank) { return rank.digest.device; });
        !devices.empty())
        notes.add(job.isOfGpus() ? fmt::format("The GPUs are of different kinds: {}.", devices)
                                 : fmt::format("The ranks ran on different GPUs: {}.", devices));
}

// The group of that name which another rank has.
const DigestGroup* groupNamed(const RankDigest& digest, const std::string& name)
{
    for (const DigestGroup& group : digest.groups)
        if (group.name == name && !group.ranks.empty())
            return &group;
    return nullptr;
}

void addGroups(NoteList& notes, const Job& job)
{
    std::map<int, const JobRank*> byRank;
    for (const JobRank& rank : job.ranks)
        if (rank.isRead() && rank.identity.rank)
            byRank.emplace(*rank.identity.rank, &rank);
    for (const auto& [number, rank] : byRank)
        for (const DigestGroup& group : rank->digest.groups) {
            if (group.ranks.empty())
                continue;
            const auto first = byRank.lower_bound(group.ranks.front());
            if (first == byRank.end() || first->second == rank ||
                !std::binary_search(group.ranks.begin(), group.ranks.end(), first->first))
                continue;
            const DigestGroup* other = groupNamed(first->second->digest, group.name);
            if (other == nullptr || other->ranks == group.ranks ||
                !std::binary_search(other->ranks.begin(), other->ranks.end(), number))
                continue;
            return notes.add(
                fmt::format("The files are of different jobs: group {} has ranks {} as rank {} says, and {} as "
                            "rank {} says.",
                            group.name, rankListText(other->ranks), first->first, rankListText(group.ranks), number));
        }
}

// "3.2 hours", "12 days".
std::string longTimeText(std::int64_t ns)
{
    constexpr std::int64_t kHourNs = 3600 * kNsPerS;
    constexpr std::int64_t kDayNs = 24 * kHourNs;
    return ns < 2 * kDayNs ? fmt::format("{:.1f} hours", double(ns) / double(kHourNs))
                           : fmt::format("{} days", ns / kDayNs);
}

void addTimes(NoteList& notes, const Job& job)
{
    constexpr std::int64_t kApartNs = 3600 * kNsPerS;
    std::vector<std::int64_t> starts;
    for (const JobRank& rank : job.ranks)
        if (rank.isRead() && rank.digest.startEpochNs > 0)
            starts.push_back(rank.digest.startEpochNs);
    if (starts.size() < 2)
        return;
    const std::int64_t usualNs = lowerMedian(starts);
    std::vector<std::string> apart;
    for (const JobRank& rank : job.ranks) {
        const std::int64_t offNs = rank.digest.startEpochNs - usualNs;
        if (rank.isRead() && rank.digest.startEpochNs > 0 && std::abs(offNs) >= kApartNs)
            apart.push_back(
                fmt::format("{} begins {} {} the median rank by its clock: its clock is off, or its trace is of "
                            "another run.",
                            rank.label(), longTimeText(std::abs(offNs)), offNs > 0 ? "after" : "before"));
    }
    notes.addSome(std::move(apart), "ranks begin an hour or more apart", 3);
}

void addWithoutTimes(NoteList& notes, const Job& job)
{
    std::vector<const JobRank*> without, unrecorded, chosen;
    for (const JobRank& rank : job.ranks) {
        if (!rank.isRead())
            continue;
        if (rank.digest.deviceId < 0)
            without.push_back(&rank);
        else if (!rank.digest.kernelsKnown)
            unrecorded.push_back(&rank);
        if (!rank.digest.deviceChoice.empty())
            chosen.push_back(&rank);
    }
    if (!without.empty())
        notes.add(fmt::format("No GPU work is recorded of {}.", namesOf(without)));
    if (!unrecorded.empty())
        notes.add(fmt::format("Not every kernel is recorded of {}; its times are left out.", namesOf(unrecorded)));
    if (!chosen.empty())
        notes.add(fmt::format("{}: {}{}", chosen.front()->label(), chosen.front()->digest.deviceChoice,
                              chosen.size() > 1 ? fmt::format(" So do {} more.", chosen.size() - 1) : ""));
    // Its GPUs wait for one host and meet in no collective of ranks: what names a rank says nothing of them.
    if (!chosen.empty() && job.ranks.size() == 1)
        notes.add(
            fmt::format("A row is a rank: a process with a GPU of its own. This file has several GPUs in one trace; "
                        "`overlane info {}` shows each of them.",
                        fileName(job.ranks.front())));
}

}  // namespace

std::string rankListText(const std::vector<int>& given)
{
    std::vector<int> ranks = given;
    std::sort(ranks.begin(), ranks.end());
    ranks.erase(std::unique(ranks.begin(), ranks.end()), ranks.end());
    std::vector<std::string> parts;
    for (std::size_t at = 0; at < ranks.size();) {
        std::size_t last = at;
        while (last + 1 < ranks.size() && ranks[last + 1] == ranks[last] + 1)
            ++last;
        if (last - at >= 2) {
            parts.push_back(fmt::format("{} to {}", ranks[at], ranks[last]));
            at = last + 1;
        } else {
            parts.push_back(std::to_string(ranks[at++]));
        }
    }
    constexpr std::size_t kMostParts = 8;
    if (parts.size() > kMostParts) {
        parts.resize(kMostParts);
        return fmt::format("{} and more, {} in all", fmt::join(parts, ", "), ranks.size());
    }
    if (parts.size() < 2)
        return parts.empty() ? std::string() : parts.front();
    const std::string last = parts.back();
    parts.pop_back();
    return fmt::format("{} and {}", fmt::join(parts, ", "), last);
}

std::vector<std::string> jobNotes(const Job& job)
{
    NoteList notes;
    for (const std::string& note : job.notes)
        notes.add(note);
    addFiles(notes, job);
    addMixed(notes, job);
    addGroups(notes, job);
    addTimes(notes, job);
    addWithoutTimes(notes, job);
    return notes.take();
}

}  // namespace overlane
