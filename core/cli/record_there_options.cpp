#include "core/cli/record_there_options.h"

#include <cstdlib>
#include <filesystem>
#include <fmt/format.h>
#include <sstream>
#include <system_error>
#include <utility>
#include <vector>

#include "core/recorder/host_news.h"
#include "core/remote/shell_words.h"
#include "core/remote/trace_fetch.h"

namespace overlane
{
namespace
{

// A trace there has the ending of one, whatever it is called here.
std::string nameThere(const std::string& name)
{
    return name.empty() || isNameOfTrace(name) ? name
           : isNameOfTrace(name + ".overlane") ? name + ".overlane"
                                               : "recording.overlane";
}

template <typename T>
void addOption(std::vector<std::string>& words, const char* name, const T& value, const T& standard)
{
    if (value != standard)
        words.insert(words.end(), {name, fmt::format("{}", value)});
}

std::vector<std::string> recorderArguments(const RecordArguments& options)
{
    const RecordArguments standard;
    std::vector<std::string> words;
    addOption(words, "--max-size", options.maxBytes, standard.maxBytes);
    addOption(words, "--kinds", options.kinds, standard.kinds);
    addOption(words, "--duration", options.durationSeconds, standard.durationSeconds);
    addOption(words, "--delay", options.delaySeconds, standard.delaySeconds);
    addOption(words, "--iterations", options.iterations, standard.iterations);
    addOption(words, "--after", options.afterIterations, standard.afterIterations);
    addOption(words, "--stack-period", options.stackPeriodMs, standard.stackPeriodMs);
    addOption(words, "--title", options.title, standard.title);
    for (const auto& [isSet, name] : {std::pair{options.noGauges, "--no-gauges"},
                                      {options.pytorch, "--pytorch"},
                                      {options.noStacks, "--no-stacks"},
                                      {options.light, "--light"}})
        if (isSet)
            words.emplace_back(name);
    return words;
}

std::vector<std::pair<std::string, std::string>> sentEnvironment(const RecordArguments& options)
{
    std::vector<std::pair<std::string, std::string>> variables;
    std::istringstream names(options.sentVariables);
    for (std::string name; std::getline(names, name, ',');)
        if (const char* value = std::getenv((kSentPrefix + name).c_str()); value != nullptr)
            variables.emplace_back(name, value);
    return variables;
}

}  // namespace

PlaceHere placeOf(const std::string& output)
{
    std::error_code error;
    if (output.ends_with('/') || (!output.empty() && std::filesystem::is_directory(output, error)))
        return {output.ends_with('/') ? output : output + '/', {}};
    const std::size_t slash = output.rfind('/');
    return slash == std::string::npos ? PlaceHere{{}, output}
                                      : PlaceHere{output.substr(0, slash + 1), output.substr(slash + 1)};
}

RemoteRecordOptions remoteOptions(const RecordArguments& options, const PlaceHere& place,
                                  const std::string& machineFolder)
{
    RemoteRecordOptions remote;
    remote.folder = machineFolder;
    remote.directory = options.directory;
    remote.launcher = wordsOfLine(options.launcher);
    remote.arguments = recorderArguments(options);
    remote.name = nameThere(place.name);
    remote.shownIn = place.folder;
    remote.command = options.command;
    remote.environment = sentEnvironment(options);
    return remote;
}

}  // namespace overlane
