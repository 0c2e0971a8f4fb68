// RemoteMachine: what another machine says of itself before anything is sent to it, and whether a copy of Overlane
// would run there.
//
// Plain data, parsed from the answer of one script; pure functions, any thread.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

#include "core/base/result.h"
#include "core/remote/glibc_need.h"
#include "core/remote/tool_files.h"

namespace overlane
{

struct RemoteMachine {
    std::string system;   // "Linux", as uname -s says
    std::string machine;  // "x86_64", as uname -m says
    std::optional<GlibcVersion> glibc;
    std::string folder;           // for the tool and for recordings; absolute
    std::int64_t freeBytes = -1;  // on its disk; -1: not known
    std::string missing;          // a command that is needed and is not there; empty: none
    std::string folderError;      // why there is no folder; empty where there is one
    // An `overlane` that is installed there: where, and what it says of itself.
    std::string installed;
    std::string installedFacts;
    std::string installedVersion;  // its own words, for people
};

// `folder` is the one that a person named for it; empty: the cache, or the folder for temporary files.
std::string machineScript(std::string_view folder);
RemoteMachine parseMachine(std::string_view answer);

// Nothing where the machine can be used at all; else one sentence.
Result<void> checkMachine(const RemoteMachine& machine, const std::string& host);
// Nothing where this copy runs there; else one sentence.
Result<void> checkCopy(const RemoteMachine& machine, const ToolFiles& tool, const std::string& host,
                       const std::string& version);

// What `overlane there facts` prints, and what an installed copy must print to be used instead of this one.
std::string toolFacts(const std::string& version, bool records);

}  // namespace overlane
