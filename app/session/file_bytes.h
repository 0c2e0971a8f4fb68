// The bytes by which the system knows a file that the window names by a QString. Pure; any thread.
//
// A name need not be UTF-8, and Qt then shows U+FFFD for what it cannot read, in arguments, dialogs and dropped
// files alike, so that the name alone no longer leads to the file.
#pragma once

#include <string>

#include <QString>

namespace overlane
{

// UTF-8 where the name is; else the one file or folder whose name reads like this. Where several do, or none,
// the UTF-8 of what is shown: no such file is there, and that is what opening it says.
std::string fileBytes(const QString& path);

}  // namespace overlane
