#include "core/analysis/gpu_requests.h"

#include <algorithm>
#include <bit>
#include <fmt/format.h>
#include <map>
#include <string_view>
#include <tuple>
#include <unordered_map>

#include "core/base/units.h"

namespace overlane
{
namespace
{

constexpr std::int32_t kNoDevice = -2;
constexpr std::uint32_t kNoTrack = 0xFFFFFFFF;
// With less of the work linked to its calls, order is that of the device.
constexpr double kMostlyLinked = 0.5;

std::int32_t busiestDevice(const Trace& trace, const WorkMeter& work)
{
    std::map<std::int32_t, std::size_t> kernels;
    for (const Track& track : trace.tracks())
        if (!track.bookkeeping)
            for (std::uint32_t at = track.events.first; at < track.events.last; ++at) {
                work.count();
                if (trace.kind(EventIndex(at)) == EventKind::Kernel)
                    ++kernels[track.device];
            }
    const auto most = std::max_element(kernels.begin(), kernels.end(),
                                       [](const auto& a, const auto& b) { return a.second < b.second; });
    return most == kernels.end() ? kNoDevice : most->first;
}

bool isWaitName(std::string_view name)
{
    return name.find("Synchronize") != std::string_view::npos;
}

bool isGraphLaunch(std::string_view name)
{
    return name.find("GraphLaunch") != std::string_view::npos;
}

// What a request is told apart by.
struct Identity {
    RequestKind kind = RequestKind::Kernel;
    std::size_t name = 0;    // of the work or the call; 0 for copies
    std::int32_t size = -1;  // of copies: the power of two; -1 where it is unknown
    bool operator==(const Identity&) const = default;
};
struct IdentityHash {
    std::size_t operator()(const Identity& of) const
    {
        const std::uint64_t mixed = (static_cast<std::uint64_t>(of.name) << 16) ^
                                    (static_cast<std::uint64_t>(of.size + 1) << 8) ^
                                    static_cast<std::uint64_t>(of.kind);
        return static_cast<std::size_t>((mixed * 0x9E3779B97F4A7C15ULL) >> 16);
    }
};

class Reader
{
public:
    Reader(const Trace& trace, const WorkMeter& work) : m_trace(trace), m_work(work), m_rootOf(trace.tracks().size())
    {
        for (std::size_t track = 0; track < m_rootOf.size(); ++track) {
            TrackId root(static_cast<std::uint32_t>(track));
            while (trace.track(root).parent.valid())
                root = trace.track(root).parent;
            m_rootOf[track] = root.value();
        }
        for (std::uint32_t name = 0; name < trace.strings().size(); ++name) {
            const std::string_view text = trace.strings().view(StringId(name));
            m_isWait.push_back(isWaitName(text));
            m_isGraph.push_back(isGraphLaunch(text));
        }
    }

    GpuRequests read()
    {
        const std::int32_t device = busiestDevice(m_trace, m_work);
        if (device == kNoDevice)
            return {};
        findProcess(device);
        if (m_found.onHost)
            readCalls(device);
        else
            readWork(device);
        std::sort(m_found.requests.begin(), m_found.requests.end(),
                  m_work.counting([](const GpuRequest& a, const GpuRequest& b) {
                      return std::tie(a.startNs, a.endNs, a.token) < std::tie(b.startNs, b.endNs, b.token);
                  }));
        return std::move(m_found);
    }

private:
    template <typename Visit>
    void eachWorkOf(std::int32_t device, Visit visit) const
    {
        for (const Track& track : m_trace.tracks()) {
            if (track.device != device || track.bookkeeping)
                continue;
            for (std::uint32_t at = track.events.first; at < track.events.last; ++at) {
                m_work.count();
                if (isDeviceWork(m_trace.kind(EventIndex(at))) && m_trace.columns().name[at].valid())
                    visit(EventIndex(at));
            }
        }
    }

    // Whose calls caused most of the device's work, and whether that is known of most of it.
    void findProcess(std::int32_t device)
    {
        std::map<std::uint32_t, std::size_t> workOf;
        std::size_t all = 0;
        eachWorkOf(device, [&](EventIndex work) {
            ++all;
            if (const EventIndex call = m_trace.link(work); call.valid())
                ++workOf[m_rootOf[m_trace.trackOf(call).index()]];
        });
        std::size_t linked = 0;
        std::size_t most = 0;
        for (const auto& [process, count] : workOf) {
            linked += count;
            if (count > most) {
                most = count;
                m_process = process;
            }
        }
        m_found.onHost = static_cast<double>(linked) >= kMostlyLinked * static_cast<double>(all);
    }

    // A call's work is told apart by its first, to which the call is linked.
    void readCalls(std::int32_t device)
    {
        for (std::uint32_t index = 0; index < m_trace.tracks().size(); ++index) {
            const Track& track = m_trace.tracks()[index];
            if (track.device >= 0 || track.bookkeeping || m_rootOf[index] != m_process)
                continue;
            const std::size_t before = m_found.requests.size();
            bool launches = false;
            for (std::uint32_t at = track.events.first; at < track.events.last; ++at) {
                m_work.count();
                const EventIndex call(at);
                const StringId name = m_trace.columns().name[at];
                if (!name.valid())
                    continue;
                const EventIndex work = m_trace.link(call);
                if (work.valid() && isDeviceWork(m_trace.kind(work))) {
                    if (m_trace.track(m_trace.trackOf(work)).device != device)
                        continue;
                    launches = true;
                    add(call,
                        m_isGraph[name.index()] || m_trace.graph(work) != 0
                            ? Identity{RequestKind::Graph, name.index(), -1}
                            : identityOf(work),
                        work);
                } else if (m_trace.kind(call) == EventKind::RuntimeCall || m_trace.kind(call) == EventKind::Sync) {
                    if (m_isGraph[name.index()]) {
                        launches = true;  // its kernels were not recorded
                        add(call, {RequestKind::Graph, name.index(), -1});
                    } else if (m_isWait[name.index()]) {
                        add(call, {RequestKind::Wait, name.index(), -1});
                    }
                }
            }
            if (!launches)  // waits of other threads say nothing of the loop
                m_found.requests.resize(before);
        }
    }

    // Of one launch of a graph the first work stands for all, as the call does where the trace has it.
    void readWork(std::int32_t device)
    {
        std::map<std::uint32_t, EventIndex> firstOf;  // by the correlation of the launch
        eachWorkOf(device, [&](EventIndex work) {
            const std::uint32_t launch = m_trace.columns().correlation[work.index()];
            if (m_trace.graph(work) == 0 || launch == 0)
                return add(work, identityOf(work), work);
            const auto [first, isNew] = firstOf.try_emplace(launch, work);
            if (!isNew && m_trace.interval(work).startNs < m_trace.interval(first->second).startNs)
                first->second = work;
        });
        for (const auto& [launch, first] : firstOf) {
            m_work.count();
            add(first, {RequestKind::Graph, m_trace.columns().name[first.index()].index(), -1}, first);
        }
    }

    Identity identityOf(EventIndex work) const
    {
        const EventKind kind = m_trace.kind(work);
        const CopyInfo* copy = m_trace.copy(work);
        const std::int32_t size =
            copy && copy->bytes > 0 ? static_cast<std::int32_t>(std::bit_width(static_cast<std::uint64_t>(copy->bytes)))
                                    : -1;
        if (kind == EventKind::CopyH2D)
            return {RequestKind::CopyIn, 0, size};
        if (kind == EventKind::CopyD2H)
            return {RequestKind::CopyBack, 0, size};
        return {RequestKind::Kernel, m_trace.columns().name[work.index()].index(), isCopy(kind) ? size : -1};
    }
    void add(EventIndex event, Identity identity, EventIndex work = {})
    {
        const auto [known, isNew] = m_tokens.try_emplace(identity, static_cast<std::uint32_t>(m_tokens.size()));
        if (isNew) {
            m_found.kinds.push_back(identity.kind);
            m_found.names.push_back(nameOf(identity));
        }
        const Interval interval = m_trace.interval(event);
        m_found.requests.push_back({interval.startNs, interval.endNs, known->second,
                                    work.valid() ? m_trace.trackOf(work).value() : kNoStream});
    }
    std::string nameOf(const Identity& identity) const
    {
        if (identity.kind != RequestKind::CopyIn && identity.kind != RequestKind::CopyBack)
            return std::string(m_trace.strings().view(StringId(static_cast<std::uint32_t>(identity.name))));
        const std::string_view direction = identity.kind == RequestKind::CopyIn ? "H2D copy" : "D2H copy";
        if (identity.size < 0)
            return std::string(direction);
        return fmt::format("{} of up to {}", direction, formatBytes(std::int64_t{1} << std::min(identity.size, 62)));
    }

    const Trace& m_trace;
    const WorkMeter& m_work;
    std::vector<std::uint32_t> m_rootOf;  // by track
    std::vector<bool> m_isWait;           // by name
    std::vector<bool> m_isGraph;
    std::uint32_t m_process = kNoTrack;  // a root
    std::unordered_map<Identity, std::uint32_t, IdentityHash> m_tokens;
    GpuRequests m_found;
};

}  // namespace

GpuRequests gpuRequests(const Trace& trace, const WorkMeter& work)
{
    return Reader(trace, work).read();
}

}  // namespace overlane
