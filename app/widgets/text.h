// Texts of the core as Qt takes them (UTF-8 either way), and times in the shape cells show them.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>

#include <QString>

#include "core/base/units.h"

namespace overlane
{

// u"words"_s: words of the window, which are English only.
using Qt::Literals::StringLiterals::operator""_s;

inline QString text(std::string_view view)
{
    return QString::fromUtf8(view.data(), static_cast<qsizetype>(view.size()));
}
inline QString durationText(std::int64_t ns)
{
    return text(formatDuration(ns));
}
// At most so many characters, with an ellipsis nearer to the end: names differ there.
inline QString elidedInTheMiddle(const QString& text, qsizetype most)
{
    if (text.size() <= most)
        return text;
    const qsizetype head = (most - 1) * 2 / 3;
    return text.left(head) + QChar(0x2026) + text.right(most - 1 - head);
}

}  // namespace overlane
