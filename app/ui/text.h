// Texts of the core as Qt takes them (UTF-8 either way), and times in the shape cells show them.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>

#include <QString>

#include "core/base/units.h"

namespace overlane
{

inline QString text(std::string_view view)
{
    return QString::fromUtf8(view.data(), static_cast<qsizetype>(view.size()));
}
inline QString durationText(std::int64_t ns)
{
    return text(formatDuration(ns));
}

}  // namespace overlane
