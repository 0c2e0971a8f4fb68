#include <gmock/gmock.h>
#include <nlohmann/json.hpp>

#include "core/cli/doctor_text.h"
#include "tests/support/expect_text.h"
#include "tests/unit/cli/called_command.h"
#include "tests/unit/doctor/machines.h"

namespace overlane
{
namespace
{

void expectDoctorText(const Diagnosis& diagnosis, Purposes asked)
{
    const std::string text = doctorText(diagnosis, asked);
    test::expectNarrow(text);
    test::expectText(text);
}

TEST(DoctorText, ProblemsStandFirstThenNotesThenWhatIsFine)
{
    const Diagnosis fine(test::workstation());
    expectDoctorText(fine, fine.fitting());

    DoctorFacts facts = test::workstation();
    facts.cupti.reset();
    facts.cuptiReason = "libcupti.so.12: cannot open shared object file: No such file or directory";
    facts.around.otherProfilers = {"NSYS_PROFILING_SESSION_ID=7"};
    facts.around.container = "Kubernetes";
    facts.around.groupLimitBytes = std::int64_t{8} << 30;
    facts.around.countersRestricted = true;
    facts.stacksError = 1;
    facts.windowProgram = "";
    const Diagnosis inPod(facts);
    expectDoctorText(inPod, {Purpose::Record});
}

TEST(DoctorText, WithoutAGpuTracesOpen)
{
    const Diagnosis laptop(test::laptopWithoutGpu());
    expectDoctorText(laptop, laptop.fitting());
    const OrderedJson json = doctorJson(laptop, laptop.fitting());
    EXPECT_EQ(json["stopped"], false);
    EXPECT_EQ(json["purposes"][1]["id"], "record");
    EXPECT_EQ(json["purposes"][1]["asked"], false);
    EXPECT_EQ(json["purposes"][1]["stopped_by"][0], "gpu_driver");
    EXPECT_EQ(json["checks"][0]["state"], "note");
    EXPECT_EQ(json["checks"][0]["stops"], (OrderedJson{"record", "measure"}));
    EXPECT_EQ(doctorJson(laptop, {Purpose::Measure})["stopped"], true);
}

TEST(DoctorCommand, TheExitCodeFollowsTheAnswer)
{
    for (const char* purpose : {"open", "record", "measure", "window"}) {
        const test::Outcome outcome = test::call({"doctor", "--json", "--for", purpose, "--python", "/nowhere/python"});
        const auto json = nlohmann::json::parse(outcome.out);
        EXPECT_EQ(outcome.code, json["stopped"] ? kExitFailed : kExitOk) << purpose;
        for (const auto& row : json["purposes"])
            EXPECT_EQ(row["asked"], row["id"] == purpose);
        EXPECT_GT(json["checks"].size(), 10u);
    }
    EXPECT_EQ(test::call({"doctor", "--for", "open", "--python", "/nowhere/python"}).code, kExitOk);
    EXPECT_EQ(test::call({"doctor", "--for", "glory"}).code, kExitUsage);
}

}  // namespace
}  // namespace overlane
