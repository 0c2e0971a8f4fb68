// What the CUDA driver and NVTX call in a program that is recorded.
//
// The CUDA driver loads the library named in CUDA_INJECTION64_PATH at cuInit and calls
// InitializeInjection; NVTX loads the one in NVTX_INJECTION64_PATH at its first call and calls
// InitializeInjectionNvtx2, and InitializeInjectionNvtxExtension for payloads. None may fail, print or throw: the
// program comes first. The collector is made once and never destroyed, since CUPTI may call it until the process is
// gone.
#include <atomic>
#include <cstdlib>
#include <pthread.h>
#include <string>
#include <string_view>

#include "core/spool/cupti_search.h"
#include "core/spool/record_environment.h"
#include "cupti/collector/collector.h"
#include "cupti/collector/nvtx_steps.h"

namespace
{

using overlane::Collector;

std::atomic<Collector*> g_collector{nullptr};
std::atomic<bool> g_attached{false};

const char* environment(const char* name)
{
    const char* value = std::getenv(name);
    return value != nullptr && *value != '\0' ? value : nullptr;
}

overlane::CollectorOptions readOptions(const char* directory)
{
    constexpr long kShortestMs = 50;
    constexpr long kLongestMs = 10'000;
    overlane::CollectorOptions options;
    options.spoolDirectory = directory;
    std::string_view unknown;
    if (const char* kinds = environment(overlane::record_environment::kKinds);
        kinds == nullptr || !overlane::RecordKinds::parse(kinds, options.kinds, unknown))
        options.kinds = overlane::RecordKinds::standard();
    if (const char* period = environment(overlane::record_environment::kFlushPeriod); period != nullptr) {
        const long ms = std::strtol(period, nullptr, 10);
        if (ms >= kShortestMs && ms <= kLongestMs)
            options.flushPeriodNs = std::int64_t{ms} * 1'000'000;
    }
    options.detaches = environment(overlane::record_environment::kDetach) != nullptr;
    return options;
}

void atExit()
{
    if (Collector* collector = g_collector.load())
        collector->finish();
}

void inForkedChild()
{
    if (Collector* collector = g_collector.load())
        collector->forget();
}

}  // namespace

extern "C" __attribute__((visibility("default"))) int InitializeInjection(void)
{
    constexpr int kGoOn = 1;
    const char* directory = environment(overlane::record_environment::kSpoolDirectory);
    if (directory == nullptr || g_attached.exchange(true))
        return kGoOn;
    try {
        auto* collector = new Collector(readOptions(directory));
        g_collector = collector;
        pthread_atfork(nullptr, nullptr, inForkedChild);
        collector->attach();
        std::atexit(atExit);
    } catch (...) {
        return kGoOn;
    }
    return kGoOn;
}

// NVTX's ranges reach the spool through the CUPTI that records everything else, past what counts iterations.
extern "C" __attribute__((visibility("default"))) int InitializeInjectionNvtx2(
    overlane::NvtxExportTables getExportTable)
{
    const char* directory = environment(overlane::record_environment::kSpoolDirectory);
    if (directory == nullptr)
        return 0;
    try {
        const overlane::GpuInventory gpus;
        overlane::CuptiLibrary cupti;
        if (!cupti.load(overlane::cuptiCandidates(overlane::searchHere(gpus.driverMajor()))))
            return 0;
        const auto initialize = reinterpret_cast<overlane::NvtxInitialize>(cupti.symbol("InitializeInjectionNvtx2"));
        return initialize != nullptr
                   ? overlane::watchNvtxSteps(getExportTable, initialize, overlane::RecordControl::open(directory))
                   : 0;
    } catch (...) {
        return 0;
    }
}

// After InitializeInjectionNvtx2, once for each extension that a library uses. CUPTI is not asked: it would keep a copy
// of each payload, for nothing.
extern "C" __attribute__((visibility("default"))) int InitializeInjectionNvtxExtension(
    overlane::NvtxExtensionModule* module)
{
    return overlane::watchNvtxPayloads(module);
}
