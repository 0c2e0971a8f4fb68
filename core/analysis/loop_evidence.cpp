#include "core/analysis/loop_evidence.h"

#include <algorithm>
#include <array>
#include <cstdint>
#include <map>
#include <string_view>
#include <vector>

namespace overlane
{
namespace
{

// Fewer samples in all pauses say nothing.
constexpr std::size_t kFewestInPauses = 10;
// A line that stands for the loop inside is on so many stacks of its iterations, and on fewer than this in the pauses.
constexpr double kNearlyAlways = 0.8;
constexpr double kOften = 0.6;

// The number of the last interval that begins before a time; those of `all` are disjoint and in order.
std::size_t placeOf(std::span<const Interval> all, std::int64_t timeNs)
{
    return static_cast<std::size_t>(
        std::partition_point(all.begin(), all.end(), [&](Interval each) { return each.startNs <= timeNs; }) -
        all.begin());
}

bool isWithin(std::span<const Interval> all, std::int64_t timeNs)
{
    const std::size_t place = placeOf(all, timeNs);
    return place > 0 && timeNs < all[place - 1].endNs;
}

// Modules of Python's own library in which a thread is while another one, or another process, makes what it needs.
bool isWait(std::string_view innermost)
{
    constexpr std::array<std::string_view, 7> kModules{
        "threading.py", "queue.py", "selectors.py", "multiprocessing/", "socket.py", "subprocess.py", "concurrent/"};
    return std::any_of(kModules.begin(), kModules.end(),
                       [innermost](std::string_view module) { return innermost.starts_with(module); });
}

bool loadsCode(EventKind kind, std::string_view name)
{
    const auto has = [name](std::string_view part) { return name.find(part) != std::string_view::npos; };
    return (kind == EventKind::Overhead && (has("loading") || has("Loading"))) ||
           (kind == EventKind::RuntimeCall && (has("ModuleLoad") || has("LibraryLoad")));
}

// The samples of one thread, gone through in order: where each was taken, and the functions on its stack.
class Samples
{
public:
    Samples(const Trace& trace, const Track& track, const WorkMeter& work) : m_trace(trace), m_work(work)
    {
        for (std::uint32_t at = track.events.first; at < track.events.last; ++at) {
            work.count();
            if (isStackFrame(trace.kind(EventIndex(at))))
                m_frames.emplace_back(at);
        }
        std::stable_sort(m_frames.begin(), m_frames.end(), work.counting([&](EventIndex a, EventIndex b) {
            return trace.interval(a).startNs < trace.interval(b).startNs;
        }));
    }

    // `visit(timeNs, frames)` per sample: each begins an event at least, that of its innermost function. Frames that
    // are open then, outermost first: the last one is the innermost.
    template <typename Visit>
    void each(Visit visit) const
    {
        std::vector<EventIndex> open;
        for (std::size_t at = 0; at < m_frames.size();) {
            const std::int64_t timeNs = m_trace.interval(m_frames[at]).startNs;
            m_work.count(open.size());
            std::erase_if(open, [&](EventIndex frame) { return m_trace.interval(frame).endNs <= timeNs; });
            for (; at < m_frames.size() && m_trace.interval(m_frames[at]).startNs == timeNs; ++at)
                open.push_back(m_frames[at]);
            visit(timeNs, open);
        }
    }

private:
    const Trace& m_trace;
    const WorkMeter& m_work;
    std::vector<EventIndex> m_frames;  // in order of start, then of the rows: outermost first
};

}  // namespace

// The stacks of the thread that asks the GPU for most in a range; of one without, such as PyTorch's for the backward
// pass, those of the main thread of its process, which waits for it.
const Track* TraceEvidence::stacksOfLauncher(Interval range) const
{
    const Track* launcher = nullptr;
    std::size_t most = 0;
    for (const Track& track : m_trace.tracks()) {
        if (track.device >= 0 || track.bookkeeping)
            continue;
        std::size_t launches = 0;
        for (std::uint32_t at = track.events.first; at < track.events.last; ++at) {
            m_work.count();
            launches += m_trace.kind(EventIndex(at)) == EventKind::RuntimeCall &&
                        m_trace.link(EventIndex(at)).valid() &&
                        m_trace.interval(EventIndex(at)).intersected(range).lengthNs() > 0;
        }
        if (launches > most) {
            most = launches;
            launcher = &track;
        }
    }
    const Track* ofMain = nullptr;
    for (const Track& track : m_trace.tracks()) {
        if (!launcher || track.kind != TrackKind::Stacks || track.parent != launcher->parent)
            continue;
        if (track.nativeId == launcher->nativeId)
            return &track;
        if (track.parent.valid() && track.nativeId == m_trace.track(track.parent).nativeId)
            ofMain = &track;
    }
    return ofMain;
}

bool TraceEvidence::hostWorksBetween(const LoopGroups& groups) const
{
    struct Seen {
        std::size_t inGroups = 0;
        std::size_t inPauses = 0;
    };
    const Track* stacks = stacksOfLauncher({groups.groups.front().startNs, groups.groups.back().endNs});
    if (!stacks)
        return false;
    std::map<std::uint32_t, Seen> ofName;
    Seen all;
    std::size_t waits = 0;
    Samples(m_trace, *stacks, m_work).each([&](std::int64_t timeNs, const std::vector<EventIndex>& frames) {
        const bool inGroup = isWithin(groups.groups, timeNs);
        if (!inGroup && !isWithin(groups.pauses, timeNs))
            return;
        std::size_t Seen::*const where = inGroup ? &Seen::inGroups : &Seen::inPauses;
        ++(all.*where);
        for (const EventIndex frame : frames)
            ++(ofName[m_trace.columns().name[frame.index()].value()].*where);
        m_work.count(frames.size());
        waits += !inGroup && isWait(m_trace.name(frames.back()));
    });
    return all.inPauses >= kFewestInPauses && 2 * waits <= all.inPauses &&
           std::any_of(ofName.begin(), ofName.end(), [&](const auto& each) {
               const Seen& seen = each.second;
               return static_cast<double>(seen.inGroups) >= kNearlyAlways * static_cast<double>(all.inGroups) &&
                      static_cast<double>(seen.inPauses) < kOften * static_cast<double>(all.inPauses);
           });
}

bool TraceEvidence::areTrials(std::span<const Interval> iterations) const
{
    std::vector<std::uint8_t> loads(iterations.size());
    for (const Track& track : m_trace.tracks()) {
        if (track.device >= 0)
            continue;
        for (std::uint32_t at = track.events.first; at < track.events.last; ++at) {
            m_work.count();
            const EventKind kind = m_trace.kind(EventIndex(at));
            if (kind != EventKind::Overhead && kind != EventKind::RuntimeCall)
                continue;
            const std::int64_t timeNs = m_trace.interval(EventIndex(at)).startNs;
            const std::size_t place = placeOf(iterations, timeNs);
            if (place > 0 && timeNs < iterations[place - 1].endNs && !loads[place - 1])
                loads[place - 1] = loadsCode(kind, m_trace.name(EventIndex(at)));
        }
    }
    return 2 * static_cast<std::size_t>(std::count(loads.begin(), loads.end(), 1)) > iterations.size();
}

}  // namespace overlane
