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
    return part.size() < whole.size() && std::all_of(part.begin(), part.end(), [&](const Change& change) {
               return std::find(whole.begin(), whole.end(), change) != whole.end();
           });
}

}  // namespace

Result<std::vector<Prediction>> Replay::suggestions(Progress* progress) const
{
    return attempt("try changes", progress, [&](const WorkMeter& work) { return suggested(progress, work); });
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
    std::vector<Change> workers;
    if (m_program->loader().kind == LoaderKind::Lanes)
        workers.push_back({ChangeKind::Workers, 2 * static_cast<std::int64_t>(m_program->loader().workers)});
    else if (!m_program->loader().made.empty())
        workers = {{ChangeKind::Workers, 2}, {ChangeKind::Workers, 4}, {ChangeKind::Workers, 8}};
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
    std::vector<Prediction> helpful;
    for (std::size_t at = 0; at < tried.size(); ++at) {
        if (progress)
            progress->report(static_cast<double>(at) / static_cast<double>(tried.size()));
        Result<Prediction> made = predicted(tried[at], WithTrace::No, progress, work);
        if (!made.ok())
            continue;
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

}  // namespace overlane
