#include "core/analysis/host_stacks.h"

#include <algorithm>
#include <fmt/format.h>
#include <map>
#include <utility>

#include "core/analysis/gap_threads.h"
#include "core/base/saturated.h"

namespace overlane
{
namespace
{

constexpr std::size_t kMostAsked = 8192;  // of a thread's samples at once; of more every n-th
constexpr double kFewestSamples = 5;
constexpr double kLeastCovered = 0.2;
constexpr std::size_t kMostOthers = 64;  // threads that are looked at for what they did elsewhere

}  // namespace

const HostStacks::Thread* HostStacks::threadOf(TrackId track) const
{
    const std::uint32_t at = track.index() < m_ofTrack.size() ? m_ofTrack[track.index()] : kNone;
    return at == kNone ? nullptr : &m_threads[at];
}

// How much of a time each place has.
class HostStacks::Sum
{
public:
    explicit Sum(const HostStacks& stacks) : m_stacks(stacks) {}

    // `belongs`: whether a time counts for this thread.
    template <typename Belongs>
    void add(const Thread& thread, const IntervalSet& time, Interval range, Belongs belongs)
    {
        const auto first = std::partition_point(thread.seen.begin(), thread.seen.end(),
                                                [&](const Seen& seen) { return seen.endNs <= range.startNs; });
        const auto last = std::partition_point(first, thread.seen.end(),
                                               [&](const Seen& seen) { return seen.startNs < range.endNs; });
        const auto count = static_cast<std::size_t>(last - first);
        if (thread.periodNs == 0 && count > kMostAsked)
            return addAtPoints(thread, time, range, belongs);
        const std::size_t every = 1 + count / kMostAsked;
        for (std::size_t at = 0; at < count; at += every) {
            const Seen& seen = first[static_cast<std::ptrdiff_t>(at)];
            const Interval interval = Interval{seen.startNs, seen.endNs}.intersected(range);
            // A sample is of the moment when it was taken; one that stands for several, and what was measured, of
            // its time.
            const bool isMoment = seen.endNs - seen.startNs < 3 * thread.periodNs;
            const Interval counted = isMoment ? Interval{seen.startNs, seen.startNs + 1}.intersected(range) : interval;
            const std::int64_t withinNs = time.measureNs(counted);
            if (withinNs <= 0 || !belongs(counted))
                continue;
            const auto ns = static_cast<double>(withinNs);
            const auto periodNs = static_cast<double>(thread.periodNs);
            if (thread.periodNs == 0)
                add(seen, kFewestSamples, ns);
            else if (isMoment)
                add(seen, 1, periodNs * static_cast<double>(every));
            else
                add(seen, ns / periodNs, ns * static_cast<double>(every));
        }
    }

    double coveredOf(std::int64_t askedNs) const
    {
        return askedNs > 0 ? std::min(1.0, m_totalNs / static_cast<double>(askedNs)) : 0;
    }

    std::vector<CodeShare> take(std::int64_t askedNs) const
    {
        std::vector<CodeShare> shares;
        if (m_samples < kFewestSamples || m_totalNs < kLeastCovered * static_cast<double>(askedNs))
            return shares;
        double allNs = 0;
        for (const auto& [function, weight] : m_weights)
            allNs += weight.ns;
        for (const auto& [function, weight] : m_weights) {
            const auto [line, lineNs] = most(weight.lines);
            CodeShare share{m_stacks.m_names[line], {}, weight.ns / allNs, lineNs / allNs};
            share.ownLines = weight.ownLines / allNs;
            for (std::size_t sense = 0; sense < share.senses.size(); ++sense)
                share.senses[sense] = weight.senses[sense] / allNs;
            for (const auto& [inner, lines] : weight.within) {
                double ns = 0;
                for (const auto& [each, eachNs] : lines)
                    ns += eachNs;
                if (ns / allNs >= std::max(kPlaceWorthNaming, share.innermostShare)) {
                    share.innermost = m_stacks.m_names[most(lines).first];
                    share.innermostShare = ns / allNs;
                }
            }
            share.ns = saturatedRound(share.share * static_cast<double>(askedNs));
            shares.push_back(std::move(share));
        }
        std::stable_sort(shares.begin(), shares.end(),
                         [](const CodeShare& a, const CodeShare& b) { return a.share > b.share; });
        return shares;
    }

private:
    // Of very many functions those at points that lie equally far apart in the time.
    template <typename Belongs>
    void addAtPoints(const Thread& thread, const IntervalSet& time, Interval range, Belongs belongs)
    {
        const std::int64_t stepNs = time.measureNs(range) / static_cast<std::int64_t>(kMostAsked) + 1;
        std::int64_t nextNs = stepNs / 2;  // in the time, as far as it was gone through
        const std::vector<Interval>& all = time.intervals();
        auto piece =
            std::partition_point(all.begin(), all.end(), [&](Interval each) { return each.endNs <= range.startNs; });
        for (; piece != all.end() && piece->startNs < range.endNs; ++piece) {
            const Interval part = piece->intersected(range);
            for (; nextNs < part.lengthNs(); nextNs += stepNs) {
                const std::int64_t atNs = part.startNs + nextNs;
                const auto seen = std::partition_point(thread.seen.begin(), thread.seen.end(),
                                                       [&](const Seen& each) { return each.endNs <= atNs; });
                if (seen != thread.seen.end() && seen->startNs <= atNs && belongs(Interval{atNs, atNs + 1}))
                    add(*seen, kFewestSamples, static_cast<double>(stepNs));
            }
            nextNs -= part.lengthNs();
        }
    }

    void add(const Seen& seen, double samples, double weightNs)
    {
        m_samples += samples;
        m_totalNs += weightNs;
        Weight& weight = m_weights[m_stacks.m_functions[seen.place]];
        weight.ns += weightNs;
        weight.lines[seen.place] += weightNs;
        weight.senses[static_cast<std::size_t>(seen.sense)] += weightNs;
        if (seen.innermost == seen.place && seen.sense == FrameSense::Work)
            weight.ownLines += weightNs;
        if (seen.innermost != seen.place)
            weight.within[m_stacks.m_functions[seen.innermost]][seen.innermost] += weightNs;
    }

    using Lines = std::map<std::uint32_t, double>;  // name -> ns
    struct Weight {
        double ns = 0;
        Lines lines;
        std::map<std::uint32_t, Lines> within;  // function -> its lines
        std::array<double, kFrameSenseCount> senses{};
        double ownLines = 0;
    };
    static std::pair<std::uint32_t, double> most(const Lines& lines)
    {
        return *std::max_element(lines.begin(), lines.end(),
                                 [](const auto& a, const auto& b) { return a.second < b.second; });
    }
    const HostStacks& m_stacks;
    std::map<std::uint32_t, Weight> m_weights;
    double m_samples = 0;
    double m_totalNs = 0;
};

std::vector<const HostStacks::Thread*> HostStacks::launching(const DeviceActivity& device,
                                                             const HostActivity& host) const
{
    std::vector<const Thread*> threads;
    for (const std::uint32_t place : host.group(device.id).threads)
        if (const Thread* thread = threadOf(host.launchingThreads[place].track);
            thread && std::find(threads.begin(), threads.end(), thread) == threads.end())
            threads.push_back(thread);
    return threads;
}

std::vector<CodeShare> HostStacks::behind(const DeviceActivity& device, const HostActivity& host,
                                          const IntervalSet& idle, Interval range) const
{
    if (empty())
        return {};
    const std::vector<const Thread*> asked = launching(device, host);
    Sum sum(*this);
    for (const Thread* thread : asked)
        sum.add(*thread, idle, range, [&](Interval interval) {
            if (asked.size() == 1)
                return true;
            const std::int64_t middleNs = interval.startNs + interval.lengthNs() / 2;
            const auto behind = threadsBehind(device, host, middleNs);
            return std::any_of(behind.begin(), behind.end(), [&](const auto& threads) {
                return std::any_of(threads.begin(), threads.end(), [&](const HostActivity::LaunchingThread* each) {
                    return threadOf(each->track) == thread;
                });
            });
        });
    return sum.take(idle.measureNs(range));
}

std::optional<OtherThread> HostStacks::busiestOther(const DeviceActivity& device, const HostActivity& host,
                                                    const IntervalSet& idle, Interval range) const
{
    const std::vector<const Thread*> own = launching(device, host);
    std::optional<OtherThread> busiest;
    std::size_t asked = 0;
    for (const Thread& thread : m_threads) {
        if (thread.periodNs == 0 || std::find(own.begin(), own.end(), &thread) != own.end())
            continue;
        if (++asked > kMostOthers)
            break;
        Sum sum(*this);
        sum.add(thread, idle, range, [](Interval) { return true; });
        const std::int64_t idleNs = idle.measureNs(range);
        const std::vector<CodeShare> places = sum.take(idleNs);
        double waits = 0;
        const CodeShare* most = nullptr;
        for (const CodeShare& place : places) {
            waits += place.sense(FrameSense::Waits);
            const auto worked = [](const CodeShare& share) { return share.share - share.sense(FrameSense::Waits); };
            if (!most || worked(place) > worked(*most))
                most = &place;
        }
        const double busyShare = sum.coveredOf(idleNs) * (1 - waits);
        if (most && busyShare > (busiest ? busiest->busyShare : kPlaceWorthNaming))
            busiest = OtherThread{thread.name, busyShare, *most};
    }
    return busiest;
}

std::vector<CodeShare> HostStacks::of(const std::vector<TimeOfTrack>& tracks, Interval range) const
{
    Sum sum(*this);
    std::int64_t askedNs = 0;
    for (const TimeOfTrack& each : tracks)
        if (const Thread* thread = threadOf(each.track)) {
            sum.add(*thread, each.time, range, [](Interval) { return true; });
            askedNs += each.time.measureNs(range);
        }
    return sum.take(askedNs);
}

std::string otherThreadSentence(const std::optional<OtherThread>& other)
{
    return other ? fmt::format(" Thread {} is then in {} ({} of that time outside waits).", other->name,
                               placeText(other->place), percentText(other->busyShare))
                 : std::string();
}

}  // namespace overlane
