// The files of the code that another process has loaded, opened as that process sees them.
//
// Reads /proc/PID; any thread. Nothing is waited for: only regular files are opened.
#pragma once

#include <cstdint>
#include <string>
#include <sys/types.h>

#include "core/base/descriptor.h"

namespace overlane
{

// Where /proc/PID/NAME leads to, "exe" or "cwd"; empty where the process is gone.
std::string processLink(pid_t process, const char* name);
// The text of /proc/PID/maps, 16 MiB of it at most; empty where the process is gone.
std::string memoryMaps(pid_t process);
// The lines of /proc/PID/maps that are of code: those of data change all the time.
std::string codeLines(const std::string& maps);
// Whether an open file is a regular one, and its size.
bool isRegularFile(int file, std::int64_t& bytes);
// A module as the process itself sees it, which may live in a container or be removed from disk; `executable` is the
// path of its program. None where it cannot be read.
Descriptor openModule(pid_t process, const std::string& path, const std::string& executable, std::int64_t& bytes);

}  // namespace overlane
