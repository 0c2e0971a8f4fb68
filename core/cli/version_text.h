// The version of this program, what it was built with and what is built in.
//
// Any thread.
#pragma once

#include <string>
#include <string_view>

namespace overlane
{

// "overlane 0.1.0", the compiler and the parts in a line each, then the state of this machine's GPU.
std::string versionText();
// "0.1.0 1a2b3c4d": what must be the same of two copies that work together.
std::string versionName();
// The commit of the sources; empty: not said. Set by main() before any command runs.
void setVersionCommit(std::string_view commit);

}  // namespace overlane
