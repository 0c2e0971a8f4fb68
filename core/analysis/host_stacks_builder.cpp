// How the stacks of a trace are read: samples from their own tracks, functions of a profiler from the threads'.
#include <algorithm>
#include <array>
#include <limits>
#include <map>
#include <optional>
#include <tuple>
#include <unordered_map>
#include <utility>

#include "core/analysis/host_stacks.h"
#include "core/analysis/python_frame.h"
#include "core/base/statistics.h"
#include "core/trace/track_names.h"

namespace overlane
{
namespace
{

// "train.py:88 augment" -> "train.py augment"
std::string withoutLine(const std::string& place)
{
    const std::size_t space = place.find(' ');
    const std::size_t colon = place.rfind(':', space);
    return colon == std::string::npos ? place : place.substr(0, colon) + place.substr(std::min(space, place.size()));
}

// Functions through which PyTorch calls others: they stand in every stack and say nothing of it.
bool isDispatch(std::string_view name)
{
    constexpr std::array<std::string_view, 4> kFiles{"torch/nn/modules/module.py", "torch/utils/_device.py",
                                                     "torch/overrides.py", "torch/utils/_contextlib.py"};
    return std::any_of(kFiles.begin(), kFiles.end(), [&](std::string_view file) { return name.starts_with(file); });
}

// Below it stands what a process that was forked has of the one that started it.
bool startsProcess(std::string_view name)
{
    return name.starts_with("multiprocessing/process.py:") && name.ends_with("._bootstrap");
}

}  // namespace

class HostStacks::Builder
{
public:
    Builder(const Trace& trace, HostStacks& stacks, const WorkMeter& work)
        : m_trace(trace), m_stacks(stacks), m_work(work), m_frames(trace.strings().size())
    {
    }

    void build()
    {
        m_stacks.m_ofTrack.assign(m_trace.tracks().size(), kNone);
        // Most traces name no function: their events are not gone through.
        for (std::size_t at = 0; at < m_trace.strings().size() && !m_hasFunctions; ++at)
            m_hasFunctions = pythonFrame(m_trace.strings().view(StringId(at))).has_value();
        for (std::size_t at = 0; at < m_trace.tracks().size(); ++at)
            read(TrackId(at));
        if (m_stacks.m_threads.empty())
            return;
        joinSampled();
        standIn();
    }

private:
    struct Frame {
        enum class State : std::uint8_t { NotAsked, Other, Function } state = State::NotAsked;
        bool isProgram = false;
        bool isDispatch = false;
        std::uint32_t place = kNone;
        bool isRecorder = false;
        bool startsProcess = false;
        bool isGenerated = false;
        FrameSense sense = FrameSense::Work;
    };
    struct Open {
        std::int64_t endNs = 0;
        std::uint32_t place = kNone;  // of the innermost program function so far, else its own
        bool hasProgram = false;
        std::uint32_t own = kNone;
        FrameSense sense = FrameSense::Work;  // of the innermost; what a compiler calls compiles
    };

    std::uint32_t nameOf(std::string text)
    {
        const auto [known, isNew] =
            m_known.try_emplace(std::move(text), static_cast<std::uint32_t>(m_stacks.m_names.size()));
        if (isNew) {
            m_stacks.m_names.push_back(known->first);
            const auto function = static_cast<std::uint32_t>(m_functions.size());
            m_stacks.m_functions.push_back(m_functions.try_emplace(withoutLine(known->first), function).first->second);
        }
        return known->second;
    }

    // The function that an event stands for; nullptr for any other event.
    const Frame* frameOf(EventIndex event, bool sampled)
    {
        const StringId name = m_trace.columns().name[event.index()];
        if (!name.valid())
            return nullptr;
        Frame& frame = m_frames[name.index()];
        if (frame.state == Frame::State::NotAsked) {
            frame.state = Frame::State::Other;
            const std::string_view text = m_trace.strings().view(name);
            std::optional<PythonFrame> python = sampled ? std::nullopt : pythonFrame(text);
            if (python || sampled) {
                std::string place = python ? std::move(python->place) : std::string(text);
                frame = {Frame::State::Function, python && python->isProgram, isDispatch(text),
                         nameOf(std::move(place))};
            }
            if (frame.state == Frame::State::Function) {
                const std::string& place = m_stacks.m_names[frame.place];
                frame.isRecorder = isRecorderFrame(place);
                frame.startsProcess = startsProcess(place);
                frame.isGenerated = isGeneratedFrame(place);
                frame.sense = frameSense(place);
            }
        }
        return frame.state == Frame::State::Function ? &frame : nullptr;
    }

    void read(TrackId id)
    {
        const Track& track = m_trace.track(id);
        const bool sampled = track.kind == TrackKind::Stacks;
        const bool measured = m_hasFunctions && track.kind == TrackKind::Thread;
        if ((!sampled && !measured) || track.events.empty())
            return;
        Thread thread;
        std::vector<EventIndex> functions;
        for (std::uint32_t at = track.events.first; at < track.events.last; ++at) {
            m_work.count();
            const EventIndex event(at);
            const EventKind kind = m_trace.kind(event);
            if (sampled ? isStackFrame(kind) : kind == EventKind::HostWork && frameOf(event, false) != nullptr)
                functions.push_back(event);
        }
        if (functions.empty())
            return;
        const auto outerFirst = m_work.counting([&](EventIndex a, EventIndex b) {
            const Interval one = m_trace.interval(a);
            const Interval other = m_trace.interval(b);
            return std::tuple(one.startNs, -one.endNs, a) < std::tuple(other.startNs, -other.endNs, b);
        });
        std::sort(functions.begin(), functions.end(), outerFirst);
        if (sampled)
            readSamples(functions, thread);
        else
            readFunctions(functions, thread);
        if (thread.seen.empty())
            return;
        thread.name = track.name;
        if (const std::string before = stacksTrackName(""); sampled && thread.name.starts_with(before))
            thread.name.erase(0, before.size());
        m_stacks.m_ofTrack[id.index()] = static_cast<std::uint32_t>(m_stacks.m_threads.size());
        m_stacks.m_threads.push_back(std::move(thread));
    }

    void open(std::vector<Open>& stack, EventIndex event, bool sampled)
    {
        const Frame* frame = frameOf(event, sampled);
        // What Overlane has in a program, and what a compiler wrote for it, is not the program's own.
        const bool isProgram = (sampled ? m_trace.kind(event) == EventKind::ProgramFrame : frame->isProgram) &&
                               !frame->isRecorder && !frame->isGenerated;
        Open open{m_trace.interval(event).endNs, frame->place, isProgram, frame->place,
                  isProgram ? FrameSense::Work : frame->sense};
        if (!stack.empty() && stack.back().sense == FrameSense::Compiles)
            open.sense = FrameSense::Compiles;
        if (!isProgram && !frame->startsProcess && !stack.empty() && stack.back().hasProgram) {
            open.place = stack.back().place;
            open.hasProgram = true;
        }
        if (frame->isRecorder && stack.empty()) {
            open.place = kNone;
            open.own = kNone;
            open.sense = FrameSense::Work;
        } else if ((frame->isDispatch || frame->isRecorder) && !stack.empty()) {
            open.place = stack.back().place;
            open.own = stack.back().own;
            open.sense = stack.back().sense;
        }
        stack.push_back(open);
    }

    static void add(Thread& thread, std::int64_t startNs, std::int64_t endNs, const Open& open)
    {
        if (endNs <= startNs || open.place == kNone)
            return;
        Seen* last = thread.seen.empty() ? nullptr : &thread.seen.back();
        if (last && last->endNs == startNs && last->place == open.place && last->innermost == open.own &&
            last->sense == open.sense)
            last->endNs = endNs;
        else
            thread.seen.push_back({startNs, endNs, open.place, open.own, open.sense});
    }

    // Every moment belongs to the innermost function that covers it.
    void readFunctions(const std::vector<EventIndex>& functions, Thread& thread)
    {
        std::vector<Open> stack;
        std::int64_t timeNs = std::numeric_limits<std::int64_t>::min();
        const auto closeUntil = [&](std::int64_t untilNs) {
            while (!stack.empty() && stack.back().endNs <= untilNs) {
                add(thread, timeNs, stack.back().endNs, stack.back());
                timeNs = std::max(timeNs, stack.back().endNs);
                stack.pop_back();
            }
        };
        for (const EventIndex event : functions) {
            m_work.count();
            const std::int64_t startNs = m_trace.interval(event).startNs;
            closeUntil(startNs);
            if (!stack.empty())
                add(thread, timeNs, startNs, stack.back());
            timeNs = std::max(timeNs, startNs);
            open(stack, event, false);
        }
        closeUntil(std::numeric_limits<std::int64_t>::max());
    }

    // The innermost functions are the samples: no other begins within them.
    void readSamples(const std::vector<EventIndex>& functions, Thread& thread)
    {
        std::vector<Open> stack;
        for (std::size_t at = 0; at < functions.size(); ++at) {
            m_work.count();
            const Interval interval = m_trace.interval(functions[at]);
            while (!stack.empty() && stack.back().endNs <= interval.startNs)
                stack.pop_back();
            open(stack, functions[at], true);
            const bool isInnermost =
                at + 1 == functions.size() || m_trace.interval(functions[at + 1]).startNs >= interval.endNs;
            if (isInnermost && stack.back().place != kNone)
                thread.seen.push_back({interval.startNs, std::max(interval.endNs, interval.startNs + 1),
                                       stack.back().place, stack.back().own, stack.back().sense});
        }
        std::vector<std::int64_t> distances;
        for (std::size_t at = 1; at < thread.seen.size(); ++at)
            distances.push_back(thread.seen[at].startNs - thread.seen[at - 1].startNs);
        if (distances.empty())
            return thread.seen.clear();
        thread.periodNs = std::max<std::int64_t>(median(std::move(distances)), 1);
    }

    // The samples of a thread or an actor are asked for by its own track.
    void joinSampled()
    {
        std::map<std::pair<TrackId, std::int64_t>, TrackId> threads;
        std::map<std::pair<TrackId, std::string>, TrackId> actors;
        for (std::size_t at = 0; at < m_trace.tracks().size(); ++at) {
            const Track& track = m_trace.tracks()[at];
            if (track.nativeId != 0 && (track.kind == TrackKind::Thread || track.kind == TrackKind::LoaderActor))
                threads.emplace(std::pair(track.parent, track.nativeId), TrackId(at));
            if (track.kind == TrackKind::LoaderActor)
                actors.emplace(std::pair(track.parent, stacksTrackName(track.name)), TrackId(at));
        }
        for (std::size_t at = 0; at < m_trace.tracks().size(); ++at) {
            const Track& track = m_trace.tracks()[at];
            if (track.kind != TrackKind::Stacks || m_stacks.m_ofTrack[at] == kNone)
                continue;
            const auto thread = threads.find({track.parent, track.nativeId});
            const bool isOfWorkers = track.parent.valid() && m_trace.track(track.parent).kind == TrackKind::Stacks;
            const TrackId process = isOfWorkers ? m_trace.track(track.parent).parent : track.parent;
            const auto actor = actors.find({process, track.name});
            if (track.nativeId != 0 && thread != threads.end())
                m_stacks.m_ofTrack[thread->second.index()] = m_stacks.m_ofTrack[at];
            else if (actor != actors.end())
                m_stacks.m_ofTrack[actor->second.index()] = m_stacks.m_ofTrack[at];
        }
    }

    void standIn()
    {
        std::map<TrackId, std::uint32_t> mainOf;  // process -> stacks of its main thread
        for (std::size_t at = 0; at < m_trace.tracks().size(); ++at) {
            const Track& track = m_trace.tracks()[at];
            if (track.parent.valid() && track.nativeId != 0 && m_stacks.m_ofTrack[at] != kNone &&
                track.nativeId == m_trace.track(track.parent).nativeId)
                mainOf.try_emplace(track.parent, m_stacks.m_ofTrack[at]);
        }
        for (std::size_t at = 0; at < m_trace.tracks().size(); ++at) {
            const Track& track = m_trace.tracks()[at];
            if (track.kind == TrackKind::Thread && m_stacks.m_ofTrack[at] == kNone)
                if (const auto main = mainOf.find(track.parent); main != mainOf.end())
                    m_stacks.m_ofTrack[at] = main->second;
        }
    }

    const Trace& m_trace;
    HostStacks& m_stacks;
    const WorkMeter& m_work;
    bool m_hasFunctions = false;
    std::vector<Frame> m_frames;  // beside the trace's names
    std::unordered_map<std::string, std::uint32_t> m_known;
    std::unordered_map<std::string, std::uint32_t> m_functions;
};

HostStacks::HostStacks(const Trace& trace, const WorkMeter& work)
{
    Builder(trace, *this, work).build();
}

}  // namespace overlane
