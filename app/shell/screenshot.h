// Draws a window into a PNG once everything it was asked to show is there. GUI thread.
#pragma once

#include <QString>

namespace overlane
{

class MainWindow;

// Waits for the driver's answer, which detect() must have been called for, and for the document's work,
// then paints. 0, or 1 with one sentence on standard error.
int takeScreenshot(MainWindow& window, const QString& path);

}  // namespace overlane
