#include "app/session/laboratory_rules.h"

#include <algorithm>
#include <array>

#include <QObject>

#include "app/widgets/text.h"

namespace overlane
{

namespace
{

struct Rule {
    std::string_view key;
    bool (*idle)(const Scenario&, const DeviceProfile&);
    const char* why;
};

bool usesBlocks(const Scenario& scenario)
{
    return scenario.pin == PinStrategy::Thread || scenario.pin == PinStrategy::Consumer;
}

bool takesNoTime(const Scenario& scenario)
{
    return scenario.produceUs == 0 && scenario.readUs == 0 && scenario.transformUs == 0;
}

constexpr const char* kOneNode = "The machine of this device has one NUMA node.";
constexpr const char* kNoWorkers = "No effect: there are no workers.";

// Where several rules name a key, the first that holds is told.
const std::array kRules = {
    Rule{"prefetch_factor", [](const Scenario& s, const DeviceProfile&) { return s.workers == 0; },
         "No effect: without workers nothing is prefetched."},
    Rule{"samples", [](const Scenario& s, const DeviceProfile&) { return s.readUs == 0 && s.transformUs == 0; },
         "No effect: neither reading nor transforming a sample takes time."},
    Rule{"produce_spread", [](const Scenario& s, const DeviceProfile&) { return takesNoTime(s); },
         "No effect: producing a batch takes no time."},
    Rule{"seed",
         [](const Scenario& s, const DeviceProfile& d) {
             return d.threadSpread == 0 && (takesNoTime(s) || s.produceSpread == 0);
         },
         "No effect: every batch takes the same time to produce."},
    Rule{"allocator", [](const Scenario& s, const DeviceProfile&) { return !usesBlocks(s); },
         "No effect: only the pin thread and pin_memory() in the training thread allocate pinned blocks per batch."},
    Rule{"compute_us", [](const Scenario& s, const DeviceProfile&) { return s.computeFlops > 0; },
         "No effect: the compute work above 0 says how long the kernel takes."},
    Rule{"compute_flops", [](const Scenario& s, const DeviceProfile&) { return s.kernel != KernelKind::Gemm; },
         "Only the kernel gemm has a rate at which it works."},
    Rule{"kernel", [](const Scenario& s, const DeviceProfile&) { return s.computeFlops > 0; },
         "The compute work needs the kernel gemm; set it to 0 to choose another."},
    Rule{"kernel", [](const Scenario& s, const DeviceProfile&) { return s.computeUs == 0 && s.computeFlops == 0; },
         "No effect: there are no kernels."},
    Rule{"read_result_early", [](const Scenario& s, const DeviceProfile&) { return s.resultBytes == 0; },
         "No effect: there is no result to read."},
    // A node left over from another machine must stay within reach.
    Rule{"worker_node", [](const Scenario& s, const DeviceProfile& d) { return d.numaNodes == 1 && s.workerNode == 0; },
         kOneNode},
    Rule{"worker_node",
         [](const Scenario& s, const DeviceProfile& d) { return s.workers == 0 && s.workerNode < d.numaNodes; },
         kNoWorkers},
    Rule{"main_node", [](const Scenario& s, const DeviceProfile& d) { return d.numaNodes == 1 && s.mainNode == 0; },
         kOneNode},
    Rule{"gpu_node", [](const Scenario& s, const DeviceProfile& d) { return d.numaNodes == 1 && s.gpuNode == 0; },
         kOneNode},
};

constexpr const char* kOwnMachine =
    "The GPU of this machine runs with the machine as it is; this is for simulated ones.";
constexpr std::array<std::string_view, 5> kMachineKeys = {"ram_bytes", "swap_bytes", "other_bytes", "cores",
                                                          "gpu_node"};

}  // namespace

QString whyNoEffect(const Scenario& scenario, const DeviceProfile& device, std::string_view key)
{
    for (const Rule& rule : kRules)
        if (rule.key == key && rule.idle(scenario, device))
            return text(rule.why);
    return {};
}

QString whyNoEffectOnGpu(const Scenario& scenario, std::string_view key)
{
    if (std::find(kMachineKeys.begin(), kMachineKeys.end(), key) != kMachineKeys.end())
        return text(kOwnMachine);
    // Left over from a simulation it has to be taken back before the GPU runs.
    if (key == "run_ahead" && scenario.runAhead == 0)
        return u"How far the host runs ahead is up to the driver on a real GPU."_s;
    if (key == "file_bytes" && scenario.files == Files::Timed)
        return u"No effect: the time above stands for reading; no file is read."_s;
    // Of the profile's machine, which is another one.
    DeviceProfile anyMachine;
    anyMachine.numaNodes = 8;
    return whyNoEffect(scenario, anyMachine, key);
}

}  // namespace overlane
