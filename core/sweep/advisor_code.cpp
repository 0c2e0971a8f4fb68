// The Python that an advice gives to paste.
#include <algorithm>
#include <fmt/format.h>

#include "core/sweep/advisor_text.h"

namespace overlane
{
namespace
{

std::string loaderCode(const Scenario& scenario)
{
    std::string code = fmt::format("loader = DataLoader(\n    dataset,\n    batch_size={},\n    num_workers={},\n",
                                   scenario.samples, scenario.workers);
    if (scenario.workers > 0)
        code += fmt::format("    prefetch_factor={},\n    persistent_workers=True,\n", scenario.prefetchFactor);
    code += scenario.pin == PinStrategy::None ? "    pin_memory=False,  # True for steps of many short kernels\n)\n"
                                              : "    pin_memory=True,\n)\n";
    return code;
}

constexpr std::string_view kMove = R"(
def to_device(batch, device):
    return [tensor.to(device, non_blocking={}) for tensor in batch]

for batch in loader:
    batch = to_device(batch, "cuda")
    train_step(batch)
)";

// `depth` batches are on their way while another is computed with.
constexpr std::string_view kSideStream = R"(
def on_device(loader, device="cuda", depth={}):
    side = torch.cuda.Stream(device)
    ready = collections.deque()
    for batch in loader:
        with torch.cuda.stream(side):
            ready.append([tensor.to(device, non_blocking={}) for tensor in batch])
            copied = side.record_event()
        ready[-1].append(copied)
        if len(ready) == depth:
            yield hand_over(ready.popleft())
    while ready:
        yield hand_over(ready.popleft())

def hand_over(entry):
    *batch, copied = entry
    compute = torch.cuda.current_stream()
    compute.wait_event(copied)           # kernels wait for this batch only
    for tensor in batch:
        tensor.record_stream(compute)    # its memory is not reused before they end
    return batch

for batch in on_device(loader):
    train_step(batch)
)";

}  // namespace

std::string pastedCode(const Scenario& scenario)
{
    const bool side = scenario.copyStream == CopyStream::Side;
    const char* nonBlocking = scenario.nonBlocking ? "True" : "False";
    std::string code = side ? "import collections\n\nimport torch\n" : "";
    code += "from torch.utils.data import DataLoader\n\n" + loaderCode(scenario);
    code += side ? fmt::format(fmt::runtime(kSideStream), std::max<std::int64_t>(1, scenario.deviceBuffers - 1),
                               nonBlocking)
                 : fmt::format(fmt::runtime(kMove), nonBlocking);
    return code;
}

}  // namespace overlane
