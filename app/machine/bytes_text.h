// A size in the shape that the machine's pages show it. Pure; any thread.
#pragma once

#include <cstdint>

#include <QString>

#include "core/base/units.h"

namespace overlane
{

inline QString bytesText(std::int64_t bytes)
{
    return QString::fromStdString(formatBytes(bytes));
}

}  // namespace overlane
