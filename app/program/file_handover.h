// The files of a command line, and how they come to a window that is open already.
//
// GUI thread.
#pragma once

#include <string>
#include <vector>

#include <QStringList>

namespace overlane
{

class MainWindow;

// Absolute.
QStringList pathsOf(const std::vector<std::string>& files);

// Whether a window that is open already has taken the files. One that does not answer is said, and another opens.
bool handedOver(const std::vector<std::string>& files);

// From now on another start of the program may hand its files to this window.
void takeFilesOfOthers(MainWindow& window);

}  // namespace overlane
