// RecordArguments: the command line of `overlane record`.
//
// Plain data; standardName() looks at the clock.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "core/recorder/record_session.h"

namespace overlane
{

struct RecordArguments {
    std::vector<std::string> command;
    std::string output;
    std::string directory;
    std::uint64_t maxBytes = 0;
    std::string kinds = "default";
    std::string recover;
    double durationSeconds = 0;
    double delaySeconds = 0;
    int iterations = 0;
    int afterIterations = -1;  // the usual number
    bool overwrite = false;
    bool noGauges = false;
    bool pytorch = false;
    double stackPeriodMs = kStacksUs / 1000.0;
    bool noStacks = false;
    bool light = false;
    std::string title;
    int gaugesOf = 0;
    int nameTo = -1;
    // On another machine (core/cli/record_there.h).
    std::string host;
    std::string hostFolder;
    std::string launcher;
    std::string fetch;
    bool keep = false;
    bool noCache = false;
    // Given by a window, which reads HostNews; the program's output goes to a file.
    bool progressJson = false;
    std::string outputTo;
    std::string sentVariables;  // names with commas; the value of NAME is in the variable kSentPrefix + NAME
    // Given by the other side of such a recording.
    std::string statusTo;
    std::string shownIn;
    bool signalsShared = false;
};

// What a recording is called where no name was given, without its ending: "train-20261127-081500".
std::string standardName(const std::string& program);

}  // namespace overlane
