// Every share that is told of a range is a part of it, whatever the trace and the range.
#include <fmt/format.h>
#include <gtest/gtest.h>
#include <regex>
#include <string>

#include "core/content/terminal.h"
#include "core/findings/finding_blocks.h"
#include "core/judgement/copy_parts.h"
#include "core/judgement/judgement.h"
#include "core/judgement/time_parts.h"
#include "tests/unit/findings/random_trace.h"

namespace overlane
{
namespace
{

std::string allTextsOf(const Judgement& judgement, const ProgramTraits& program)
{
    std::string text = judgement.verdict.sentence + '\n' + judgement.verdict.advice + '\n';
    for (const Finding& finding : judgement.findings.findings)
        text += terminalText(findingBlocks(finding));
    for (const DeviceJudgement& device : judgement.devices)
        text += terminalText(timeTable(judgement, device.figures)) +
                terminalText(copyTable(copyParts(device, CopyChoice::All), judgement.verdict.carries, program));
    return text;
}

// How many there are.
int expectParts(const std::string& text)
{
    static const std::regex kShare("(-?[0-9.]+)(?: |\u2009)%");
    int shares = 0;
    for (std::sregex_iterator share(text.begin(), text.end(), kShare), end; share != end; ++share, ++shares) {
        const double percent = std::stod((*share)[1]);
        EXPECT_GE(percent, 0) << text;
        EXPECT_LE(percent, 100) << text;
    }
    return shares;
}

TEST(Shares, AreWithinAHundredPercentForAnyRange)
{
    int shares = 0;
    int ofExposedTime = 0;
    for (std::uint32_t seed = 0; seed < 300; ++seed) {
        test::RandomTrace random(seed);
        const Trace trace = random.build();
        const Analysis analysis(trace);
        const std::vector<Step> steps = findSteps(trace);
        for (int range = 0; range < 10; ++range) {
            SCOPED_TRACE(fmt::format("seed {}, range {}", seed, range));
            const std::int64_t startNs = random.number(4 * kMs) - kMs / 2;
            JudgeRequest request;
            request.range = Interval{startNs, startNs + random.number(2 * kMs)};
            const std::string text = allTextsOf(judge({trace, analysis, steps}, request), analysis.program());
            shares += expectParts(text);
            ofExposedTime += text.find("of the exposed time") != std::string::npos ? 1 : 0;
        }
    }
    EXPECT_GT(shares, 10'000);
    EXPECT_GT(ofExposedTime, 100);
}

}  // namespace
}  // namespace overlane
