// TimeBar: where the time of a verdict goes, as one bar: kernels, then each loss in the colour of its
// cause, named where there is room for it or, where it is asked for, in a line below; the tool tip has
// all of them in figures.
//
// Lives on the GUI thread. Nanoseconds.
#pragma once

#include <cstdint>
#include <optional>
#include <vector>

#include <QColor>
#include <QWidget>

#include "core/analysis/lost_time.h"
#include "core/analysis/verdict.h"

namespace overlane
{

// One part of the bar. They add up to the whole.
struct TimePart {
    QString name;
    std::int64_t timeNs = 0;
    std::optional<LostCause> cause;  // none: kernels, or what is not counted as lost
    bool kernels = false;
};

// Of the verdict's range, kernels first, then the losses, largest first, then the rest. Empty where the
// kernels are not known or nothing was judged.
std::vector<TimePart> timeParts(const Verdict& verdict, const Summary& summary);

class TimeBar : public QWidget
{
    Q_OBJECT

public:
    explicit TimeBar(QWidget* parent = nullptr);

    // `stepNs`: of the average step that the parts are told of; 0 for the range as it is.
    void setParts(std::vector<TimePart> parts, std::int64_t stepNs);
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
