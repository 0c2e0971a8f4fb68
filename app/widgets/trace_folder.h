// inTraceFolder(): the name that is suggested for a file made from the trace shown, in the folder of that trace.
//
// A window tells which trace it shows by QWidget::windowFilePath(), so that widgets need not know of traces. GUI
// thread.
#pragma once

#include <QDir>
#include <QFileInfo>
#include <QWidget>

namespace overlane
{

// The name alone where no window around the widget shows a file.
inline QString inTraceFolder(const QWidget* widget, const QString& name)
{
    for (; widget != nullptr; widget = widget->parentWidget())
        if (!widget->windowFilePath().isEmpty())
            return QFileInfo(widget->windowFilePath()).dir().filePath(name);
    return name;
}

}  // namespace overlane
