// The files that a program's sheet makes, each where an installation has it below share: pages of man(1) and the
// completion scripts of bash, zsh and fish.
//
// Any thread.
#pragma once

#include <string>
#include <vector>

#include "core/base/result.h"
#include "core/manual/program_sheet.h"

namespace overlane
{

struct ManualFile {
    std::string path;  // "man/man1/overlane.1"
    std::string text;
};
std::vector<ManualFile> manualFiles(const ProgramSheet& program);
// Below a folder, which is made. The Error names the file that could not be written.
Result<void> writeManual(const ProgramSheet& program, const std::string& folder);

}  // namespace overlane
