// RulerMark: a step that stands out, as the ruler shows it. Nanoseconds; a value.
#pragma once

#include <cstdint>

#include <QString>

#include "core/base/interval.h"

namespace overlane
{

struct RulerMark {
    enum class Kind : std::uint8_t { Outlier, WarmUp };

    Interval interval;
    Kind kind = Kind::Outlier;
    QString tip;  // plain text
};

}  // namespace overlane
