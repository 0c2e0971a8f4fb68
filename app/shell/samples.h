// Samples: the recordings that come with Overlane (resources/samples), as the File menu lists them.
//
// Looked for beside the program, in ../share/overlane/samples, and, in a build folder, in
// ../../share/overlane/samples; those that are not there are left out. Any thread.
#pragma once

#include <vector>

#include <QString>

namespace overlane
{

struct Sample {
    QString title;
    QString meaning;  // what can be seen in it, for the status bar
    QString path;
};

std::vector<Sample> samples();
// Those of one folder.
std::vector<Sample> samplesIn(const QString& folder);
// Whether a file is one of them, which nobody means to change.
bool isSample(const QString& path);

}  // namespace overlane
