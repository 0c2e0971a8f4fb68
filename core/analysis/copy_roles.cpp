#include "core/analysis/copy_roles.h"

#include <algorithm>
#include <array>
#include <optional>
#include <utility>
#include <vector>

#include "core/analysis/copy_requests.h"
#include "core/analysis/copy_shapes.h"
#include "core/analysis/role_hints.h"
#include "core/base/saturated.h"
#include "core/base/statistics.h"

namespace overlane
{
namespace
{

constexpr std::int64_t kAskedPerSize = 8;
// Looking for what stands around a call costs as much as so many items.
constexpr std::size_t kItemsOfAHint = 16;
// A batch comes in so many bursts per iteration; parameters come in more.
constexpr double kFewBursts = 2.5;
// Sizes of parameters, in all their bursts together.
constexpr std::size_t kManySizes = 3;
constexpr double kCopiesOfALayer = 2.5;
// One burst of so many copies of few sizes is a model, not a batch.
constexpr std::int64_t kCopiesOfAModel = 24;
constexpr std::int64_t kCopiesPerSize = 3;
constexpr std::int64_t kFewestUploads = 8;
// Scalars: indices, a learning rate.
constexpr std::int64_t kScalarBytes = 64;
constexpr std::int64_t kOneScalarBytes = 8;
// A range of an optimizer that most launches of an iteration lie in has the other passes in it, too: a closure.
constexpr double kMostLaunches = 0.75;

void carry(CopyRecord& copy, CopyRole role, double confidence)
{
    copy.role = role;
    copy.roleConfidence = static_cast<float>(role == CopyRole::Unknown ? 0 : confidence);
}

// What is known of the copies of one size and direction.
struct SizeTally {
    std::int64_t copies = 0;  // within iterations
    std::int64_t iterations = 0;
    std::int32_t lastIteration = -1;
    std::int64_t uploads = 0;      // before the first iteration
    std::int64_t asked = 0;        // copies whose surroundings were looked at
    std::int64_t byOptimizer = 0;  // of these
    std::vector<CopyRole> hints;   // what they told
};

// Copies of one direction that are asked for with few launches between them, in one iteration.
struct Burst {
    std::size_t first = 0;  // places among the requests; others may lie between
    std::int32_t iteration = -1;
    std::int64_t copies = 0;
    std::int64_t bytes = 0;
    std::int64_t sizes = 0;
    bool hasLarge = false;
    bool afterWait = false;  // its first copy
    bool isFirst = false;    // of its iteration

    bool isScalars() const { return !hasLarge && bytes <= copies * kScalarBytes; }
};

// Bursts of one direction over all iterations.
struct Bursts {
    std::vector<Burst> all;
    std::vector<std::size_t> of;  // per request, place in `all`
    std::int64_t counted = 0;     // those with a large copy, or where there is none, all but scalars
    std::int64_t iterations = 0;  // that have any of these
    std::int64_t copies = 0;      // in these
    std::int64_t afterWait = 0;   // of these
    bool hasLarge = false;

    double perIteration() const { return shareOf(counted, iterations); }
    double copiesEach() const { return shareOf(copies, counted); }
};

class RoleFinder
{
public:
    RoleFinder(RoleHints& hints, CopyRequests requests, const WorkMeter& work)
        : m_hints(hints), m_requests(std::move(requests)), m_work(work)
    {
        for (std::vector<SizeTally>& tallies : m_tallies)
            tallies.resize(m_requests.sizes);
    }

    void find()
    {
        tally();
        m_trips = roundTrips(m_requests, m_work);
        m_streams = m_trips.streams;
        m_visitsInTurn = sizesVisitingInTurn(m_requests, m_work);
        for (const bool toDevice : {true, false}) {
            m_growing[toDevice ? 0 : 1] = growingSizes(m_requests, toDevice, m_work);
            findBursts(toDevice);
        }
        const std::array<std::vector<bool>, 2> grown = sizesGrownInside(m_requests, m_work);
        for (std::size_t direction = 0; direction < grown.size(); ++direction)
            for (std::size_t size = 0; size < m_requests.sizes; ++size)
                m_growing[direction][size] = m_growing[direction][size] || grown[direction][size];
        judgeShape();
        for (std::size_t at = 0; at < m_requests.all.size(); ++at) {
            m_work.count();
            judge(at);
        }
        judgeOutside();
    }

private:
    static constexpr std::size_t kNone = static_cast<std::size_t>(-1);

    SizeTally& tallyOf(const CopyRequest& request) { return m_tallies[request.toDevice ? 0 : 1][request.size]; }
    bool recurs(const SizeTally& tally) const
    {
        return m_requests.iterations >= 2 && shareOf(tally.iterations, m_requests.iterations) >= kRecurring;
    }
    bool comesBack(const CopyRequest& request) const
    {
        const std::int64_t back = m_trips.back[request.size];
        return m_trips.any && !visits(request.size) && !m_visitsInTurn[request.size] && back > 0 &&
               shareOf(back, m_tallies[0][request.size].copies) >= kNearlyAll;
    }
    // Comes to the device and leaves it again, within an iteration.
    bool visits(std::uint32_t size) const
    {
        const std::int64_t visits = m_trips.visits[size];
        return visits > 0 && shareOf(visits, m_tallies[0][size].copies) >= kNearlyAll &&
               shareOf(visits, m_tallies[1][size].copies) >= kNearlyAll;
    }
    // Whether an optimizer asks for the copies of that size and direction.
    bool byOptimizer(const SizeTally& tally) const
    {
        return shareOf(tally.byOptimizer, std::min(tally.asked, kAskedPerSize)) >= kRecurring;
    }
    // A large copy, in every iteration, of a size that never goes to the host.
    bool onlyComes(const CopyRequest& request) const
    {
        return !request.isSmall() && m_tallies[1][request.size].copies == 0 && recurs(m_tallies[0][request.size]);
    }
    bool holdsOtherPasses(Interval optimizer) const
    {
        const std::int64_t launches =
            m_requests.launchesBefore(optimizer.endNs) - m_requests.launchesBefore(optimizer.startNs);
        return m_requests.iterations > 0 &&
               static_cast<double>(launches) > kMostLaunches * static_cast<double>(m_requests.launchesEach);
    }

    void tally();
    void findBursts(bool toDevice);
    void judgeShape();
    void judge(std::size_t place);
    void judgeToDevice(const CopyRequest& request, const Burst& burst);
    void judgeToHost(const CopyRequest& request, const Burst& burst);
    void judgeRoundTrip(const CopyRequest& request);
    std::optional<CopyRole> ofOptimizer(const CopyRequest& request) const;
    bool isPartOfBatch(const Burst& burst) const;
    void judgeOutside();

    RoleHints& m_hints;
    CopyRequests m_requests;
    const WorkMeter& m_work;
    std::array<std::vector<SizeTally>, 2> m_tallies;  // to the device, to the host
    std::array<Bursts, 2> m_bursts;
    std::array<std::vector<bool>, 2> m_growing;  // per size: keys and values
    std::vector<bool> m_visitsInTurn;            // per size
    RoundTrips m_trips;
    const Burst* m_batch = nullptr;  // the last that followed a wait for the loader, while copies are judged
    std::int64_t m_uploads = 0;      // large ones to the device before the first iteration
    bool m_hasParameters = false;
    bool m_parametersReturn = false;  // as gradients, or changed: nearly all sizes of them
    bool m_streams = false;           // a piece in, a piece out, several times per iteration
};

void RoleFinder::tally()
{
    for (const CopyRequest& request : m_requests.all) {
        m_work.count();
        SizeTally& tally = tallyOf(request);
        if (request.copy->call.valid() && tally.asked++ < kAskedPerSize) {
            m_work.count(kItemsOfAHint);
            const RoleHint hint = m_hints.around(request.copy->call);
            if (hint.role)
                tally.hints.push_back(*hint.role);
            tally.byOptimizer += hint.optimizer && !holdsOtherPasses(*hint.optimizer);
        }
        if (request.iteration >= 0) {
            ++tally.copies;
            tally.iterations += request.iteration != tally.lastIteration;
            tally.lastIteration = request.iteration;
        } else if (request.isBefore && request.toDevice) {
            ++tally.uploads;
            ++m_uploads;
        }
    }
}

void RoleFinder::findBursts(bool toDevice)
{
    Bursts& found = m_bursts[toDevice ? 0 : 1];
    found.of.assign(m_requests.all.size(), kNone);
    std::vector<std::size_t> seenIn(m_requests.sizes, kNone);
    std::int64_t lastLaunches = 0;
    std::int32_t lastLarge = -1;
    for (std::size_t at = 0; at < m_requests.all.size(); ++at) {
        m_work.count();
        const CopyRequest& request = m_requests.all[at];
        if (request.toDevice != toDevice || (comesBack(request) && !request.isSmall()) || ofOptimizer(request))
            continue;
        const bool isNewIteration = found.all.empty() || found.all.back().iteration != request.iteration;
        if (isNewIteration || request.launchesBefore - lastLaunches >= m_requests.launchesApart) {
            Burst& made = found.all.emplace_back();
            made.first = at;
            made.iteration = request.iteration;
            made.isFirst = isNewIteration;
            made.afterWait = request.afterWait;
        }
        Burst& burst = found.all.back();
        const std::size_t place = found.all.size() - 1;
        found.of[at] = place;
        lastLaunches = request.launchesBefore;
        ++burst.copies;
        burst.bytes = saturatedSum(burst.bytes, request.copy->bytes);
        burst.sizes += std::exchange(seenIn[request.size], place) != place;
        burst.hasLarge = burst.hasLarge || !request.isSmall();
    }
    found.hasLarge = std::any_of(found.all.begin(), found.all.end(),
                                 [](const Burst& burst) { return burst.iteration >= 0 && burst.hasLarge; });
    for (const Burst& burst : found.all)
        if (burst.iteration >= 0 && (found.hasLarge ? burst.hasLarge : !burst.isScalars())) {
            ++found.counted;
            found.iterations += std::exchange(lastLarge, burst.iteration) != burst.iteration;
            found.copies += burst.copies;
            found.afterWait += burst.afterWait;
        }
}

// Whether the copies to the device are those of parameters: the same in every iteration, in many bursts that are
// no batches.
void RoleFinder::judgeShape()
{
    const Bursts& in = m_bursts[0];
    m_parametersReturn = m_trips.any && m_trips.updatedOnHost;
    if (!in.hasLarge || in.perIteration() <= kFewBursts || 2 * in.afterWait >= in.counted) {
        m_streams = false;
        return;
    }
    std::int64_t copies = 0, recurring = 0, outs = 0;
    std::size_t sizes = 0;
    std::vector<bool> seen(m_requests.sizes, false);
    for (const CopyRequest& request : m_requests.all) {
        m_work.count();
        if (!request.toDevice || request.isSmall() || request.iteration < 0 || comesBack(request) ||
            ofOptimizer(request))
            continue;
        const bool recurs = this->recurs(tallyOf(request));
        ++copies;
        recurring += recurs;
        if (recurs && !seen[request.size]) {
            seen[request.size] = true;
            ++sizes;
            outs += this->recurs(m_tallies[1][request.size]);
        }
    }
    m_streams = m_streams && sizes < kManySizes;
    const bool sameEachTime = shareOf(recurring, copies) >= kNearlyAll;
    const bool likeLayers = in.copiesEach() >= kCopiesOfALayer && sizes + 1 >= kManySizes;
    m_parametersReturn =
        m_parametersReturn || (outs > 0 && static_cast<double>(outs) >= kNearlyAll * static_cast<double>(sizes - 1));
    m_hasParameters = sameEachTime && !m_streams && (likeLayers || sizes >= kManySizes || outs > 0);
}

void RoleFinder::judge(std::size_t place)
{
    CopyRequest& request = m_requests.all[place];
    CopyRecord& copy = *request.copy;
    const SizeTally& tally = tallyOf(request);
    constexpr double kSure = 0.95;
    constexpr double kLikely = 0.8;
    if (copy.hostMemory == MemoryKind::Managed)
        return carry(copy, CopyRole::Migration, 1);
    if (!tally.hints.empty() &&
        std::all_of(tally.hints.begin(), tally.hints.end(), [&](CopyRole hint) { return hint == tally.hints.front(); }))
        return carry(copy, tally.hints.front(), kSure);
    const Bursts& bursts = m_bursts[request.toDevice ? 0 : 1];
    const Burst* burst = bursts.of[place] == kNone ? nullptr : &bursts.all[bursts.of[place]];
    if (request.toDevice && burst && (request.afterWait || burst->afterWait))
        m_batch = burst;
    if (request.toDevice && request.afterWait)
        return carry(copy, CopyRole::Batch, kSure);
    if (request.iteration < 0)
        return;
    if (m_growing[request.toDevice ? 0 : 1][request.size])
        return carry(copy, CopyRole::KvCache, kLikely);
    if (const std::optional<CopyRole> role = ofOptimizer(request)) {
        const bool isNamed = byOptimizer(tally) || byOptimizer(m_tallies[0][request.size]);
        return carry(copy, *role, isNamed ? kLikely : 0.5);
    }
    if (comesBack(request) && !request.isSmall())
        return judgeRoundTrip(request);
    request.toDevice ? judgeToDevice(request, *burst) : judgeToHost(request, *burst);
}

// An optimizer on the host has gradients come and sends parameters; one on the device has its state brought for the
// update and taken back. Behind the other passes such state shows without a name, too.
std::optional<CopyRole> RoleFinder::ofOptimizer(const CopyRequest& request) const
{
    if (request.isSmall())
        return {};
    const SizeTally& in = m_tallies[0][request.size];
    const SizeTally& out = m_tallies[1][request.size];
    if (m_visitsInTurn[request.size] ||
        (visits(request.size) && ((m_trips.visitsAtEnd && !m_trips.streams) || (byOptimizer(in) && byOptimizer(out)))))
        return CopyRole::OptimizerState;
    if (byOptimizer(in) && recurs(in) && recurs(out))
        return request.toDevice ? CopyRole::Parameter : CopyRole::Gradient;
    return {};
}

// A batch cut into micro-batches is copied in bursts like the one that followed the wait for it.
bool RoleFinder::isPartOfBatch(const Burst& burst) const
{
    return m_batch && m_batch->iteration == burst.iteration && m_batch->copies == burst.copies &&
           m_batch->bytes == burst.bytes && burst.hasLarge;
}

void RoleFinder::judgeRoundTrip(const CopyRequest& request)
{
    if (m_trips.backBetweenLaunches && m_trips.outBetweenLaunches)
        return carry(*request.copy, CopyRole::Activation, m_trips.inOrder ? 0.9 : 0.7);
    // Out while the backward pass runs, and back at once when the host has done its part.
    if (m_trips.outBetweenLaunches)
        return carry(*request.copy, request.toDevice ? CopyRole::Parameter : CopyRole::Gradient, 0.7);
    if (m_trips.updatedOnHost)
        return carry(*request.copy, request.toDevice ? CopyRole::Parameter : CopyRole::Gradient, 0.6);
    carry(*request.copy, CopyRole::Parameter, 0.5);
}

void RoleFinder::judgeToDevice(const CopyRequest& request, const Burst& burst)
{
    CopyRecord& copy = *request.copy;
    if (burst.afterWait)
        return carry(copy, CopyRole::Batch, 0.95);
    if (m_parametersReturn && onlyComes(request))
        return carry(copy, CopyRole::Batch, 0.6);
    if (m_hasParameters) {
        const bool isInput = burst.isFirst && !burst.hasLarge && !burst.isScalars();
        return isInput          ? carry(copy, CopyRole::Batch, 0.5)
               : burst.hasLarge ? carry(copy, CopyRole::Parameter, 0.8)
                                : carry(copy, CopyRole::Unknown, 0);
    }
    if (burst.isScalars() || copy.bytes <= kOneScalarBytes)
        return carry(copy, CopyRole::Unknown, 0);
    if (m_streams)
        return carry(copy, CopyRole::Batch, 0.6);
    if (m_bursts[0].perIteration() > kFewBursts)
        return carry(copy, isPartOfBatch(burst) ? CopyRole::Batch : CopyRole::Unknown, 0.7);
    if (burst.hasLarge && burst.copies >= kCopiesOfAModel && burst.copies >= kCopiesPerSize * burst.sizes &&
        !m_requests.hasWaits)
        return carry(copy, CopyRole::Parameter, 0.6);
    if (burst.copies >= kCopiesOfAModel)
        return carry(copy, CopyRole::Unknown, 0);
    carry(copy, CopyRole::Batch, m_requests.hasWaits ? 0.5 : 0.7);
}

void RoleFinder::judgeToHost(const CopyRequest& request, const Burst& burst)
{
    CopyRecord& copy = *request.copy;
    if (copy.bytes == 0)
        return carry(copy, CopyRole::Unknown, 0);
    if (request.isSmall())
        return carry(copy, CopyRole::Result, 0.9);
    const Bursts& out = m_bursts[1];
    if (out.perIteration() <= kFewBursts)
        return carry(copy, CopyRole::Result, burst.copies < kCopiesOfAModel ? 0.7 : 0.5);
    if (m_streams)
        return carry(copy, CopyRole::Result, 0.6);
    const SizeTally& in = m_tallies[0][request.size];
    // What never goes to the device is neither kept for later nor of a parameter that comes from the host.
    if (recurs(tallyOf(request)) && !m_hasParameters && in.copies == 0 && in.uploads == 0)
        return carry(copy, CopyRole::Result, 0.6);
    if (recurs(tallyOf(request)) && (m_hasParameters || (m_uploads >= kFewestUploads && in.uploads > 0)))
        return carry(copy, CopyRole::Gradient, 0.7);
    carry(copy, CopyRole::Unknown, 0);
}

// Before the first iteration the model is uploaded; elsewhere a size means what it means in the iterations.
void RoleFinder::judgeOutside()
{
    std::array<std::vector<CopyRole>, 2> roles;
    for (std::vector<CopyRole>& each : roles)
        each.assign(m_requests.sizes, CopyRole::Unknown);
    for (const CopyRequest& request : m_requests.all)
        if (request.iteration >= 0)
            roles[request.toDevice ? 0 : 1][request.size] = request.copy->role;
    for (const CopyRequest& request : m_requests.all) {
        m_work.count();
        CopyRecord& copy = *request.copy;
        if (request.iteration >= 0 || copy.role != CopyRole::Unknown || m_requests.iterations == 0)
            continue;
        const CopyRole known = roles[request.toDevice ? 0 : 1][request.size];
        const bool hasUploads = m_uploads >= kFewestUploads;
        if (request.toDevice && request.isBefore && hasUploads)
            carry(copy, CopyRole::Parameter, 0.6);
        else if (known != CopyRole::Unknown)
            carry(copy, known, 0.5);
        else if (!request.toDevice && request.isSmall() && copy.bytes > 0)
            carry(copy, CopyRole::Result, 0.6);
        else if (!request.toDevice && hasUploads && m_tallies[0][request.size].uploads > 0)
            carry(copy, CopyRole::Parameter, 0.5);  // saved
    }
}

}  // namespace

void assignRoles(const Trace& trace, const HostActivity& host, const StepSequence& steps,
                 std::vector<DeviceActivity>& devices, const WorkMeter& work)
{
    RoleHints hints(trace);
    for (DeviceActivity& device : devices)
        if (!device.h2dCopies.empty() || !device.d2hCopies.empty())
            RoleFinder(hints, copyRequests(trace, host, steps, device, work), work).find();
}

void addRoles(const Trace& trace, const HostActivity& host, const StepSequence& steps,
              std::vector<DeviceActivity>& devices, const WorkMeter& work)
{
    const auto eachCopy = [&](auto visit) {
        for (DeviceActivity& device : devices)
            for (std::vector<CopyRecord>* copies : {&device.h2dCopies, &device.d2hCopies})
                for (CopyRecord& copy : *copies) {
                    work.count();
                    visit(copy);
                }
    };
    std::vector<std::pair<CopyRole, float>> before;
    eachCopy([&](CopyRecord& copy) {
        before.emplace_back(copy.role, copy.roleConfidence);
        carry(copy, CopyRole::Unknown, 0);
    });
    assignRoles(trace, host, steps, devices, work);
    auto kept = before.begin();
    eachCopy([&](CopyRecord& copy) {
        if (const auto [role, confidence] = *kept++; confidence >= copy.roleConfidence)
            carry(copy, role, static_cast<double>(confidence));
    });
}

CopyRole mainRole(std::span<const CopyRecord> copies)
{
    std::array<std::int64_t, kCopyRoleCount> exposedNs{};
    std::array<std::int64_t, kCopyRoleCount> allNs{};
    std::int64_t exposedOfAllNs = 0;
    for (const CopyRecord& copy : copies) {
        const auto at = static_cast<std::size_t>(copy.role);
        exposedNs[at] = saturatedSum(exposedNs[at], copy.exposedNs());
        allNs[at] = saturatedSum(allNs[at], copy.durationNs);
        exposedOfAllNs = saturatedSum(exposedOfAllNs, copy.exposedNs());
    }
    const auto& timesNs = exposedOfAllNs > 0 ? exposedNs : allNs;
    const auto most = std::max_element(timesNs.begin(), timesNs.end());
    std::int64_t sumNs = 0;
    for (const std::int64_t timeNs : timesNs)
        sumNs = saturatedSum(sumNs, timeNs);
    return *most > 0 && *most >= sumNs - *most ? static_cast<CopyRole>(most - timesNs.begin()) : CopyRole::Unknown;
}

}  // namespace overlane
