// HostNews: how `overlane record --host --progress-json` tells another process of ours how its recording goes, a line
// of JSON each. What it says to people, above all why it failed, are lines of any other form.
//
// Plain data; pure functions, any thread.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "core/system/child_process.h"

namespace overlane
{

// Before the name of a variable of this machine whose value the program there gets under the name alone.
constexpr const char* kSentPrefix = "OVERLANE_SENT_";

struct HostNews {
    enum class Kind : std::uint8_t {
        Step,     // what goes on before and after the program runs, as `words`, and how far it is
        Started,  // the program runs there; `words` is the folder of its recording
        Status,   // the recorder's one line
        Note,     // a sentence for people
        Ended,    // the traces are here, in `files`; how the program ended, where that was seen
    };
    Kind kind = Kind::Step;
    std::string words;
    double fraction = 0;
    std::vector<std::string> files;
    std::optional<ProgramEnd> end;
};

std::string lineOf(const HostNews& news);
std::optional<HostNews> parseHostNews(std::string_view line);

}  // namespace overlane
