// TimeBar: where the time of a device goes (core/judgement/time_parts.h) as one bar, each part in its color, named
// where there is room for it or in a line below; the tool tip has all of them in figures.
//
// Lives on the GUI thread. Nanoseconds.
#pragma once

#include <cstdint>
#include <vector>

#include <QStringList>
#include <QWidget>

#include "core/judgement/time_parts.h"

namespace overlane
{

class TimeBar : public QWidget
{
    Q_OBJECT

public:
    explicit TimeBar(QWidget* parent = nullptr);

    // Of a device of the judgement; nullptr: none.
    void setTime(const Judgement& judgement, const DeviceSummary* device);
    const std::vector<TimePart>& parts() const { return m_parts; }
    // As the parts are named, in the bar or below it, whole or short.
    QStringList names() const;

    QSize sizeHint() const override;
    QSize minimumSizeHint() const override;

protected:
    void paintEvent(QPaintEvent* event) override;

private:
    struct Label {
        const TimePart* part;
        QRect cell;
        QString inside;  // what fits there of the name and the share
        bool named;      // by its whole or its short name
        QString below;   // in the line below; empty where it is named or the line is full
        int belowPx;     // where that begins
    };
    std::vector<Label> labels(const QFontMetrics& metrics) const;
    QString shareOf(const TimePart& part) const;
    QFont smallFont() const;

    std::vector<TimePart> m_parts;
    std::int64_t m_wholeNs = 0;
};

}  // namespace overlane
