// A picture as a PNG file, written whole or not at all. GUI thread.
#pragma once

#include <QPixmap>
#include <QString>

#include "core/base/result.h"

namespace overlane
{

// The Error is one sentence that names the file.
Result<void> writePicture(const QPixmap& picture, const QString& path);

}  // namespace overlane
