// PyTorch's loader as recorded by resources/pytorch, with a small loader in the shape of PyTorch's.
#include "core/recorder/pytorch_hook.h"

#include <cerrno>
#include <cstdlib>
#include <filesystem>
#include <gmock/gmock.h>
#include <map>
#include <set>
#include <tuple>

#include "core/analysis/steps.h"
#include "core/spool/record_control.h"
#include "tests/support/expect_text.h"
#include "tests/unit/pytorch/hook_fixture.h"

namespace overlane
{
namespace
{

namespace fs = std::filesystem;
using testing::AllOf;
using testing::Ge;
using testing::HasSubstr;
using testing::IsEmpty;
using testing::Le;
using testing::SizeIs;

using test::kFolder;
using PytorchHookTest = test::PytorchHookFixture;

// Of the forms that torch.utils.data has had (fake_torch/torch/utils/data/_utils/worker.py says which).
class PytorchForms : public PytorchHookTest, public testing::WithParamInterface<const char*>
{
protected:
    void SetUp() override
    {
        PytorchHookTest::SetUp();
        setenv("FAKE_TORCH_FORM", GetParam(), 1);
    }
};

INSTANTIATE_TEST_SUITE_P(All, PytorchForms, testing::Values("", "holder", "threads"), [](const auto& form) {
    return *form.param == '\0' ? std::string("classic") : std::string(form.param);
});

TEST_P(PytorchForms, WorkersPinThreadWaitsAndStepsAreShown)
{
    train({"--pin"});
    EXPECT_EQ(output(), "batches: 20\n");
    EXPECT_THAT(m_warnings, IsEmpty());
    EXPECT_THAT(tracks(TrackKind::Process), SizeIs(1));
    test::expectText(tracks(TrackKind::LoaderActor));

    auto made = events(EventKind::Loader, "worker");
    EXPECT_EQ(made, everyBatch("batch ", 10, 2));
    EXPECT_GE(events(EventKind::LoaderWait, "worker")["wait for an index"], 20);
    EXPECT_EQ(events(EventKind::HostWork, "worker"), everyBatch("collate batch ", 10, 2));

    const auto pinned = events(EventKind::Loader, "pin thread");
    EXPECT_EQ(sum(pinned, "pin_memory batch "), 20);
    EXPECT_EQ(sum(pinned, "take batch ") + events(EventKind::LoaderWait, "pin thread")["wait for a batch"], 22)
        << "20 batches and the two ends";

    auto own = events(EventKind::HostWork);
    EXPECT_EQ(sum(own, "DataLoader.__next__, batch "), 20);
    EXPECT_EQ(own["__next__, no batch"], 2);
    EXPECT_EQ(own["start 2 workers"], 2);
    EXPECT_EQ(own["end 2 workers"], 2);
    EXPECT_EQ(sum(own, "take batch ") + sum(events(EventKind::LoaderWait), "wait for batch "), 20);
}

TEST_P(PytorchForms, AHookThatIsInThePathTwiceIsThereOnce)
{
    const std::string hook = OVERLANE_SOURCE_DIR "/resources/pytorch", copy = m_folder + "/copy";
    fs::copy(hook, copy);
    setenv("PYTHONPATH", (hook + ':' + copy + ':' + kFolder + "/fake_torch").c_str(), 1);
    train({});
    EXPECT_EQ(output(), "batches: 20\n");
    EXPECT_EQ(events(EventKind::Loader, "worker"), everyBatch("batch ", 10, 2));
}

TEST_P(PytorchForms, WorkersThatStartAnewRecordToo)
{
    train({"--context", "spawn", "--epochs", "1"});
    EXPECT_EQ(output(), "batches: 10\n");
    EXPECT_THAT(m_warnings, IsEmpty());
    EXPECT_EQ(events(EventKind::Loader, "worker"), everyBatch("batch ", 10, 1));
    EXPECT_THAT(tracks(TrackKind::Process), SizeIs(1)) << "workers stand below the process they work for";
}

TEST_P(PytorchForms, KeptWorkersGoOnInTheNextEpoch)
{
    train({"--persistent", "--epochs", "3", "--pin"});
    EXPECT_EQ(events(EventKind::Loader, "worker"), everyBatch("batch ", 10, 3));
    EXPECT_EQ(events(EventKind::HostWork)["start 2 workers"], 1);
    EXPECT_THAT(findSteps(*m_trace), SizeIs(30));
}

TEST_F(PytorchHookTest, WorkersThatAreThreadsPinTheirBatchesThemselves)
{
    setenv("FAKE_TORCH_FORM", "threads", 1);
    train({"--threads", "--pin"});
    EXPECT_EQ(output(), "batches: 20\n");
    EXPECT_THAT(m_warnings, IsEmpty());
    EXPECT_THAT(tracks(TrackKind::Process), SizeIs(1));
    test::expectText(tracks(TrackKind::LoaderActor));
    EXPECT_EQ(events(EventKind::Loader, "worker"), everyBatch("batch ", 10, 2));
    auto within = everyBatch("collate batch ", 10, 2);
    within.merge(everyBatch("pin_memory batch ", 10, 2));
    EXPECT_EQ(events(EventKind::HostWork, "worker"), within);
    auto own = events(EventKind::HostWork);
    EXPECT_EQ(own["start 2 workers"], 2);
    EXPECT_EQ(own["end 2 workers"], 2);
    EXPECT_EQ(sum(own, "take batch ") + sum(events(EventKind::LoaderWait), "wait for batch "), 20);
    EXPECT_THAT(findSteps(*m_trace), SizeIs(20));
    // Without page-locked memory, and as a stream.
    train({"--threads", "--stream", "--epochs", "1"});
    EXPECT_EQ(output(), "batches: 10\n");
    EXPECT_EQ(events(EventKind::Loader, "worker")["no more samples"], 2);
    EXPECT_EQ(sum(events(EventKind::Loader, "worker"), "batch "), 10);
    EXPECT_EQ(sum(events(EventKind::HostWork, "worker"), "pin_memory"), 0);
}

TEST_F(PytorchHookTest, StepsGoFromOneBatchToTheNext)
{
    train({});
    const std::vector<Step> steps = findSteps(*m_trace);
    ASSERT_THAT(steps, SizeIs(20));
    for (std::size_t at = 0; at < steps.size(); ++at) {
        EXPECT_EQ(steps[at].number, static_cast<std::int64_t>(at));
        if (at % 10 != 0) {
            EXPECT_EQ(steps[at].interval.startNs, steps[at - 1].interval.endNs) << at;
        }
    }
    for (const auto* name : {"Indices waiting for workers", "Batches from the workers", "Batches that came early"}) {
        const std::vector<double> values = gauge(name);
        ASSERT_FALSE(values.empty()) << name;
        EXPECT_THAT(values, testing::Each(testing::AllOf(testing::Ge(0), testing::Le(6)))) << name;
        EXPECT_EQ(values.back(), 0) << name;
    }
    EXPECT_THAT(gauge("Pinned batches"), IsEmpty());
}

TEST_F(PytorchHookTest, WithoutWorkersTheThreadMakesAndPinsItsBatches)
{
    train({"--workers", "0", "--pin"});
    auto expected = everyBatch("batch ", 10, 2);
    expected.merge(everyBatch("pin_memory batch ", 10, 2));
    EXPECT_EQ(events(EventKind::Loader), expected);
    EXPECT_EQ(sum(events(EventKind::HostWork), "__next__, batch "), 20);
    EXPECT_THAT(events(EventKind::LoaderWait), IsEmpty());
    EXPECT_THAT(findSteps(*m_trace), SizeIs(20));
}

TEST_F(PytorchHookTest, StreamsEndWhereTheirWorkersSayso)
{
    train({"--stream", "--epochs", "1"});
    EXPECT_EQ(output(), "batches: 10\n");
    auto made = events(EventKind::Loader, "worker");
    EXPECT_EQ(made["no more samples"], 2);
    EXPECT_EQ(sum(made, "batch "), 10);
}

TEST_F(PytorchHookTest, ALoopLeftEarlyEndsItsLastStepThere)
{
    train({"--leave-after", "3"});
    EXPECT_EQ(output(), "batches: 6\n");
    EXPECT_THAT(findSteps(*m_trace), SizeIs(6));
    // Kept workers say nothing of when: such a step is left out.
    train({"--leave-after", "3", "--persistent"});
    EXPECT_EQ(output(), "batches: 6\n");
    EXPECT_THAT(findSteps(*m_trace), SizeIs(4));
}

// However workers start, and whether they are kept: those that start anew have no memory of their parent's loaders.
class PytorchLoaders : public PytorchHookTest, public testing::WithParamInterface<std::tuple<const char*, const char*>>
{
};

INSTANTIATE_TEST_SUITE_P(All, PytorchLoaders,
                         testing::Combine(testing::Values("fork", "spawn", "forkserver"),
                                          testing::Values("", "--persistent")),
                         [](const auto& with) {
                             return std::string(std::get<0>(with.param)) +
                                    (*std::get<1>(with.param) == '\0' ? "" : "Kept");
                         });

TEST_P(PytorchLoaders, EachHasLanesOfItsOwn)
{
    const auto [context, kept] = GetParam();
    std::vector<std::string> arguments = {"--validate", "--pin", "--context", context};
    if (*kept != '\0')
        arguments.emplace_back(kept);
    train(arguments);
    EXPECT_EQ(output(), "batches: 20\n");
    test::expectText(tracks(TrackKind::LoaderActor));
    // Kept workers are ended with the program, each perhaps before it noted the batch that was just taken.
    const int unnoted = *kept != '\0' ? 2 : 0;
    const auto ofSecond = sum(events(EventKind::Loader, "worker 0 of loader 2"), "batch ") +
                          sum(events(EventKind::Loader, "worker 1 of loader 2"), "batch ");
    EXPECT_THAT(ofSecond, AllOf(Ge(4 - unnoted), Le(4)));
    EXPECT_EQ(sum(events(EventKind::Loader, "worker"), "batch "), 20 + ofSecond);
    EXPECT_EQ(sum(events(EventKind::Loader, "pin thread of loader 2"), "pin_memory batch "), 4);
    test::expectText(tracks(TrackKind::Annotations));
    EXPECT_THAT(findSteps(*m_trace), SizeIs(20));
    EXPECT_EQ(sum(events(EventKind::Step, "steps of loader 2"), "step "), 4);
}

TEST_F(PytorchHookTest, TheChildOfAForkHasLanesOfItsOwn)
{
    record(options("forks.py", {}));
    EXPECT_EQ(output(), "child: 16\nparent: 20 status: 0\n");
    EXPECT_TRUE(m_trace->stats().all().empty()) << m_trace->stats().all().front().explanation;
    EXPECT_THAT(tracks(TrackKind::Process), SizeIs(2));
    // The parent's first loader and the one that it began; the child's in the order in which it uses them: the one
    // that was begun, the first, and its own.
    test::expectText(tracks(TrackKind::Annotations));
    test::expectText(tracks(TrackKind::LoaderActor));
    EXPECT_EQ(sum(events(EventKind::Step, "steps"), "step "), 20 + 1 + 2 + 10 + 5);
    EXPECT_EQ(sum(events(EventKind::Step, "steps of loader 2"), "step "), 1 + 10);
    EXPECT_EQ(sum(events(EventKind::Step, "steps of loader 3"), "step "), 5);
    EXPECT_EQ(sum(events(EventKind::Loader, "worker"), "batch "), 20 + 10);
}

TEST_F(PytorchHookTest, AWorkerKilledLosesOnlyItsLastMoment)
{
    train({"--kill-at", "28", "--epochs", "1"});
    test::expectText(output());
    EXPECT_EQ(m_exitCode, 0);
    // Of the worker that was killed in batch 7, all that it had made more than half a second before.
    const auto made = events(EventKind::Loader, "worker 1");
    EXPECT_EQ(made, (std::map<std::string, int>{{"batch 1", 1}, {"batch 3", 1}, {"batch 5", 1}}));
}

TEST_F(PytorchHookTest, AnUnknownVersionIsRefusedAndSaidOnce)
{
    setenv("FAKE_TORCH_UNKNOWN", "1", 1);
    train({"--context", "spawn", "--epochs", "1"});
    EXPECT_EQ(output(), "batches: 10\n");
    EXPECT_EQ(m_exitCode, 0);
    ASSERT_THAT(m_warnings, SizeIs(1));
    test::expectText(m_warnings.front());
    EXPECT_TRUE(m_trace->columns().kind.empty());
    ASSERT_THAT(m_trace->stats().all(), SizeIs(1));
    EXPECT_THAT(m_trace->stats().all().front().explanation, HasSubstr(m_warnings.front()));
    EXPECT_EQ(m_trace->stats().all().front().count, 1);
}

TEST_F(PytorchHookTest, AProgramWithoutPytorchNoticesNothing)
{
    setenv("PYTHONPATH", (kFolder + "/own_sitecustomize").c_str(), 1);
    record(options("plain.py", {"a", "b c"}));
    EXPECT_EQ(output(),
              "modules: []\n"
              "path: []\n"
              "sitecustomize: ran [\"a\", \"b c\"]\n"
              "to stderr\n");
    EXPECT_EQ(m_exitCode, 7);
    test::expectText(m_warnings);
}

TEST_F(PytorchHookTest, AProgramWhoseSpoolCannotBeWrittenGoesOn)
{
    const std::string command = "PYTHONPATH=" OVERLANE_SOURCE_DIR "/resources/pytorch:" + kFolder +
                                "/fake_torch OVERLANE_LOADER=1 OVERLANE_SPOOL_DIR=" + m_folder + "/none python3 " +
                                kFolder + "/scripts/train.py --pin > " + m_text + " 2>&1";
    EXPECT_EQ(std::system(command.c_str()), 0);
    EXPECT_EQ(output(), "batches: 20\n");
}

TEST_F(PytorchHookTest, WhatHandlersOfSignalsRaiseReachesTheProgram)
{
    record(options("signals.py", {"200"}));
    EXPECT_EQ(output(), "inside: True lost: 0\nbatches: 100\n");
    EXPECT_THAT(m_warnings, IsEmpty());
    // Recording goes on: nothing of the second loader is missing, and no step of the first is there twice.
    const auto second = events(EventKind::Step, "steps of loader 2");
    EXPECT_EQ(second, everyBatch("step ", 100, 1));
    for (const auto& [name, times] : events(EventKind::Step, "steps"))
        EXPECT_LE(times, second.contains(name) ? 2 : 1) << name;
}

TEST_F(PytorchHookTest, WhatIsRaisedWithinAForkReachesTheProgramBehindIt)
{
    record(options("alarm_in_fork.py", {}));
    EXPECT_EQ(output(), "reached the program\n");
}

TEST_F(PytorchHookTest, AFlushThatIsInterruptedLosesAndDoublesNothing)
{
    const std::string command = "python3 " + kFolder +
                                "/scripts/interrupted_flush.py " OVERLANE_SOURCE_DIR "/resources/pytorch " + m_folder +
                                " 500 > " + m_text + " 2>&1";
    EXPECT_EQ(std::system(command.c_str()), 0);
    EXPECT_EQ(output(), "missing: 0 doubled: 0 last: 1\n");
}

TEST_F(PytorchHookTest, MoreThanCanBeWrittenIsLeftOutAndRecordingGoesOn)
{
    const std::string command = "python3 " + kFolder +
                                "/scripts/too_many.py " OVERLANE_SOURCE_DIR "/resources/pytorch " + m_folder + " > " +
                                m_text + " 2>&1";
    EXPECT_EQ(std::system(command.c_str()), 0);
    EXPECT_EQ(output(), "waiting: 0 recording: True recording: False kept: 0 woken: 50 kept: 100 later: 1 lost: 0\n");
}

TEST_F(PytorchHookTest, AProgramWhoseFilesMayNotGrowGoesOnAndTheRecorderIsTold)
{
    RecordControl control = RecordControl::create(m_folder.c_str());
    ASSERT_TRUE(control.valid());
    control.setState(RecordState::Record);
    const std::string command = "PYTHONPATH=" OVERLANE_SOURCE_DIR "/resources/pytorch:" + kFolder +
                                "/fake_torch OVERLANE_LOADER=1 OVERLANE_SPOOL_DIR=" + m_folder + " python3 " + kFolder +
                                "/scripts/limited.py 20000 > " + m_text + " 2>&1";
    EXPECT_EQ(std::system(command.c_str()), 0);
    EXPECT_EQ(output(), "ended: True kept: 0\n");
    EXPECT_EQ(control.page()->writeError, static_cast<std::uint32_t>(EFBIG));
}

TEST_F(PytorchHookTest, NoStepIsWrittenBeforeTheProcessThatUsesTheGpuRecords)
{
    RecordControl control = RecordControl::create(m_folder.c_str());
    ASSERT_TRUE(control.valid());
    control.setState(RecordState::Record);
    const std::string command = "PYTHONPATH=" OVERLANE_SOURCE_DIR "/resources/pytorch:" + kFolder +
                                "/fake_torch OVERLANE_LOADER=1 OVERLANE_SPOOL_DIR=" + m_folder + " python3 " + kFolder +
                                "/scripts/begins_late.py " + m_folder + " > " + m_text + " 2>&1";
    EXPECT_EQ(std::system(command.c_str()), 0);
    EXPECT_EQ(output(), "starting: False begun: True\n");
}

TEST_F(PytorchHookTest, ATrialThatEndsInTheMiddleLeavesNoSemaphoreBehind)
{
    std::ofstream(m_folder + "/request")
        << R"({"loader": "", "settings": {}, "warm_up": 1, "batches": 20, "seconds": 1, "most_seconds": 60,)"
        << R"("report": ")" << m_folder << R"(/report"})";
    // Python's tracker of semaphores ends after the program: cat waits for both.
    const std::string command = "PYTHONWARNINGS= PYTHONPATH=" OVERLANE_SOURCE_DIR "/resources/pytorch:" + kFolder +
                                "/fake_torch OVERLANE_TRIAL=" + m_folder + "/request python3 " + kFolder +
                                "/scripts/anew.py 2>&1 | cat > " + m_text;
    EXPECT_EQ(std::system(command.c_str()), 0);
    EXPECT_EQ(output(), "");
    const auto isReport = [](const fs::path& path) { return path.filename().native().starts_with("report."); };
    EXPECT_EQ(std::count_if(fs::directory_iterator(m_folder), {}, isReport), 1);
}

TEST_F(PytorchHookTest, WaitsForTheRecorderToBegin)
{
    RecordOptions later = options("train.py", {"--pin"});
    later.delaySeconds = 1000;
    record(later);
    EXPECT_EQ(output(), "batches: 20\n");
    EXPECT_TRUE(m_trace->columns().kind.empty());
}

TEST_F(PytorchHookTest, SomeIterationsAreRecordedBehindTheFirst)
{
    RecordOptions some = options("train.py", {"--epochs", "6", "--pin", "--validate"});
    some.iterations = 12;
    some.afterIterations = 8;
    record(some);
    EXPECT_EQ(output(), "batches: 60\n");
    EXPECT_THAT(m_warnings, IsEmpty());
    const int steps = sum(events(EventKind::Step), "step ");
    EXPECT_GE(steps, 12);
    EXPECT_LE(steps, 40) << "the recorder looks every few milliseconds";
}

TEST_F(PytorchHookTest, StepsOfOptimizersAreIterationsToo)
{
    RecordOptions some = options("optimize.py", {"30"});
    some.iterations = 12;
    some.afterIterations = 8;
    some.pytorch = false;
    auto session = RecordSession::start(some);
    ASSERT_TRUE(session.ok()) << session.error();
    while (session.value()->poll())
        std::this_thread::sleep_for(std::chrono::milliseconds(1));
    EXPECT_EQ(session.value()->iterationsBegun(), 30);
    EXPECT_EQ(session.value()->iterationsRecorded(), 12);
    ASSERT_TRUE(session.value()->finish().ok());
    EXPECT_EQ(output(), "steps: 30\n");
}

TEST_F(PytorchHookTest, WhereNothingIsCountedTheEndSaysWhatToDo)
{
    setenv("FAKE_TORCH_FORM", "holder", 1);  // without the hook for optimizers
    RecordOptions some = options("optimize.py", {"3"});
    some.iterations = 12;
    some.pytorch = false;
    record(some);
    EXPECT_EQ(output(), "steps: 3\n");
    EXPECT_TRUE(m_trace->columns().kind.empty());
    test::expectText(m_warnings);
}

TEST_F(PytorchHookTest, TheFolderIsNamedBeforeWhatWasThere)
{
    const std::string folder = OVERLANE_SOURCE_DIR "/resources/pytorch";
    setenv("PYTHONPATH", "/here:/there", 1);
    auto variable = pytorchHookVariable(folder);
    ASSERT_TRUE(variable.ok()) << variable.error();
    EXPECT_EQ(variable.value(), std::pair(std::string("PYTHONPATH"), folder + ":/here:/there"));
    unsetenv("PYTHONPATH");
    variable = pytorchHookVariable(folder);
    ASSERT_TRUE(variable.ok()) << variable.error();
    EXPECT_EQ(variable.value().second, folder);
    EXPECT_FALSE(pytorchHookVariable("/nowhere").ok());

    const fs::path colon = fs::path(m_folder) / "a:b";
    fs::create_directory(colon);
    fs::copy(folder + "/sitecustomize.py", colon);
    EXPECT_THAT(pytorchHookVariable(colon).error(), HasSubstr("colon"));
}

}  // namespace
}  // namespace overlane
