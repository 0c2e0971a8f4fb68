// ToolFiles: the files of this copy of Overlane that another machine needs to record, with their hashes.
//
// The command line, the library that records inside programs, the hook for Python, and the libraries that the command
// line has loaded here, glibc's and the driver's aside: a portable copy needs none. Laid out there as an installed copy
// is, so that the program finds its parts. Reads files and runs `sha256sum`; any thread.
#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "core/base/result.h"
#include "core/remote/glibc_need.h"

namespace overlane
{

inline constexpr std::string_view kToolProgram = "bin/overlane";
inline constexpr std::string_view kToolLibraries = "lib/own";

struct ToolFile {
    std::string here;
    std::string there;  // below the tool's folder
    std::int64_t bytes = 0;
    std::string hash;  // SHA-256, 64 letters
};

struct ToolFiles {
    std::vector<ToolFile> files;
    GlibcVersion glibc;   // that the most demanding of them needs
    std::string machine;  // "x86_64", as uname -m says

    // The name of its folder, which is another one for another program.
    std::string folder() const;
    bool hasLibraries() const;
};

// The Error: a part is missing or cannot be read.
Result<ToolFiles> toolFiles();

// SHA-256 of each, in their order.
Result<std::vector<std::string>> hashesOf(std::span<const std::string> paths);

}  // namespace overlane
