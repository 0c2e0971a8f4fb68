#include "core/analysis/copy_shapes.h"

#include <algorithm>
#include <array>
#include <map>

#include "core/base/statistics.h"

namespace overlane
{
namespace
{

constexpr double kInterleaved = 0.2;
constexpr std::int64_t kFewestGrowths = 6;
constexpr double kMostlyGrowing = 0.75;
constexpr std::int64_t kFewestInARow = 4;   // keys and values of two layers
constexpr std::int64_t kFewestLengths = 3;  // of conversations
// Behind the forward and backward pass, an optimizer's state visits the device tensor by tensor.
constexpr std::int64_t kFewestVisits = 8;
constexpr std::int64_t kLaunchesOfVisits = 4;
constexpr std::int64_t kFewestInTurn = 4;      // per iteration
constexpr std::int64_t kLaunchesOfPauses = 8;  // of an iteration's, one part

// Copies of one direction that follow each other, and how many have launches between.
struct Gaps {
    std::int64_t all = 0;
    std::int64_t withLaunches = 0;
    const CopyRequest* last = nullptr;

    void add(const CopyRequest& request)
    {
        all += last != nullptr;
        withLaunches += last != nullptr && request.launchesBefore > last->launchesBefore;
        last = &request;
    }
    bool areInterleaved() const { return shareOf(withLaunches, all) >= kInterleaved; }
};

class BracketReader
{
public:
    explicit BracketReader(const CopyRequests& requests)
        : m_open(requests.sizes, 0), m_visiting(requests.sizes, 0), m_openedIn(requests.sizes, -1)
    {
        m_found.back.assign(requests.sizes, 0);
        m_found.visits.assign(requests.sizes, 0);
    }

    void add(const CopyRequest& request)
    {
        if (request.iteration != m_iteration) {
            endIteration();
            m_iteration = request.iteration;
            m_firstLaunches = request.launchesBefore;
        }
        m_balance += request.toDevice ? 1 : -1;
        m_lowest = std::min(m_lowest, m_balance);
        m_turns += request.toDevice && !m_lastToDevice;
        m_lastToDevice = request.toDevice;
        if (m_openedIn[request.size] != m_iteration) {
            m_openedIn[request.size] = m_iteration;
            m_open[request.size] = m_visiting[request.size] = 0;
        }
        visit(request);
        if (!request.toDevice)
            open(request);
        else if (m_open[request.size] > 0)
            close(request);
    }

    RoundTrips found()
    {
        endIteration();
        m_found.any = m_backs > 0 && shareOf(m_deep, m_iterations) >= kRecurring;
        m_found.inOrder = shareOf(m_inOrder, m_backs) >= kNearlyAll;
        m_found.outBetweenLaunches = m_outs.areInterleaved();
        m_found.backBetweenLaunches = m_returns.areInterleaved();
        m_found.updatedOnHost = shareOf(m_updated, m_iterations) >= kRecurring;
        m_found.visitsAtEnd = shareOf(m_visitedAtEnd, m_iterations) >= kRecurring;
        m_found.streams = !m_found.any && shareOf(m_streaming, m_iterations) >= kRecurring;
        return std::move(m_found);
    }

private:
    void visit(const CopyRequest& request)
    {
        std::int64_t& visiting = m_visiting[request.size];
        if (request.toDevice) {
            ++visiting;
            m_mostInside = std::max(m_mostInside, ++m_inside);
            return;
        }
        if (visiting == 0)
            return;
        if (m_visits == 0)
            m_firstVisitLaunches = request.launchesBefore;
        m_lastVisitLaunches = request.launchesBefore;
        --visiting;
        --m_inside;
        ++m_visits;
        ++m_found.visits[request.size];
    }
    bool visitedAtEnd() const
    {
        return m_visits >= kFewestVisits && m_mostInside * 2 <= m_visits &&
               (m_firstVisitLaunches - m_firstLaunches) * kLaunchesOfVisits >=
                   m_lastVisitLaunches - m_firstVisitLaunches;
    }
    void open(const CopyRequest& request)
    {
        ++m_open[request.size];
        ++m_depth;
        m_stack.push_back(request.size);
        m_outs.add(request);
    }
    void close(const CopyRequest& request)
    {
        --m_open[request.size];
        m_isUpdated =
            m_isUpdated || (m_returns.last == nullptr && m_outs.last->launchesBefore == request.launchesBefore);
        m_deepest = std::max(m_deepest, m_depth--);
        ++m_found.back[request.size];
        ++m_backs;
        if (!m_stack.empty() && m_stack.back() == request.size) {
            ++m_inOrder;
            m_stack.pop_back();
        }
        m_returns.add(request);
    }
    void endIteration()
    {
        m_deep += m_deepest >= 2;
        m_iterations += m_iteration >= 0;
        m_updated += m_isUpdated;
        m_visitedAtEnd += visitedAtEnd();
        m_streaming += m_turns > 0 && m_lowest >= 0 && m_balance == 0;
        m_stack.clear();
        m_depth = m_deepest = m_balance = m_lowest = m_turns = m_visits = m_inside = m_mostInside = 0;
        m_isUpdated = false;
        m_outs.last = m_returns.last = nullptr;
        m_lastToDevice = true;
    }

    RoundTrips m_found;
    std::vector<std::int64_t> m_open;      // per size, in this iteration
    std::vector<std::int64_t> m_visiting;  // the same
    std::vector<std::int32_t> m_openedIn;  // per size, the iteration that these are of
    std::vector<std::uint32_t> m_stack;    // sizes that are out
    Gaps m_outs, m_returns;
    std::int32_t m_iteration = -1;
    std::int64_t m_depth = 0, m_deepest = 0, m_balance = 0, m_lowest = 0, m_turns = 0;  // of this iteration
    std::int64_t m_visits = 0, m_inside = 0, m_mostInside = 0;
    std::int64_t m_firstLaunches = 0, m_firstVisitLaunches = 0, m_lastVisitLaunches = 0;
    bool m_lastToDevice = true, m_isUpdated = false;
    std::int64_t m_backs = 0, m_inOrder = 0;                                                        // of all
    std::int64_t m_deep = 0, m_streaming = 0, m_iterations = 0, m_updated = 0, m_visitedAtEnd = 0;  // iterations
};

// Copies of one size and direction that follow each other, four at least.
struct Row {
    const CopyRequest* first = nullptr;
    std::int64_t copies = 0;
};

std::vector<Row> longRows(const CopyRequests& requests, const WorkMeter& work)
{
    std::vector<Row> rows;
    for (const CopyRequest& request : requests.all) {
        work.count();
        if (request.iteration < 0 || request.isSmall())
            continue;
        const bool goesOn =
            !rows.empty() && rows.back().first->size == request.size && rows.back().first->toDevice == request.toDevice;
        if (!goesOn && !rows.empty() && rows.back().copies < kFewestInARow)
            rows.pop_back();
        if (!goesOn)
            rows.push_back({&request, 0});
        ++rows.back().copies;
    }
    return rows;
}

// What a row that goes back behind one that came in is larger by, per copy; 0 where it is no such pair.
std::int64_t growthOf(const Row& in, const Row& out)
{
    const bool pair = in.first->toDevice && !out.first->toDevice && in.copies == out.copies;
    return pair ? out.first->copy->bytes - in.first->copy->bytes : 0;
}

}  // namespace

RoundTrips roundTrips(const CopyRequests& requests, const WorkMeter& work)
{
    BracketReader reader(requests);
    for (const CopyRequest& request : requests.all) {
        work.count();
        if (request.iteration >= 0 && !request.isSmall())
            reader.add(request);
    }
    return reader.found();
}

std::vector<bool> growingSizes(const CopyRequests& requests, bool toDevice, const WorkMeter& work)
{
    std::vector<bool> growing(requests.sizes, false);
    std::vector<const CopyRequest*> runs;  // the first of each
    std::size_t copies = 0;
    for (const CopyRequest& request : requests.all) {
        work.count();
        if (request.toDevice != toDevice || request.iteration < 0 || request.isSmall())
            continue;
        ++copies;
        if (runs.empty() || runs.back()->size != request.size)
            runs.push_back(&request);
    }
    std::map<std::int64_t, std::int64_t> growths;
    for (std::size_t at = 1; at < runs.size(); ++at) {
        work.count();
        if (runs[at]->launchesBefore > runs[at - 1]->launchesBefore)
            ++growths[runs[at]->copy->bytes - runs[at - 1]->copy->bytes];
    }
    const auto usual = std::max_element(growths.begin(), growths.end(),
                                        [](const auto& a, const auto& b) { return a.second < b.second; });
    if (usual == growths.end() || usual->first <= 0 || copies < 2 * runs.size() || usual->second < kFewestGrowths ||
        shareOf(usual->second, static_cast<std::int64_t>(runs.size()) - 1) < kMostlyGrowing)
        return growing;
    for (const CopyRequest* run : runs)
        growing[run->size] = true;
    return growing;
}

std::array<std::vector<bool>, 2> sizesGrownInside(const CopyRequests& requests, const WorkMeter& work)
{
    const std::vector<bool> none(requests.sizes, false);
    const std::vector<Row> rows = longRows(requests, work);
    std::map<std::int64_t, std::int64_t> growths;
    std::int64_t in = 0;
    for (std::size_t at = 1; at < rows.size(); ++at) {
        in += rows[at - 1].first->toDevice;
        ++growths[growthOf(rows[at - 1], rows[at])];
    }
    growths.erase(growths.begin(), growths.upper_bound(0));
    const auto usual = std::max_element(growths.begin(), growths.end(),
                                        [](const auto& a, const auto& b) { return a.second < b.second; });
    if (usual == growths.end() || usual->second < kFewestGrowths || shareOf(usual->second, in) < kNearlyAll)
        return {none, none};
    std::array<std::vector<bool>, 2> grown{none, none};
    std::int64_t lengths = 0;
    for (std::size_t at = 1; at < rows.size(); ++at)
        if (growthOf(rows[at - 1], rows[at]) == usual->first) {
            lengths += !grown[0][rows[at - 1].first->size];
            grown[0][rows[at - 1].first->size] = grown[1][rows[at].first->size] = true;
        }
    return lengths < kFewestLengths ? std::array{none, none} : grown;
}

std::vector<bool> sizesVisitingInTurn(const CopyRequests& requests, const WorkMeter& work)
{
    struct Tally {
        std::int64_t in = 0, out = 0, visits = 0;
    };
    std::vector<Tally> tallies(requests.sizes);
    Tally all;
    std::int64_t sameAgain = 0, pauses = 0;
    const CopyRequest* in = nullptr;    // that has not left
    const CopyRequest* left = nullptr;  // the last visitor
    for (const CopyRequest& request : requests.all) {
        work.count();
        if (request.iteration < 0 || request.isSmall())
            continue;
        Tally& tally = tallies[request.size];
        if (request.toDevice) {
            ++tally.in;
            in = &request;
            continue;
        }
        ++tally.out;
        ++all.out;
        if (in && in->size == request.size) {
            ++tally.visits;
            ++all.visits;
            sameAgain += left && left->size == request.size;
            pauses += left && (in->launchesBefore - left->launchesBefore) * kLaunchesOfPauses >= requests.launchesEach;
            left = &request;
        }
        in = nullptr;
    }
    std::vector<bool> visiting(requests.sizes, false);
    const bool inTurn = all.visits >= kFewestInTurn * requests.iterations && requests.iterations > 0 &&
                        shareOf(all.visits, all.out) >= kNearlyAll && shareOf(sameAgain, all.visits) < kNearlyAll &&
                        shareOf(pauses, requests.iterations) >= kRecurring;
    for (std::size_t size = 0; inTurn && size < visiting.size(); ++size)
        visiting[size] = shareOf(tallies[size].visits, tallies[size].in) >= kNearlyAll &&
                         shareOf(tallies[size].visits, tallies[size].out) >= kNearlyAll;
    return visiting;
}

}  // namespace overlane
