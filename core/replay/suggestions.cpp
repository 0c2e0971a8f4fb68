// The changes that are tried on a trace without being asked for, and which of them are worth a line.
#include <algorithm>
#include <cstdlib>

#include "core/replay/program.h"
#include "core/replay/replay.h"

namespace overlane
{
namespace
{

// Suggestions that save less than this are not worth a line.
constexpr double kWorthwhile = 0.01;

bool isPart(std::span<const Change> part, std::span<const Change> whole)
{
    return part.size() <= whole.size() && std::all_of(part.begin(), part.end(), [&](const Change& change) {
               return std::find(whole.begin(), whole.end(), change) != whole.end();
           });
}

}  // namespace

bool isEasyAndClear(const Prediction& prediction)
{
    constexpr double kLeastGain = 0.1;
    if (prediction.changes.size() != 1)
        return false;
    const ChangeKind kind = prediction.changes.front().kind;
    return (kind == ChangeKind::Pin || kind == ChangeKind::NonBlocking || kind == ChangeKind::Workers) &&
           prediction.direction() == Direction::Faster && prediction.gain() > kLeastGain;
}

Result<std::vector<Prediction>> Replay::suggestions(Progress* progress) const
{
    return attempt("try changes", progress, [&](const WorkMeter& work) { return suggested(progress, work); });
}

std::vector<Change> Replay::moreWorkers() const
{
    if (m_program->loader().kind == LoaderKind::Lanes)
        return {{ChangeKind::Workers, 2 * static_cast<std::int64_t>(m_program->loader().workers)}};
    if (!m_program->loader().made.empty())
        return {{ChangeKind::Workers, 2}, {ChangeKind::Workers, 4}, {ChangeKind::Workers, 8}};
    return {};
}

std::vector<Prediction> Replay::suggested(Progress* progress, const WorkMeter& work) const
{
    std::vector<std::vector<Change>> tried;
    for (const ChangeKind kind : {ChangeKind::Pin, ChangeKind::NonBlocking, ChangeKind::ReadLater,
                                  ChangeKind::DropSyncs, ChangeKind::MergeSmall})
        tried.push_back({Change{kind}});
    tried.push_back({Change{ChangeKind::SideStream}});
    // What a program offloads within an iteration is not there an iteration ahead.
    const bool comesAhead = !isOffloaded(m_report.carries) && !m_report.wholeRange;
    if (comesAhead)
        tried.push_back({Change{ChangeKind::SideStream, 2}});
    const std::vector<Change> workers = moreWorkers();
    for (const Change& change : workers)
        tried.push_back({change});
    tried.push_back({Change{ChangeKind::Pin}, Change{ChangeKind::NonBlocking}});
    tried.push_back({Change{ChangeKind::Pin}, Change{ChangeKind::ReadLater}});
    tried.push_back({Change{ChangeKind::Pin}, Change{ChangeKind::NonBlocking}, Change{ChangeKind::ReadLater}});
    tried.push_back({Change{ChangeKind::Pin}, Change{ChangeKind::NonBlocking}, Change{ChangeKind::SideStream}});
    if (comesAhead)
        tried.push_back({Change{ChangeKind::Pin}, Change{ChangeKind::NonBlocking}, Change{ChangeKind::SideStream, 2}});
    if (m_program->loader().kind == LoaderKind::None && !workers.empty())
        for (const Change& change : workers)
            tried.push_back({change, Change{ChangeKind::Pin}, Change{ChangeKind::NonBlocking}});
    std::vector<Prediction> helpful = worthwhile(tried, progress, work);
    // What a shorter list of changes does as well says nothing more.
    std::vector<Prediction> kept;
    for (Prediction& prediction : helpful) {
        const bool known = std::any_of(kept.begin(), kept.end(), [&](const Prediction& other) {
            return isPart(other.changes, prediction.changes) &&
                   other.stepNsPredicted - prediction.stepNsPredicted <= other.stepNsPredicted / 200;
        });
        if (!known)
            kept.push_back(std::move(prediction));
    }
    return kept;
}

Result<std::optional<Prediction>> Replay::easiest(Progress* progress) const
{
    return attempt("try the easiest changes", progress, [&](const WorkMeter& work) -> std::optional<Prediction> {
        std::vector<std::vector<Change>> tried{{Change{ChangeKind::Pin}}, {Change{ChangeKind::NonBlocking}}};
        for (const Change& change : moreWorkers())
            tried.push_back({change});
        std::vector<Prediction> helpful = worthwhile(tried, progress, work);
        const auto found = std::ranges::find_if(helpful, isEasyAndClear);
        return found != helpful.end() ? std::optional(std::move(*found)) : std::nullopt;
    });
}

std::vector<Prediction> Replay::worthwhile(std::span<const std::vector<Change>> tried, Progress* progress,
                                           const WorkMeter& work) const
{
    std::vector<Prediction> helpful;
    if (m_report.paced)  // the host would wait for what work is won
        return helpful;
    for (std::size_t at = 0; at < tried.size(); ++at) {
        if (progress)
            progress->report(static_cast<double>(at) / static_cast<double>(tried.size()));
        Result<Prediction> made = predicted(tried[at], WithTrace::No, progress, work);
        if (!made.ok())
            continue;
        // What is so already is no part of the change.
        std::erase_if(made.value().changes, [&](const Change& change) {
            const std::vector<Change>& needless = made.value().needless;
            return std::find(needless.begin(), needless.end(), change) != needless.end();
        });
        const auto savedNs = static_cast<double>(m_report.stepNsReplayed - made.value().stepNsPredicted);
        if (savedNs > kWorthwhile * static_cast<double>(m_report.stepNsReplayed))
            helpful.push_back(std::move(made.value()));
    }
    // Of equal ones the one with fewer changes first.
    std::stable_sort(helpful.begin(), helpful.end(), [](const Prediction& a, const Prediction& b) {
        if ((a.direction() == Direction::Faster) != (b.direction() == Direction::Faster))
            return a.direction() == Direction::Faster;
        const auto closeNs = std::max(a.stepNsPredicted, b.stepNsPredicted) / 200;
        if (std::abs(a.stepNsPredicted - b.stepNsPredicted) > closeNs)
            return a.stepNsPredicted < b.stepNsPredicted;
        return false;
    });
    return helpful;
}

}  // namespace overlane
