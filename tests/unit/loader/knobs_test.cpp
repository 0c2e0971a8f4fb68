// Each of these settings against the figure that it must move, and by how much.
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <numeric>

#include "core/loader/run.h"
#include "core/loader/settings.h"
#include "tests/support/expect_text.h"

namespace overlane
{
namespace
{

using testing::Each;

Scenario quiet()
{
    Scenario scenario;
    scenario.batches = 8;
    scenario.batchBytes = 64 << 10;  // written in less than the times below
    scenario.samples = 10;
    scenario.tensors = 1;
    scenario.workers = 1;
    scenario.produceUs = 0;
    scenario.produceSpread = 0;
    scenario.computeUs = 100;
    return scenario;
}

Trace traceOf(const Scenario& scenario, const DeviceProfile& device)
{
    auto run = simulate(scenario, device);
    EXPECT_TRUE(run.ok()) << run.error();
    return std::move(run).value().trace;
}

Trace traceOf(const Scenario& scenario)
{
    return traceOf(scenario, *findDeviceProfile("h200"));
}

// Durations in us of the events that begin with a text.
std::vector<double> lengthsUs(const Trace& trace, std::string_view start)
{
    std::vector<double> lengths;
    for (std::size_t at = 0; at < trace.eventCount(); ++at)
        if (trace.name(EventIndex(at)).starts_with(start) && trace.kind(EventIndex(at)) != EventKind::Step)
            lengths.push_back(static_cast<double>(trace.interval(EventIndex(at)).lengthNs()) / 1000);
    return lengths;
}

double sumUs(const Trace& trace, std::string_view start)
{
    const auto lengths = lengthsUs(trace, start);
    return std::accumulate(lengths.begin(), lengths.end(), 0.0);
}

TEST(KnobsTest, ABatchTakesItsOwnTimeAndThatOfItsSamples)
{
    Scenario scenario = quiet();
    scenario.readUs = 20;
    scenario.transformUs = 30;
    scenario.produceUs = 500;
    const Trace both = traceOf(scenario);
    EXPECT_THAT(lengthsUs(both, "read batch"), Each(200));
    EXPECT_THAT(lengthsUs(both, "transform batch"), Each(800));
    EXPECT_THAT(lengthsUs(both, "read batch"), testing::SizeIs(8));
    EXPECT_THAT(lengthsUs(both, "transform batch"), testing::SizeIs(8));
    scenario.samples = 20;
    EXPECT_THAT(lengthsUs(traceOf(scenario), "read batch"), Each(400));
    EXPECT_THAT(lengthsUs(traceOf(scenario), "transform batch"), Each(1100));
}

TEST(KnobsTest, OnePartAloneIsOneEvent)
{
    Scenario scenario = quiet();
    scenario.readUs = 20;
    EXPECT_THAT(lengthsUs(traceOf(scenario), "read batch"), Each(200));
    EXPECT_TRUE(lengthsUs(traceOf(scenario), "transform batch").empty());
    scenario.readUs = 0;
    scenario.transformUs = 30;
    EXPECT_THAT(lengthsUs(traceOf(scenario), "batch 3"), testing::Contains(300));
    EXPECT_TRUE(lengthsUs(traceOf(scenario), "read batch").empty());
}

TEST(KnobsTest, TheSpreadMovesBothPartsOfABatchAlike)
{
    Scenario scenario = quiet();
    scenario.readUs = 20;
    scenario.transformUs = 60;
    scenario.produceSpread = 0.3;
    const Trace trace = traceOf(scenario);
    const auto reads = lengthsUs(trace, "read batch");
    const auto transforms = lengthsUs(trace, "transform batch");
    ASSERT_EQ(reads.size(), transforms.size());
    EXPECT_GT(*std::max_element(reads.begin(), reads.end()), 1.2 * *std::min_element(reads.begin(), reads.end()));
    for (std::size_t at = 0; at < reads.size(); ++at)
        EXPECT_NEAR(transforms[at] / reads[at], 3, 0.01);
}

TEST(KnobsTest, FilesThatLeftThePageCacheAreReadInTheReadPart)
{
    Scenario scenario = quiet();
    scenario.readUs = 20;
    scenario.transformUs = 30;
    scenario.batchBytes = 256 << 20;
    const Trace warm = traceOf(scenario);
    scenario.ramBytes = 6ll << 30;
    const Trace shortOfMemory = traceOf(scenario);
    EXPECT_GT(sumUs(shortOfMemory, "read batch"), sumUs(warm, "read batch") + 1000);
    EXPECT_NEAR(sumUs(shortOfMemory, "transform batch"), sumUs(warm, "transform batch"),
                0.01 * sumUs(warm, "transform batch"));
}

TEST(KnobsTest, FilesAreReadBesideTheTimedPart)
{
    Scenario scenario = quiet();
    scenario.workers = 1;
    scenario.readUs = 20;
    scenario.transformUs = 30;
    scenario.fileBytes = 64 << 20;
    const DeviceProfile& device = *findDeviceProfile("h200");
    const double timedUs = lengthsUs(traceOf(scenario), "read batch").front();
    const double copiedUs = static_cast<double>(scenario.fileBytes) * 1e6 / device.hostMemcpyBytesPerSecond;
    const double driveUs = static_cast<double>(scenario.fileBytes) * 1e6 / device.storageBytesPerSecond;
    scenario.files = Files::Cached;
    EXPECT_THAT(lengthsUs(traceOf(scenario), "read batch"), Each(testing::DoubleNear(timedUs + copiedUs, 1)));
    EXPECT_THAT(lengthsUs(traceOf(scenario), "transform batch"), Each(300));
    scenario.files = Files::Drive;
    EXPECT_THAT(lengthsUs(traceOf(scenario), "read batch"), Each(testing::DoubleNear(timedUs + copiedUs + driveUs, 1)));
}

TEST(KnobsTest, AFourthOfABatchIsReadWhereNothingIsSaid)
{
    Scenario scenario = quiet();
    scenario.files = Files::Drive;
    const Trace implied = traceOf(scenario);
    scenario.fileBytes = scenario.batchBytes / 4;
    EXPECT_EQ(lengthsUs(implied, "read batch"), lengthsUs(traceOf(scenario), "read batch"));
}

TEST(KnobsTest, WorkersShareOneDrive)
{
    Scenario scenario = quiet();
    scenario.files = Files::Drive;
    scenario.fileBytes = 64 << 20;
    scenario.workers = 4;
    const double driveUs =
        static_cast<double>(scenario.fileBytes) * 1e6 / findDeviceProfile("h200")->storageBytesPerSecond;
    const auto lengths = lengthsUs(traceOf(scenario), "read batch");
    EXPECT_GT(*std::max_element(lengths.begin(), lengths.end()), 3.5 * driveUs);
}

TEST(KnobsTest, FlopsBecomeTimeAtTheSustainedRate)
{
    Scenario scenario = quiet();
    scenario.computeFlops = 1e12;
    for (const DeviceProfile& device : allDeviceProfiles()) {
        const double expectedUs = 1e18 / (device.peakFlopsPerSecond * device.sustainedFlopsShare);
        EXPECT_THAT(lengthsUs(traceOf(scenario, device), "gemm_kernel"), Each(testing::DoubleNear(expectedUs, 0.01)))
            << device.key;
    }
    scenario.computeFlops = 0;
    EXPECT_THAT(lengthsUs(traceOf(scenario), "gemm_kernel"), Each(100));
}

TEST(KnobsTest, TheHostRunsAheadAsFarAsItMay)
{
    Scenario scenario = quiet();
    scenario.pin = PinStrategy::Ring;
    scenario.nonBlocking = true;
    scenario.workers = 0;
    scenario.deviceBuffers = 8;
    scenario.computeUs = 5000;
    // When the last kernel is launched: soon where nothing limits the host, late where something does.
    const auto lastLaunchNs = [&](std::int64_t runAhead) {
        scenario.runAhead = runAhead;
        const Trace trace = traceOf(scenario);
        std::int64_t last = 0;
        for (std::size_t at = 0; at < trace.eventCount(); ++at)
            if (trace.name(EventIndex(at)) == "cudaLaunchKernel")
                last = std::max(last, trace.interval(EventIndex(at)).endNs);
        return last;
    };
    EXPECT_LT(lastLaunchNs(0), 1'000'000);
    EXPECT_LT(lastLaunchNs(100), 1'000'000);
    EXPECT_GT(lastLaunchNs(8), 20'000'000);
    EXPECT_GT(lastLaunchNs(1), lastLaunchNs(8));
}

TEST(KnobsTest, WorkersShareTheCores)
{
    Scenario scenario = quiet();
    scenario.batches = 32;
    scenario.pin = PinStrategy::Ring;
    scenario.nonBlocking = true;
    scenario.workers = 8;
    scenario.transformUs = 100;
    scenario.computeUs = 1;
    EXPECT_THAT(lengthsUs(traceOf(scenario), "batch"), testing::Contains(1000));
    scenario.cores = 2;
    const Trace crowded = traceOf(scenario);
    EXPECT_NEAR(lengthsUs(crowded, "batch 7").at(0), 4000, 100);
    // Work is slowed, not lost: two cores do 32 ms of work in 16 ms.
    EXPECT_NEAR(static_cast<double>(crowded.span().endNs), 16e6, 0.5e6);
}

TEST(KnobsTest, ABatchTakesAWorkerAtLeastAsLongAsWritingIt)
{
    const DeviceProfile& device = *findDeviceProfile("h200");
    Scenario scenario = quiet();
    scenario.batchBytes = 64 << 20;
    scenario.produceUs = 1000;
    const double sharedUs = static_cast<double>(device.sharedTouchCost.costNs(scenario.batchBytes)) / 1000;
    EXPECT_THAT(lengthsUs(traceOf(scenario), "batch"), Each(testing::DoubleNear(sharedUs, 0.1 * sharedUs)));
    EXPECT_GT(sumUs(traceOf(scenario), "free memory"), 1000);
    scenario.produceUs = 2 * sharedUs;
    EXPECT_THAT(lengthsUs(traceOf(scenario), "batch"), Each(testing::DoubleNear(2 * sharedUs, 0.1 * sharedUs)));
}

TEST(KnobsTest, WhoReusesMemoryTouchesItForTheFirstTimeOnlyOnce)
{
    Scenario scenario = quiet();
    scenario.workers = 0;  // the training process, whose malloc keeps blocks of this size
    scenario.batchBytes = 8 << 20;
    scenario.produceUs = 10;
    const auto lengths = lengthsUs(traceOf(scenario), "batch");
    EXPECT_GT(lengths.front(), 3 * lengths.back());
    scenario.batchBytes = 64 << 20;  // and gives back of this one
    const auto large = lengthsUs(traceOf(scenario), "batch");
    EXPECT_NEAR(large.front(), large.back(), 0.01 * large.front());
}

TEST(KnobsTest, WorkersThatFillMemoryShareItsBandwidth)
{
    DeviceProfile device = *findDeviceProfile("h200");
    Scenario scenario = quiet();
    scenario.batchBytes = 10'000'000;
    scenario.produceUs = 1;
    const auto longest = [&](std::int64_t workers) {
        scenario.workers = workers;
        const auto lengths = lengthsUs(traceOf(scenario, device), "batch");
        return *std::max_element(lengths.begin(), lengths.end());
    };
    const double aloneUs = longest(1);
    EXPECT_GT(longest(8), 1.02 * aloneUs);
    device.freshPagesBytesPerSecond /= 4;
    EXPECT_GT(longest(8), 1.5 * aloneUs);
    EXPECT_NEAR(longest(1), aloneUs, 0.1 * aloneUs);
}

TEST(KnobsTest, EachNodeSlowsWhatItShould)
{
    const DeviceProfile& device = *findDeviceProfile("a100_pcie4");
    Scenario scenario = quiet();
    scenario.batchBytes = 64 << 20;
    scenario.pin = PinStrategy::Thread;
    scenario.nonBlocking = true;
    scenario.transformUs = 1000;
    const auto pinUs = [](const Trace& trace) {
        double longest = 0;
        for (const Track& track : trace.tracks())
            for (std::uint32_t at = track.events.first; track.name == "pin thread" && at < track.events.last; ++at)
                if (trace.kind(EventIndex(at)) == EventKind::Loader)
                    longest = std::max(longest, static_cast<double>(trace.interval(EventIndex(at)).lengthNs()) / 1000);
        return longest;
    };
    const Trace local = traceOf(scenario, device);
    const double localPinUs = pinUs(local);
    const double localCopyUs = sumUs(local, "Memcpy HtoD");
    const double extra = 0.5 * (1 / device.remoteMemoryRatio - 1);

    scenario.workerNode = 1;  // the pin thread reads from the other node
    const Trace farWorkers = traceOf(scenario, device);
    EXPECT_NEAR(pinUs(farWorkers), localPinUs * (1 + extra), 0.02 * localPinUs);
    EXPECT_NEAR(sumUs(farWorkers, "Memcpy HtoD"), localCopyUs, 1);

    scenario.workerNode = 0;
    scenario.gpuNode = 1;  // the copies cross the link between the sockets
    const Trace farGpu = traceOf(scenario, device);
    EXPECT_NEAR(pinUs(farGpu), localPinUs, 1);
    EXPECT_NEAR(sumUs(farGpu, "Memcpy HtoD"), localCopyUs / device.remoteDmaRatio, 30);

    scenario.mainNode = 1;  // pinned memory beside the GPU, so that only the pin thread crosses
    const Trace farSource = traceOf(scenario, device);
    EXPECT_NEAR(pinUs(farSource), localPinUs * (1 + extra), 0.02 * localPinUs);
    EXPECT_NEAR(sumUs(farSource, "Memcpy HtoD"), localCopyUs, 1);

    scenario.pin = PinStrategy::None;  // pageable: the driver's memcpy reads the far memory
    const double farStagingUs = sumUs(traceOf(scenario, device), "staging");
    scenario.workerNode = 1;
    EXPECT_GT(farStagingUs, 1.3 * sumUs(traceOf(scenario, device), "staging"));
}

TEST(KnobsTest, TracksAreNamedAndOrderedAsDataFlows)
{
    Scenario scenario = quiet();
    scenario.workers = 2;
    scenario.pin = PinStrategy::Thread;
    scenario.nonBlocking = true;
    scenario.copyStream = CopyStream::Side;
    scenario.resultBytes = 1 << 10;
    const Trace trace = traceOf(scenario);
    std::vector<std::string> names;
    for (const TrackId root : trace.roots()) {
        for (const TrackId child : trace.track(root).children) {
            if (trace.track(child).kind == TrackKind::Counter && trace.track(root).kind != TrackKind::Process)
                continue;
            names.push_back(trace.track(child).name);
            for (const TrackId stream : trace.track(child).children)
                names.push_back("  " + trace.track(stream).name);
        }
    }
    test::expectText(names);
}

}  // namespace
}  // namespace overlane
