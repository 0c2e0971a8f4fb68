// Tables of functions as NVTX hands them out, filled by a CUPTI that only counts calls.
#include "cupti/collector/nvtx_steps.h"

#if __has_include(<nvtx3/nvToolsExt.h>)

#include <array>
#include <gtest/gtest.h>
#include <nvtx3/nvToolsExt.h>
#include <string>
#include <sys/wait.h>
#include <thread>
#include <unistd.h>

#include "tests/support/temp_dir.h"

namespace overlane
{
namespace
{

std::array<NvtxFunctionPointer, NVTX_CBID_CORE_SIZE> theCore;
std::array<NvtxFunctionPointer, NVTX_CBID_CORE2_SIZE> theDomains;
std::array<NvtxFunctionPointer*, NVTX_CBID_CORE_SIZE> theCorePlaces;
std::array<NvtxFunctionPointer*, NVTX_CBID_CORE2_SIZE> theDomainPlaces;
int theCalls = 0;

void firstCall() {}  // that NVTX itself puts there: it would ask for the tool once more

template <typename Function>
Function at(const NvtxFunctionPointer& place)
{
    return reinterpret_cast<Function>(place);
}

int NVTX_API functionsOf(NvtxCallbackModule module, NvtxFunctionTable* table, unsigned int* size)
{
    *table = module == NVTX_CB_MODULE_CORE ? theCorePlaces.data() : theDomainPlaces.data();
    *size = module == NVTX_CB_MODULE_CORE ? theCorePlaces.size() : theDomainPlaces.size();
    return module == NVTX_CB_MODULE_CORE || module == NVTX_CB_MODULE_CORE2;
}

const void* NVTX_API exported(std::uint32_t table)
{
    static const NvtxExportTableCallbacks callbacks{sizeof(NvtxExportTableCallbacks), functionsOf};
    return table == NVTX_ETID_CALLBACKS ? &callbacks : nullptr;
}

int NVTX_API pushOfTool(const char*)
{
    return ++theCalls;
}

int NVTX_API domainPushOfTool(nvtxDomainHandle_t, const nvtxEventAttributes_t*)
{
    return ++theCalls;
}

nvtxStringHandle_t NVTX_API registerOfTool(nvtxDomainHandle_t, const char* name)
{
    return reinterpret_cast<nvtxStringHandle_t>(const_cast<char*>(name));
}

void fillTables()
{
    theCore[NVTX_CBID_CORE_RangePushA] = reinterpret_cast<NvtxFunctionPointer>(&pushOfTool);
    theDomains[NVTX_CBID_CORE2_DomainRangePushEx] = reinterpret_cast<NvtxFunctionPointer>(&domainPushOfTool);
    theDomains[NVTX_CBID_CORE2_DomainRegisterStringA] = reinterpret_cast<NvtxFunctionPointer>(&registerOfTool);
}

int NVTX_API initializeTool(NvtxGetExportTableFunc_t)
{
    fillTables();
    return 1;
}

// A tool that fills the tables once it records.
int NVTX_API initializeLater(NvtxGetExportTableFunc_t)
{
    return 1;
}

// One process is watched once, so all is said in one test.
TEST(NvtxSteps, RangesNamedAsIterationsCountAndGoOnToTheTool)
{
    theCore.fill(&firstCall);
    theDomains.fill(&firstCall);
    for (std::size_t at = 0; at < theCore.size(); ++at)
        theCorePlaces[at] = &theCore[at];
    for (std::size_t at = 0; at < theDomains.size(); ++at)
        theDomainPlaces[at] = &theDomains[at];
    const auto push = [](const char* name) {
        return at<nvtxRangePushA_impl_fntype>(theCore[NVTX_CBID_CORE_RangePushA])(name);
    };

    const test::TempDir dir;
    RecordControl control = RecordControl::create(dir.path().c_str());
    ASSERT_TRUE(control.valid());
    ASSERT_EQ(watchNvtxSteps(exported, initializeTool, RecordControl::open(dir.path().c_str())), 1);
    EXPECT_EQ(theCore[NVTX_CBID_CORE_RangePushA], reinterpret_cast<NvtxFunctionPointer>(&pushOfTool))
        << "without a wish for iterations nothing is replaced";
    EXPECT_NE(theDomains[NVTX_CBID_CORE2_DomainRangePushEx], reinterpret_cast<NvtxFunctionPointer>(&domainPushOfTool))
        << "but what NCCL calls";

    theCore.fill(&firstCall);
    theDomains.fill(&firstCall);
    control.boundIterations(3, 2);
    ASSERT_EQ(watchNvtxSteps(exported, initializeLater, RecordControl::open(dir.path().c_str())), 1);
    EXPECT_EQ(push("step 0"), NVTX_NO_PUSH_POP_TRACKING) << "as without a tool, and NVTX's own first call is not made";
    EXPECT_EQ(control.page()->iterationsBegun, 1u);
    fillTables();
    watchNvtxStepsAgain();
    for (const char* name : {"forward", "step 1", "optimizer.step", "backward"})
        push(name);
    EXPECT_EQ(theCalls, 4);
    watchNvtxStepsAgain();
    EXPECT_EQ(push("step 2"), 5) << "the tool's answer";
    push(nullptr);
    EXPECT_EQ(control.page()->iterationsBegun, 3u);
    EXPECT_EQ(control.state(), RecordState::Wait);

    // Another name, and another thread, count for themselves.
    push("batch 0");
    std::thread([&] { push("step 0"); }).join();
    EXPECT_EQ(control.page()->iterationsBegun, 3u);

    if (const pid_t child = fork(); child == 0) {
        push("step 3");
        _exit(0);
    } else {
        waitpid(child, nullptr, 0);
    }
    EXPECT_EQ(control.page()->iterationsBegun, 3u) << "the child of a fork does not count";

    push("step 3");
    EXPECT_EQ(control.state(), RecordState::Record) << "at once, without a look by anybody";
    EXPECT_EQ(control.page()->iterationsFrom, 4u);

    // Another library's tables, which the tool fills at once.
    theCore.fill(&firstCall);
    theDomains.fill(&firstCall);
    ASSERT_EQ(watchNvtxSteps(exported, initializeTool, RecordControl::open(dir.path().c_str())), 1);

    // A domain's ranges, named by text or by a registered one.
    const auto domainPush = [](nvtxEventAttributes_t attributes) {
        return at<nvtxDomainRangePushEx_impl_fntype>(theDomains[NVTX_CBID_CORE2_DomainRangePushEx])(nullptr,
                                                                                                    &attributes);
    };
    nvtxEventAttributes_t attributes{};
    attributes.messageType = NVTX_MESSAGE_TYPE_ASCII;
    attributes.message.ascii = "step 4";
    domainPush(attributes);
    attributes.messageType = NVTX_MESSAGE_TYPE_REGISTERED;
    const auto keep = at<nvtxDomainRegisterStringA_impl_fntype>(theDomains[NVTX_CBID_CORE2_DomainRegisterStringA]);
    attributes.message.registered = keep(nullptr, "step");
    domainPush(attributes);
    EXPECT_EQ(control.page()->iterationsBegun, 6u);
    EXPECT_EQ(control.state(), RecordState::Record);
    push("step 6");
    EXPECT_EQ(control.state(), RecordState::Record);
    push("step 7");
    EXPECT_EQ(control.state(), RecordState::Stop) << "two whole ones and two more";
    push("step 8");
    EXPECT_EQ(control.page()->iterationsBegun, 8u) << "the rest of the program is not looked at";
}

}  // namespace
}  // namespace overlane

#endif
