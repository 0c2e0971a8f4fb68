// DurationFilter: how long an event must last to be listed, chosen from a few lengths.
//
// Lives on the GUI thread. Nanoseconds.
#pragma once

#include <array>
#include <cstdint>

#include <QComboBox>

#include "app/widgets/text.h"

namespace overlane
{

class DurationFilter : public QComboBox
{
public:
    explicit DurationFilter(const QString& objectName, QWidget* parent = nullptr) : QComboBox(parent)
    {
        constexpr std::array kLeastNs{std::int64_t{0}, 10 * kNsPerUs, 100 * kNsPerUs,
                                      kNsPerMs,        10 * kNsPerMs, 100 * kNsPerMs};
        setObjectName(objectName);
        setAccessibleName(u"Least duration of an event"_s);
        for (const std::int64_t ns : kLeastNs)
            addItem(ns == 0 ? u"Any duration"_s : u"\u2265 %1"_s.arg(durationText(ns)), static_cast<qlonglong>(ns));
    }

    std::int64_t leastNs() const { return currentData().toLongLong(); }
};

}  // namespace overlane
