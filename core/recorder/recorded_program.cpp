#include "core/recorder/recorded_program.h"

#include <algorithm>
#include <array>
#include <cstdlib>
#include <fmt/format.h>
#include <fmt/ranges.h>
#include <unistd.h>

#include "core/recorder/pytorch_hook.h"
#include "core/spool/record_environment.h"
#include "core/system/gpu_support.h"
#include "core/system/usable_processors.h"
#include "core/trace/rank_properties.h"
#include "core/trace/trace_origin.h"

namespace overlane
{
namespace
{

namespace environment = record_environment;

// The rank that a launcher gave the recorder, and with it the program, unless the program gets another.
void addRankOf(const ProgramStart& program, std::map<std::string, std::string>& properties)
{
    addRankProperties(properties, [&](const char* name) {
        const auto own = std::find_if(program.environment.rbegin(), program.environment.rend(),
                                      [&](const auto& variable) { return variable.first == name; });
        if (own != program.environment.rend())
            return own->second;
        const char* value = std::getenv(name);
        return std::string(value != nullptr ? value : "");
    });
    std::array<char, 256> host{};
    if (properties.contains(kRankProperty) && ::gethostname(host.data(), host.size() - 1) == 0)
        properties[kHostProperty] = host.data();
}

}  // namespace

Result<std::string> recordingLibrary(const std::string& asked)
{
    const std::string library = asked.empty() ? companionPath(environment::kInjectLibrary).string() : asked;
    if (library.empty())
        return Error{
            fmt::format("This copy of Overlane cannot record: {} is not next to it. Build it where the CUDA "
                        "toolkit is installed.",
                        environment::kInjectLibrary)};
    if (const char* other = std::getenv(environment::kCudaInjection); other != nullptr && *other != '\0')
        return Error{fmt::format("{} is set to {}: another profiler would be replaced. Unset it to record.",
                                 environment::kCudaInjection, other)};
    return library;
}

Result<void> addPythonHook(ProgramStart& program, const PythonHook& hook)
{
    if (!hook.looksAtLoader && hook.stacksUs <= 0)
        return {};
    auto variable = pytorchHookVariable(hook.folder);
    if (!variable.ok())
        return hook.isNeeded ? Result<void>(variable.failure()) : Result<void>();
    program.environment.push_back(std::move(variable).value());
    program.environment.emplace_back(environment::kLoader, hook.looksAtLoader ? "1" : "0");
    if (hook.stacksUs > 0)
        program.environment.emplace_back(environment::kPythonStacks, std::to_string(hook.stacksUs));
    return {};
}

void addRecordingVariables(ProgramStart& program, const std::string& library, const std::string& folder,
                           const RecordKinds& kinds)
{
    program.environment.insert(program.environment.end(), {{environment::kCudaInjection, library},
                                                           {environment::kNvtxInjection, library},
                                                           {environment::kSpoolDirectory, folder},
                                                           {environment::kKinds, kinds.text()}});
}

std::string noIterationText(std::string_view otherwise)
{
    return fmt::format(
        "No iteration was counted, so nothing is recorded. PyTorch's DataLoader gave no batch, torch.optim made no "
        "step, and no NVTX range marks one. {}, name NVTX ranges \"step N\", or give the trainer overlane.callbacks.",
        otherwise);
}

void describeRecording(TraceMetadata& metadata, const ProgramStart& program, const RecordKinds& kinds)
{
    metadata.title = fmt::format("{}", fmt::join(program.command, " "));
    metadata.format = rowOf(TraceOrigin::Recorded).id;
    metadata.properties[kRecordedKinds] = kinds.text();
    metadata.properties[kUsableProcessors] = std::to_string(usableProcessors());
    addRankOf(program, metadata.properties);
}

}  // namespace overlane
