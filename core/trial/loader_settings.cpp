#include "core/trial/loader_settings.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

namespace overlane
{
namespace
{

const char* truth(bool value)
{
    return value ? "True" : "False";
}

}  // namespace

std::vector<std::string> changedArguments(const LoaderSettings& from, const LoaderSettings& to)
{
    std::vector<std::string> arguments;
    if (to.workers != from.workers)
        arguments.push_back(fmt::format("num_workers={}", to.workers));
    if (to.pinMemory != from.pinMemory)
        arguments.push_back(fmt::format("pin_memory={}", truth(to.pinMemory)));
    if (to.workers > 0 && to.prefetchFactor != from.prefetchFactor)
        arguments.push_back(fmt::format("prefetch_factor={}", to.prefetchFactor));
    if (to.workers > 0 && to.persistentWorkers != from.persistentWorkers)
        arguments.push_back(fmt::format("persistent_workers={}", truth(to.persistentWorkers)));
    return arguments;
}

std::string changeOfSettings(const LoaderSettings& from, const LoaderSettings& to)
{
    std::vector<std::string> words = changedArguments(from, to);
    if (to.nonBlocking != from.nonBlocking)
        words.push_back(fmt::format("non_blocking={}", truth(to.nonBlocking)));
    return words.empty() ? "as it is" : fmt::format("{}", fmt::join(words, ", "));
}

int countChanges(const LoaderSettings& from, const LoaderSettings& to)
{
    return static_cast<int>(changedArguments(from, to).size()) + (to.nonBlocking != from.nonBlocking ? 1 : 0);
}

}  // namespace overlane
