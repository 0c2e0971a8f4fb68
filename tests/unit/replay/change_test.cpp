#include "core/replay/change.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "tests/support/expect_text.h"

namespace overlane
{
namespace
{

using testing::HasSubstr;
using testing::Not;

TEST(Change, ReadsWhatItWrites)
{
    for (const char* text : {"pin", "non_blocking", "side_stream", "side_stream=2", "drop_syncs", "read_later",
                             "merge_small", "workers=8", "device=a100_pcie4", "link=25"}) {
        const Result<Change> change = parseChange(text);
        ASSERT_TRUE(change.ok()) << change.error();
        EXPECT_EQ(changeText(change.value()), text);
        EXPECT_FALSE(changeAdvice(change.value(), CopyRole::Batch, {}).empty());
    }
    EXPECT_EQ(parseChange("link=25").value().bytesPerSecond, 25e9);
    EXPECT_EQ(parseChange("workers=8").value().value, 8);
}

TEST(Change, AdvisesByWhatIsCarriedAndInTheFrameworksWords)
{
    const auto advised = [](const char* change, CopyRole role, Framework framework, bool hasLoader) {
        return changeAdvice(parseChange(change).value(), role, ProgramTraits{framework, "a name", hasLoader});
    };
    EXPECT_THAT(advised("pin", CopyRole::Batch, Framework::PyTorch, true), HasSubstr("DataLoader(pin_memory=True)"));
    EXPECT_THAT(advised("pin", CopyRole::Batch, Framework::PyTorch, false), Not(HasSubstr("DataLoader")));
    EXPECT_THAT(advised("pin", CopyRole::Activation, Framework::PyTorch, true), HasSubstr("save_on_cpu"));
    EXPECT_THAT(advised("side_stream=2", CopyRole::Batch, Framework::Cuda, false), HasSubstr("cudaStreamNonBlocking"));
    EXPECT_THAT(advised("drop_syncs", CopyRole::Batch, Framework::Jax, false), HasSubstr("block_until_ready"));
}

TEST(Change, IsAlsoAnActionOfAPerson)
{
    const ProgramTraits loader{Framework::PyTorch, "a name", true};
    std::vector<std::string> actions;
    for (const char* change : {"pin", "non_blocking", "side_stream", "side_stream=2", "drop_syncs", "merge_small",
                               "workers=8", "workers=1", "device=a100_pcie4", "link=25", "read_later"})
        actions.push_back(changeAction(parseChange(change).value(), CopyRole::Batch, loader));
    for (const CopyRole role : {CopyRole::Unknown, CopyRole::Batch, CopyRole::KvCache})
        actions.push_back(changeAction(Change{}, role, {}));
    actions.push_back(changeAction(Change{}, CopyRole::OptimizerState, loader));
    test::expectText(actions);
}

TEST(Change, SaysWhatIsWrongAndWhatToWrite)
{
    test::expectText(parseChange("pined").error());
    test::expectText(parseChange("workers").error());
    test::expectText(parseChange("workers=0").error());
    test::expectText(parseChange("workers=two").error());
    test::expectText(parseChange("side_stream=65").error());
    test::expectText(parseChange("pin=1").error());
    EXPECT_THAT(parseChange("device=h300").error(), HasSubstr("h200"));
    EXPECT_THAT(parseChange("link=fast").error(), HasSubstr("GB/s"));
    EXPECT_THAT(parseChange("link=nan").error(), HasSubstr("GB/s"));
    EXPECT_FALSE(parseChange("").ok());
}

TEST(Change, NamesCombinations)
{
    const std::vector<Change> changes{parseChange("pin").value(), parseChange("side_stream=2").value()};
    EXPECT_EQ(changeText(changes), "pin + side_stream=2");
    EXPECT_EQ(changeText(std::span<const Change>()), "no change");
}

}  // namespace
}  // namespace overlane
