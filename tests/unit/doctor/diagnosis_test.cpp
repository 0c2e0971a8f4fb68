#include "core/doctor/diagnosis.h"

#include <cerrno>
#include <gmock/gmock.h>
#include <set>

#include "core/doctor/checks.h"
#include "core/doctor/in_time.h"
#include "tests/unit/doctor/machines.h"

namespace overlane
{
namespace
{

using testing::ElementsAre;
using testing::IsEmpty;

const MachineCheck& check(const Diagnosis& diagnosis, std::string_view id)
{
    static const MachineCheck kNone;
    for (const MachineCheck& one : diagnosis.checks())
        if (one.id == id)
            return one;
    ADD_FAILURE() << "no check " << id;
    return kNone;
}

TEST(Diagnosis, AWorkstationDoesEverything)
{
    const Diagnosis diagnosis(test::workstation());
    for (const PurposeRow& row : kPurposes) {
        EXPECT_TRUE(diagnosis.fitting().has(row.purpose)) << row.id;
        EXPECT_THAT(diagnosis.stopping(row.purpose), IsEmpty()) << row.id;
    }
    std::set<std::string> ids;
    for (const MachineCheck& one : diagnosis.checks()) {
        EXPECT_TRUE(one.isFine()) << one.id << ": " << one.found << one.doThis;
        EXPECT_NE(one.found, "") << one.id;
        EXPECT_TRUE(ids.insert(one.id).second) << one.id << " twice";
    }
}

TEST(Diagnosis, ALaptopWithoutAGpuOpensTracesAndThatIsNoProblem)
{
    const Diagnosis diagnosis(test::laptopWithoutGpu());
    EXPECT_FALSE(diagnosis.fitting().has(Purpose::Record));
    EXPECT_FALSE(diagnosis.stopsAny(diagnosis.fitting()));
    EXPECT_TRUE(diagnosis.stopsAny({Purpose::Record}));
    EXPECT_THAT(diagnosis.stopping(Purpose::Record), ElementsAre("gpu_driver"));
    EXPECT_EQ(Diagnosis::stateOf(check(diagnosis, "gpu_driver"), diagnosis.fitting()), "note");
    EXPECT_EQ(Diagnosis::stateOf(check(diagnosis, "gpu_driver"), {Purpose::Record}), "problem");
}

TEST(Diagnosis, AGpuWhoseDriverDoesNotLoadIsAProblem)
{
    DoctorFacts facts = test::workstation();
    facts.gpu = describeGpuSupport(false, 0, {}, true);
    const Diagnosis diagnosis(facts);
    EXPECT_TRUE(diagnosis.fitting().has(Purpose::Record));
    EXPECT_TRUE(diagnosis.stopsAny(diagnosis.fitting()));
}

struct Loss {
    const char* id;
    void (*lose)(DoctorFacts&);
    Purposes stops;
};

class EveryLoss : public testing::TestWithParam<Loss>
{
};

TEST_P(EveryLoss, IsSeenAndStopsItsPurposesAlone)
{
    DoctorFacts facts = test::workstation();
    GetParam().lose(facts);
    const Diagnosis diagnosis(facts);
    const MachineCheck& lost = check(diagnosis, GetParam().id);
    EXPECT_NE(lost.doThis, "");
    for (const PurposeRow& row : kPurposes) {
        EXPECT_EQ(lost.stops.has(row.purpose), GetParam().stops.has(row.purpose)) << row.id;
        EXPECT_EQ(diagnosis.stopsAny({row.purpose}), GetParam().stops.has(row.purpose)) << row.id;
    }
}

const Purposes kOnGpu = {Purpose::Record, Purpose::Measure};

INSTANTIATE_TEST_SUITE_P(
    Diagnosis, EveryLoss,
    testing::Values(
        Loss{"gpus", [](DoctorFacts& f) { f.gpu = describeGpuSupport(true, 12040, {}, true); }, kOnGpu},
        Loss{"gpu_driver", [](DoctorFacts& f) { f.gpu.driverVersion = 11080; }, kOnGpu},
        Loss{"gpu_driver",
             [](DoctorFacts& f) {
                 f.driverIsSilent = true;
                 f.gpu = {};
             },
             kOnGpu},
        Loss{"cuda_engine", [](DoctorFacts& f) { f.engineLibrary = ""; }, {Purpose::Measure}},
        Loss{"inject_library", [](DoctorFacts& f) { f.injectLibrary = ""; }, {Purpose::Record}},
        Loss{"cupti", [](DoctorFacts& f) { f.cupti.reset(); }, {Purpose::Record}},
        Loss{"other_profiler",
             [](DoctorFacts& f) { f.around.otherProfilers = {"NSYS_PROFILING_SESSION_ID=7"}; },
             {Purpose::Record}},
        Loss{"other_profiler", [](DoctorFacts& f) { f.around.otherInjection = "/opt/tool.so"; }, {}},
        Loss{"profiling_permission",
             [](DoctorFacts& f) {
                 f.isAdministrator = false;
                 f.around.countersRestricted = true;
             },
             {}},
        Loss{"mig", [](DoctorFacts& f) { f.gpu.devices = {"NVIDIA H100 80GB HBM3 MIG 1g.10gb"}; }, {}},
        Loss{"mig", [](DoctorFacts& f) { f.around.migDevices = "MIG-1234"; }, {}},
        Loss{"mps", [](DoctorFacts& f) { f.around.usesMps = true; }, {}},
        Loss{"stacks", [](DoctorFacts& f) { f.readsStacks = false; }, {}},
        Loss{"stacks", [](DoctorFacts& f) { f.stacksError = EACCES; }, {}},
        Loss{"ptrace",
             [](DoctorFacts& f) {
                 f.isAdministrator = false;
                 f.around.ptraceScope = 2;
             },
             {}},
        Loss{"python", [](DoctorFacts& f) { f.python = {}; }, {}},
        Loss{"pytorch", [](DoctorFacts& f) { f.python.torchVersion = ""; }, {}},
        Loss{"pytorch", [](DoctorFacts& f) { f.python.torchCuda = "13.0"; }, {}},
        Loss{"pytorch", [](DoctorFacts& f) { f.python.torchCuda = ""; }, {}},
        Loss{"pytorch_loader", [](DoctorFacts& f) { f.python.loaderProblem = "_next_data has other parameters"; }, {}},
        Loss{"pytorch_loader", [](DoctorFacts& f) { f.python.loaderProblem.reset(); }, {}},
        Loss{"pytorch_loader", [](DoctorFacts& f) { f.hookFolder = ""; }, {}},
        Loss{"wsl", [](DoctorFacts& f) { f.around.isWsl = true; }, {}},
        Loss{"pin_limit", [](DoctorFacts& f) { f.around.pinLimitBytes = 65536; }, {}},
        Loss{"memory_limit", [](DoctorFacts& f) { f.around.groupLimitBytes = 1 << 30; }, {}},
        Loss{"temporary_space", [](DoctorFacts& f) { f.temporaryFreeBytes = 1000; }, {}},
        Loss{"temporary_space", [](DoctorFacts& f) { f.temporaryFreeBytes.reset(); }, kOnGpu},
        Loss{"window_program", [](DoctorFacts& f) { f.windowProgram = ""; }, {Purpose::Window}},
        Loss{"display", [](DoctorFacts& f) { f.around.display = ""; }, {Purpose::Window}},
        Loss{"display", [](DoctorFacts& f) { f.around.missingSocket = "/tmp/.X11-unix/X0"; }, {Purpose::Window}},
        Loss{"fonts", [](DoctorFacts& f) { f.around.hasFonts = false; }, {Purpose::Window}}));

TEST(Diagnosis, CuptiOfPipIsThatOfTheDriver)
{
    DoctorFacts facts = test::workstation();
    facts.cupti.reset();
    facts.gpu.driverVersion = 12040;
    const std::string older = check(Diagnosis(facts), "cupti").doThis;
    facts.gpu.driverVersion = 13000;
    EXPECT_NE(check(Diagnosis(facts), "cupti").doThis, older);
}

TEST(Diagnosis, AWindowWithFontsNeedsNoneOfTheSystem)
{
    DoctorFacts facts = test::workstation();
    facts.around.hasFonts = false;
    facts.windowHasFonts = true;
    EXPECT_TRUE(check(Diagnosis(facts), "fonts").isFine());
}

TEST(Diagnosis, TheAdviceFitsTheContainerAndWsl)
{
    DoctorFacts facts = test::laptopWithoutGpu();
    const std::string plain = check(Diagnosis(facts), "gpu_driver").doThis;
    facts.around.isWsl = true;
    const std::string wsl = check(Diagnosis(facts), "gpu_driver").doThis;
    facts.around.container = "Docker";
    const std::string docker = check(Diagnosis(facts), "gpu_driver").doThis;
    EXPECT_EQ((std::set<std::string>{plain, wsl, docker}.size()), 3u);
}

TEST(InTime, AnAnswerThatDoesNotComeIsNone)
{
    EXPECT_EQ(answerInTime<int>([] { return 7; }, std::chrono::seconds(60)), 7);
    auto gate = std::make_shared<std::promise<void>>();
    const auto silent = [opened = gate->get_future().share()] {
        opened.wait();
        return 7;
    };
    EXPECT_FALSE(answerInTime<int>(silent, std::chrono::milliseconds(20)));
    gate->set_value();
}

TEST(Diagnosis, CudaVersionsReadAsTheirMakerWritesThem)
{
    EXPECT_EQ(cudaVersionText(12040), "12.4");
    EXPECT_EQ(cudaVersionText(13000), "13.0");
}

}  // namespace
}  // namespace overlane
