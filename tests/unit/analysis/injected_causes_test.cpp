// Traces with a known cause in them: how often the first-ranked reason names it. The table is printed.
#include <fmt/format.h>
#include <gtest/gtest.h>

#include "core/analysis/copy_verdict.h"
#include "core/analysis/idle_attribution.h"
#include "core/analysis/verdict.h"
#include "tests/support/lost_by_name.h"
#include "tests/unit/analysis/injected_traces.h"

namespace overlane
{
namespace
{

constexpr int kTracesPerCause = 120;
constexpr double kNamed = 0.99;

double share(std::int64_t part, std::int64_t whole)
{
    return whole > 0 ? static_cast<double>(part) / static_cast<double>(whole) : 0;
}

const std::vector<CopyRecord>& copiesOf(const Analysis& analysis, EventKind direction)
{
    const DeviceActivity& device = analysis.devices().front();
    return direction == EventKind::CopyD2H ? device.d2hCopies : device.h2dCopies;
}

// Of one trace: the copies that are not hidden nor those of the first batch, which nothing can hide, and
// among them those whose reasons are the injected ones in this order, the first at the front.
struct Judged {
    std::int64_t copies = 0;
    std::int64_t named = 0;
    std::int64_t proven = 0;  // the front reason shows at least one event, or says what is missing
};

Judged judge(const test::CopyInjection& injection, const Trace& trace, const Analysis& analysis)
{
    Judged judged;
    const bool firstBatch = injection.causes.front() == CopyCause::OutsideKernels;
    for (const CopyRecord& copy : copiesOf(analysis, injection.direction)) {
        const bool outside = (copy.causes & causeBit(CopyCause::OutsideKernels)) != 0;
        if (copy.cause == CopyCause::Hidden || (outside && !firstBatch) || copy.bytes > 100ll << 20)
            continue;
        ++judged.copies;
        bool all = copy.cause == injection.causes.front();
        for (const CopyCause cause : injection.causes)
            all = all && (copy.causes & causeBit(cause)) != 0;
        judged.named += all;
        const CopyVerdict verdict = copyVerdict(trace, analysis, copy.event);
        judged.proven += !verdict.empty() && verdict.cause() == copy.cause &&
                         (!verdict.reasons.front().evidence.empty() || !verdict.reasons.front().missing.empty());
    }
    return judged;
}

void expectNamed(const std::vector<test::CopyInjection>& injections)
{
    fmt::print("{:<40} {:>7} {:>7} {:>8} {:>8}\n", "injected", "traces", "named", "copies", "named");
    std::uint64_t seed = 1;
    for (const test::CopyInjection& injection : injections) {
        std::int64_t traces = 0;
        std::int64_t tracesNamed = 0;
        Judged sum;
        for (int at = 0; at < kTracesPerCause; ++at) {
            test::Random random(seed++);
            const Trace trace = injection.make(random);
            const Analysis analysis(trace);
            const Judged judged = judge(injection, trace, analysis);
            sum.copies += judged.copies;
            sum.named += judged.named;
            sum.proven += judged.proven;
            ++traces;
            if (injection.direction == EventKind::CopyD2H)
                tracesNamed += judged.copies > 0 && judged.named == judged.copies;
            else
                tracesNamed += verdict(analysis, {}, trace.span()).cause == injection.causes.front();
        }
        fmt::print("{:<40} {:>7} {:>6.1f}% {:>8} {:>6.1f}%\n", injection.name, traces, 100 * share(tracesNamed, traces),
                   sum.copies, 100 * share(sum.named, sum.copies));
        EXPECT_GE(share(tracesNamed, traces), kNamed) << injection.name;
        EXPECT_GE(share(sum.named, sum.copies), kNamed) << injection.name;
        EXPECT_GT(sum.copies, traces) << injection.name;
        EXPECT_EQ(sum.proven, sum.copies) << injection.name;
    }
}

TEST(InjectedCausesTest, TheFirstReasonOfACopyNamesTheInjectedCause)
{
    expectNamed(test::copyInjections());
}

TEST(InjectedCausesTest, OfTwoCausesTheFirstReasonIsTheOneToFixFirst)
{
    expectNamed(test::copyPairInjections());
}

TEST(InjectedCausesTest, MostIdleTimeIsGivenToTheInjectedCause)
{
    fmt::print("{:<40} {:>7} {:>7} {:>9}\n", "injected", "traces", "named", "evidence");
    std::uint64_t seed = 1'000'000;
    for (const test::IdleInjection& injection : test::idleInjections()) {
        std::int64_t named = 0;
        std::int64_t proven = 0;
        for (int at = 0; at < kTracesPerCause; ++at) {
            test::Random random(seed++);
            const Trace trace = injection.make(random);
            const Analysis analysis(trace);
            const DeviceActivity& device = analysis.devices().front();
            const Interval worked = device.busy.span();
            const Summary summary = analysis.summarize(worked);
            const auto& lostNs = summary.devices.front().lostNs;
            const auto most = std::max_element(lostNs.begin(), lostNs.end()) - lostNs.begin();
            named += static_cast<LostCause>(most) == injection.cause;
            const auto names = test::lostByName(trace, analysis, device.id, injection.cause, worked);
            const std::string expected = injection.actor + injection.late;
            proven += !names.empty() && (injection.cause == LostCause::Unknown || !names.front().first.empty()) &&
                      (expected.empty() || names.front().first.starts_with(expected));
        }
        fmt::print("{:<40} {:>7} {:>6.1f}% {:>8.1f}%\n", injection.name, kTracesPerCause,
                   100 * share(named, kTracesPerCause), 100 * share(proven, kTracesPerCause));
        EXPECT_GE(share(named, kTracesPerCause), kNamed) << injection.name;
        EXPECT_GE(share(proven, kTracesPerCause), kNamed) << injection.name;
    }
}

}  // namespace
}  // namespace overlane
