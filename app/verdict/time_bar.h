// TimeBar: where the time of a device goes (core/judgement/time_parts.h) as one bar, each part in its color, named
// where there is room for it or, where it is asked for, in a line below; the tool tip has all of them in figures.
//
// Lives on the GUI thread. Nanoseconds.
#pragma once

#include <cstdint>
#include <vector>

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
    // With a line below for the parts that have no room for their name.
    void setNamed(bool named);

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
    };
    std::vector<Label> labels(const QFontMetrics& metrics) const;
    QString shareOf(const TimePart& part) const;
    void paintNames(QPainter& painter, const std::vector<Label>& labels) const;

    std::vector<TimePart> m_parts;
    std::int64_t m_wholeNs = 0;
    bool m_named = false;
};

}  // namespace overlane
