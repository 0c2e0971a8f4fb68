#include "core/replay/easiest_change.h"

#include <algorithm>
#include <gtest/gtest.h>
#include <string>
#include <utility>
#include <vector>

#include "core/io/format.h"
#include "tests/support/built_replay.h"

namespace overlane
{
namespace
{

std::shared_ptr<const Trace> recordedRun(const std::string& name)
{
    Progress progress;
    Result<Trace> read =
        readTrace(std::string(OVERLANE_SOURCE_DIR) + "/tests/data/traces/h200/" + name + ".pt.trace.json.gz", progress);
    EXPECT_TRUE(read.ok()) << read.error();
    return std::make_shared<const Trace>(std::move(read.value()));
}

Verdict of(VerdictTone tone)
{
    Verdict verdict;
    verdict.tone = tone;
    return verdict;
}

std::optional<Prediction> easiestIn(const std::shared_ptr<const Trace>& trace, VerdictTone tone)
{
    const Result<std::optional<Prediction>> found = easiestChange(trace, Analysis(*trace), of(tone), {}, nullptr);
    EXPECT_TRUE(found.ok());
    return found.ok() ? found.value() : std::nullopt;
}

TEST(EasiestChangeTest, IsTheFirstEasyOneOfWhatTheWhatIfSuggests)
{
    int named = 0;
    for (const char* name : {"w4_page_b_main_d4", "w8_page_nb_side_d16", "w8_pin_nb_side_d16"}) {
        SCOPED_TRACE(name);
        const std::shared_ptr<const Trace> trace = recordedRun(name);
        const Result<std::vector<Prediction>> all = test::builtReplay(trace).value().suggestions();
        ASSERT_TRUE(all.ok());
        const auto first = std::ranges::find_if(all.value(), isEasyAndClear);
        const std::optional<Prediction> easiest = easiestIn(trace, VerdictTone::Problem);
        ASSERT_EQ(easiest.has_value(), first != all.value().end());
        if (!easiest)
            continue;
        ++named;
        EXPECT_EQ(easiest->changes, first->changes);
        EXPECT_EQ(easiest->stepNsPredicted, first->stepNsPredicted);
    }
    EXPECT_EQ(named, 2);
}

TEST(EasiestChangeTest, BelongsToAProblem)
{
    EXPECT_FALSE(easiestIn(recordedRun("w8_page_nb_side_d16"), VerdictTone::Neutral));
}

TEST(EasiestChangeTest, IsGivenUpWhenCancelled)
{
    const std::shared_ptr<const Trace> trace = recordedRun("w8_page_nb_side_d16");
    Progress progress;
    progress.cancel();
    EXPECT_TRUE(easiestChange(trace, Analysis(*trace), of(VerdictTone::Problem), {}, &progress).isCancelled());
}

}  // namespace
}  // namespace overlane
