#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

#include "core/cli/cli.h"
#include "tests/unit/cli/called_command.h"

namespace overlane
{
namespace
{

using Json = nlohmann::json;

Json infoOf(const std::string& program)
{
    return Json::parse(
        test::call({"info", "--json", OVERLANE_SOURCE_DIR "/tests/data/traces/programs/" + program}).out);
}

TEST(InfoPlaces, ALossOfALateThreadHasItsPlacesAsFigures)
{
    const Json info = infoOf("embed_page.overlane");
    const Json& loss = info.at("verdict").at("losses").at(0);
    EXPECT_EQ(loss.at("id"), info.at("verdict").at("main_loss_id"));
    const Json& first = loss.at("places").at(0);
    EXPECT_TRUE(first.at("file").get<std::string>().ends_with("embed.py")) << first;
    EXPECT_EQ(first.at("function"), "main");
    EXPECT_EQ(first.at("line"), 44);
    double shares = 0;
    for (const Json& place : loss.at("places")) {
        shares += place.at("share").get<double>();
        EXPECT_LE(place.at("line_share"), place.at("share"));
        EXPECT_NEAR(place.at("ns").get<double>(), place.at("share").get<double>() * loss.at("lost_ns").get<double>(),
                    1000);
        if (place.contains("callee")) {
            EXPECT_LE(place.at("callee").at("share"), place.at("share"));
        }
    }
    EXPECT_LE(shares, 1 + 1e-9);
    const Json& finding = info.at("findings").at("list").at(0);
    EXPECT_EQ(finding.at("rule"), "host-late");
    EXPECT_EQ(finding.at("places").at(0).at("file"), first.at("file"));
}

TEST(InfoPlaces, WithoutStacksThereAreNone)
{
    const Json info = infoOf("offload_page.overlane");
    for (const Json& loss : info.at("verdict").at("losses"))
        EXPECT_FALSE(loss.contains("places"));
    for (const Json& finding : info.at("findings").at("list"))
        EXPECT_FALSE(finding.contains("places"));
}

}  // namespace
}  // namespace overlane
