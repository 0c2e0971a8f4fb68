#include "core/lessons/explanations.h"

#include <gtest/gtest.h>
#include <set>

#include "core/findings/rule.h"
#include "core/lessons/lesson.h"
#include "core/loader/settings.h"
#include "core/runs/run_metrics.h"
#include "core/trace/track_kinds.h"

namespace overlane
{
namespace
{

// A sentence that ends, and a lesson to go to.
void expectExplained(const std::string& key)
{
    const Explanation* found = findExplanation(key);
    ASSERT_NE(found, nullptr) << key;
    EXPECT_GT(found->sentence.size(), 15u) << key;
    EXPECT_TRUE(found->sentence.ends_with('.')) << key << ": " << found->sentence;
    EXPECT_FALSE(found->lesson.empty()) << key;
    const Result<std::vector<Lesson>>& lessons = allLessons();
    ASSERT_TRUE(lessons.ok()) << lessons.error();
    EXPECT_NE(findLesson(lessons.value(), found->lesson), nullptr) << key << ": " << found->lesson;
}

TEST(Explanations, EveryLaneGaugeAndKindHasOne)
{
    for (const TrackKindRow& row : trackKinds()) {
        Track track;
        track.kind = row.kind;
        for (const char* name :
             {"", "worker 3", "pin thread", "main", "Pinned memory", "Swap traffic", "index queue"}) {
            track.name = name;
            expectExplained(explanationKey(track));
        }
    }
    for (int kind = 0; kind < kEventKindCount; ++kind)
        expectExplained(explanationKey(static_cast<EventKind>(kind)));
}

TEST(Explanations, ATrackIsKnownByItsName)
{
    Track track;
    track.kind = TrackKind::LoaderActor;
    track.name = "worker 3";
    EXPECT_EQ(explanationKey(track), "lane:worker");
    track.name = "pin thread";
    EXPECT_EQ(explanationKey(track), "lane:pin thread");
    track.name = "main";
    EXPECT_EQ(explanationKey(track), "lane:training thread");
    track.kind = TrackKind::Counter;
    track.name = "Device memory allocated by process 7";
    EXPECT_EQ(explanationKey(track), "gauge:Device memory");
    track.name = "pinned queue";
    EXPECT_EQ(explanationKey(track), "gauge:other");
}

TEST(Explanations, EveryCauseReasonAndFindingHasOne)
{
    for (int cause = 0; cause < kLostCauseCount; ++cause)
        expectExplained(explanationKey(static_cast<LostCause>(cause)));
    for (int cause = 0; cause < kCopyCauseCount; ++cause)
        expectExplained(explanationKey(static_cast<CopyCause>(cause)));
    for (const Rule& rule : allRules())
        expectExplained(explanationKey(rule.rule));
    EXPECT_EQ(explanationKey(RuleId::None), "");
}

TEST(Explanations, EverySettingAndMetricHasOne)
{
    for (const Setting& setting : allSettings())
        expectExplained(settingExplanationKey(setting.key));
    for (const RunMetric& metric : allRunMetrics())
        expectExplained(metricExplanationKey(metric.key));
}

TEST(Explanations, NoKeyStandsTwice)
{
    std::set<std::string> keys;
    for (const Explanation& one : allExplanations()) {
        EXPECT_TRUE(keys.insert(one.key).second) << one.key;
        expectExplained(one.key);
    }
    EXPECT_EQ(findExplanation("lane:moon"), nullptr);
}

}  // namespace
}  // namespace overlane
