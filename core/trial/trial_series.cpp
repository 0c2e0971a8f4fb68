#include "core/trial/trial_series.h"

#include <algorithm>
#include <cmath>
#include <fmt/format.h>
#include <limits>

namespace overlane
{
namespace
{

constexpr std::size_t kFewestRuns = 3;  // of a row and of the program as it is, before anything is claimed
constexpr int kMostRounds = 10;
constexpr std::size_t kMostInQuestion = 5;  // from the second round on
constexpr double kLeastSpread = 0.003;      // two equal times are luck
constexpr std::int64_t kShortEpoch = 400;   // batches: starting workers again may be felt
constexpr std::int64_t kMostWorkers = 16;

// One in two hundred lies beyond it, on either side.
double studentQuantile(std::int64_t freedom)
{
    const double z = 2.8070;
    const auto v = static_cast<double>(freedom);
    const double z3 = z * z * z, z5 = z3 * z * z, z7 = z5 * z * z;
    return z + (z3 + z) / (4 * v) + (5 * z5 + 16 * z3 + 3 * z) / (96 * v * v) +
           (3 * z7 + 19 * z5 + 17 * z3 - 15 * z) / (384 * v * v * v);
}

double meanLog(const std::vector<double>& values)
{
    double sum = 0;
    for (const double value : values)
        sum += std::log(value);
    return sum / static_cast<double>(values.size());
}

}  // namespace

double TrialRow::meanNs() const
{
    return batchNs.empty() ? 0 : std::exp(meanLog(batchNs));
}

TrialSeries::TrialSeries(const TrialReport& found, std::int64_t cores) : m_epochsEnd(found.epochs > 0)
{
    addRow(found.settings, "as it is");
    addSingles(found, cores);
}

bool TrialSeries::has(const LoaderSettings& settings) const
{
    return std::any_of(m_rows.begin(), m_rows.end(),
                       [&](const TrialRow& row) { return countChanges(row.settings, settings) == 0; });
}

void TrialSeries::addRow(const LoaderSettings& settings, std::string why)
{
    if (!has(settings))
        m_rows.push_back({settings, {}, {}, std::move(why)});
}

// One thing at a time; non_blocking does nothing without page-locked memory.
void TrialSeries::addSingles(const TrialReport& found, std::int64_t cores)
{
    const LoaderSettings now = found.settings;
    LoaderSettings pinned = now;
    if (!now.pinMemory && found.cuda) {
        pinned.pinMemory = true;
        addRow(pinned, "copies at the link's rate");
    }
    if (found.cuda && found.copiesWait()) {
        pinned.nonBlocking = true;
        addRow(pinned, "copies that do not block the host");
    }
    if (!found.cuda)
        m_leftOut.emplace_back("The process used no GPU, so that pin_memory and non_blocking are not tried.");
    else if (found.copies.empty())
        m_leftOut.emplace_back(
            "No line copies the loader's batches with Tensor.to() or Tensor.cuda(), so that "
            "non_blocking is not tried.");

    if (found.iterable) {
        m_leftOut.emplace_back(
            "The dataset is iterable: each worker would make all of it, so that their number is "
            "not changed.");
    } else {
        const auto workers = [&](std::int64_t count) {
            LoaderSettings changed = now;
            changed.workers = count;
            if (count >= 1 && count <= std::min(cores, kMostWorkers) && count != now.workers)
                addRow(changed, count > now.workers ? "more workers" : "fewer workers");
        };
        workers(now.workers == 0 ? 2 : now.workers * 2);
        workers(now.workers == 0 ? std::min<std::int64_t>(cores, 8) : now.workers * 4);
        if (now.workers > cores / 2)
            workers(std::max<std::int64_t>(cores / 2, 1));
    }
    if (now.workers > 0 && now.prefetchFactor < 4) {
        LoaderSettings deeper = now;
        deeper.prefetchFactor = 4;
        addRow(deeper, "batches further ahead");
    }
    const bool shortEpochs = found.epochs > 0 || (found.batchesPerEpoch > 0 && found.batchesPerEpoch <= kShortEpoch);
    if (now.workers > 0 && !now.persistentWorkers && shortEpochs) {
        if (found.epochs > 0) {
            LoaderSettings kept = now;
            kept.persistentWorkers = true;
            addRow(kept, "workers that live on between epochs");
        } else {
            m_leftOut.push_back(
                fmt::format("persistent_workers shows at the ends of epochs of {} batches only, and "
                            "no epoch ends within the batches that are timed.",
                            found.batchesPerEpoch));
        }
    }
}

// What helped alone, together.
void TrialSeries::addCombined()
{
    const LoaderSettings& now = asItIs();
    LoaderSettings all = now;
    double bestMemory = -kWorthSetting, bestWorkers = -kWorthSetting;
    const double base = m_rows.front().batchNs.empty() ? 0 : std::log(m_rows.front().meanNs());
    for (const TrialRow& row : m_rows) {
        if (row.batchNs.empty() || base == 0)
            continue;
        const double change = std::log(row.meanNs()) - base;
        const LoaderSettings& tried = row.settings;
        const bool memory = tried.pinMemory != now.pinMemory || tried.nonBlocking != now.nonBlocking;
        if (memory && change < bestMemory) {
            bestMemory = change;
            all.pinMemory = tried.pinMemory;
            all.nonBlocking = tried.nonBlocking;
        }
        if (tried.workers != now.workers && change < bestWorkers) {
            bestWorkers = change;
            all.workers = tried.workers;
        }
        if (tried.prefetchFactor != now.prefetchFactor && change < -kWorthSetting)
            all.prefetchFactor = tried.prefetchFactor;
        if (tried.persistentWorkers != now.persistentWorkers && change < -kWorthSetting)
            all.persistentWorkers = tried.persistentWorkers;
    }
    addRow(all, "what helped, together");
    if (all.workers == now.workers)
        return;
    if (now.workers == 0 && m_epochsEnd) {
        LoaderSettings kept = all;
        kept.persistentWorkers = true;
        addRow(kept, "workers that live on between epochs");
    }
    // Once the loader keeps up the copies are what is left, and they hide what more workers would bring.
    for (const TrialRow& row : m_rows) {
        if (row.batchNs.empty())
            continue;
        const LoaderSettings& tried = row.settings;
        const bool asGood = std::log(row.meanNs()) - base <= bestWorkers + 2 * kWorthSetting;
        if (tried.workers != now.workers && asGood)
            all.workers = std::max(all.workers, tried.workers);
        if (bestMemory == -kWorthSetting && (tried.pinMemory || tried.nonBlocking)) {
            all.pinMemory = tried.pinMemory;
            all.nonBlocking = tried.nonBlocking;
        }
    }
    addRow(all, "hidden behind what helped");
}

std::int64_t TrialSeries::freedom() const
{
    std::int64_t freedom = 0;
    for (const TrialRow& row : m_rows)
        freedom += row.batchNs.empty() ? 0 : static_cast<std::int64_t>(row.batchNs.size()) - 1;
    return freedom;
}

std::optional<double> TrialSeries::spread() const
{
    double squares = 0;
    for (const TrialRow& row : m_rows)
        for (const double value : row.batchNs) {
            const double off = std::log(value) - meanLog(row.batchNs);
            squares += off * off;
        }
    if (freedom() == 0)
        return std::nullopt;
    return std::max(kLeastSpread, std::sqrt(squares / static_cast<double>(freedom())));
}

TrialClaim TrialSeries::claim(std::size_t row) const
{
    const std::vector<double>& before = m_rows.front().batchNs;
    const std::vector<double>& after = m_rows[row].batchNs;
    TrialClaim claim;
    claim.error = std::numeric_limits<double>::infinity();
    if (row == 0 || before.empty() || after.empty())
        return claim;
    const double change = meanLog(after) - meanLog(before);
    claim.share = 1 - std::exp(change);
    const std::optional<double> between = spread();
    if (!between || before.size() < 2 || after.size() < 2)
        return claim;
    claim.error = studentQuantile(freedom()) * *between *
                  std::sqrt(1 / static_cast<double>(before.size()) + 1 / static_cast<double>(after.size()));
    claim.known = before.size() >= kFewestRuns && after.size() >= kFewestRuns;
    claim.faster = claim.known && -change > claim.error && claim.share >= kWorthSetting;
    claim.slower = claim.known && change > claim.error && -claim.share >= kWorthSetting;
    return claim;
}

std::optional<std::size_t> TrialSeries::fastest() const
{
    std::size_t fastest = 0;
    for (std::size_t row = 1; row < m_rows.size(); ++row)
        if (m_rows[row].failure.empty() && !m_rows[row].batchNs.empty() && !m_rows.front().batchNs.empty() &&
            m_rows[row].meanNs() < m_rows[fastest].meanNs())
            fastest = row;
    return fastest > 0 ? std::optional(fastest) : std::nullopt;
}

std::optional<std::size_t> TrialSeries::answer() const
{
    std::optional<std::size_t> fastest;
    for (std::size_t row = 1; row < m_rows.size(); ++row)
        if (claim(row).faster && (!fastest || m_rows[row].meanNs() < m_rows[*fastest].meanNs()))
            fastest = row;
    if (!fastest)
        return std::nullopt;
    std::size_t answer = *fastest;
    const double asGood = m_rows[*fastest].meanNs() * (1 + kWorthSetting);
    for (std::size_t row = 1; row < m_rows.size(); ++row)
        if (claim(row).faster && m_rows[row].meanNs() <= asGood &&
            countChanges(asItIs(), m_rows[row].settings) < countChanges(asItIs(), m_rows[answer].settings))
            answer = row;
    return answer;
}

std::size_t TrialSeries::runs() const
{
    std::size_t runs = 0;
    for (const TrialRow& row : m_rows)
        runs += row.batchNs.size();
    return runs;
}

void TrialSeries::add(std::size_t row, double batchNs)
{
    m_rows[row].batchNs.push_back(batchNs);
}

void TrialSeries::fail(std::size_t row, std::string why)
{
    m_rows[row].failure = std::move(why);
}

bool TrialSeries::isInQuestion(std::size_t row) const
{
    if (!m_rows[row].failure.empty())
        return false;
    if (row == 0 || m_rows[row].batchNs.empty())
        return true;
    // Behind the best by more than noise explains: it will not be the answer.
    double best = m_rows.front().meanNs();
    std::size_t faster = 0;
    for (std::size_t other = 1; other < m_rows.size(); ++other)
        if (m_rows[other].failure.empty() && !m_rows[other].batchNs.empty()) {
            best = std::min(best, m_rows[other].meanNs());
            faster += m_rows[other].meanNs() < m_rows[row].meanNs() ? 1 : 0;
        }
    const double noise = std::max(kWorthSetting, 3 * spread().value_or(0.03));
    return std::log(m_rows[row].meanNs() / best) <= noise && faster < kMostInQuestion;
}

bool TrialSeries::isDecided() const
{
    if (m_rounds < static_cast<int>(kFewestRuns) || m_rows.front().batchNs.size() < kFewestRuns)
        return false;
    if (m_rounds >= kMostRounds)
        return true;
    // The fastest so far is claimed, or it cannot be worth it any more.
    const std::optional<std::size_t> best = fastest();
    if (!best)
        return true;
    const TrialClaim claimed = claim(*best);
    return claimed.faster || claimed.share + claimed.error < kWorthSetting;
}

void TrialSeries::startRound()
{
    if (m_rounds == 1)
        addCombined();
    for (std::size_t row = 0; row < m_rows.size(); ++row)
        if (isInQuestion(row))
            m_round.push_back(row);
    if (m_rounds % 2 == 0)
        std::reverse(m_round.begin(), m_round.end());
    ++m_rounds;
}

std::optional<std::size_t> TrialSeries::next()
{
    if (m_round.empty()) {
        if (!m_rows.front().failure.empty() || m_rows.size() == 1 || isDecided())
            return std::nullopt;
        startRound();
        if (m_round.size() < 2 && m_rounds > 1)
            return std::nullopt;  // nothing but the program as it is
    }
    const std::size_t row = m_round.back();
    m_round.pop_back();
    return row;
}

}  // namespace overlane
