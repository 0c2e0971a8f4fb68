#include "core/trace/rank_properties.h"

#include <gtest/gtest.h>

namespace overlane
{
namespace
{

using Texts = std::map<std::string, std::string>;

Texts propertiesOf(const Texts& environment)
{
    Texts properties;
    addRankProperties(properties, [&](const char* name) {
        const auto found = environment.find(name);
        return found == environment.end() ? std::string() : found->second;
    });
    return properties;
}

TEST(RankProperties, TheInnermostLauncherSaysTheRank)
{
    EXPECT_EQ(propertiesOf({{"RANK", "5"}, {"WORLD_SIZE", "16"}, {"LOCAL_RANK", "1"}, {"SLURM_PROCID", "0"}}),
              (Texts{{"rank", "5"}, {"world size", "16"}, {"local rank", "1"}}));
    EXPECT_EQ(propertiesOf({{"OMPI_COMM_WORLD_RANK", "2"}, {"OMPI_COMM_WORLD_SIZE", "4"}}),
              (Texts{{"rank", "2"}, {"world size", "4"}}));
    EXPECT_EQ(propertiesOf({{"RANK", "nonsense"}, {"SLURM_PROCID", "7"}}), (Texts{{"rank", "7"}}));
    EXPECT_EQ(propertiesOf({{"RANK", "03"}, {"WORLD_SIZE", "many"}}), (Texts{{"rank", "3"}}));
    EXPECT_EQ(propertiesOf({{"RANK", "0"}, {"WORLD_SIZE", "1"}}), Texts());
    EXPECT_EQ(propertiesOf({{"RANK", "-1"}}), Texts());
    EXPECT_EQ(propertiesOf({}), Texts());
}

}  // namespace
}  // namespace overlane
