// The first line of --version: program, version, commit of the sources, compiler. Pure, any thread.
#pragma once

#include <string>
#include <string_view>

namespace overlane
{

// "overlane 0.1.0 (1a2b3c4d, GCC 12.2.0)"; without a commit it is left out.
inline std::string builtWith(std::string_view program, std::string_view version, std::string_view commit)
{
#if defined(__clang__)
    const std::string compiler = "Clang " __clang_version__;
#else
    const std::string compiler = "GCC " __VERSION__;
#endif
    std::string text;
    text.append(program).append(" ").append(version).append(" (");
    if (!commit.empty())
        text.append(commit).append(", ");
    return text.append(compiler).append(")");
}

}  // namespace overlane
