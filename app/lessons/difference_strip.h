// DifferenceStrip: above two timelines, how long the same stretch takes in each: two brackets on the time
// axis, and what one saves, shaded.
//
// Lives on the GUI thread; follows the visible range of the first timeline. Nanoseconds.
#pragma once

#include <optional>

#include <QWidget>

#include "app/lessons/lesson_difference.h"

namespace overlane
{

class ViewRange;

class DifferenceStrip : public QWidget
{
    Q_OBJECT

public:
    // The range must outlive the strip.
    explicit DifferenceStrip(ViewRange* view, QWidget* parent = nullptr);

    // Nothing hides it. Names as the timelines are called.
    void setDifference(const std::optional<LessonDifference>& difference, const QString& a, const QString& b);
    void setScale(double scale);
    // How much larger than usual the lanes below are drawn; the brackets lie over their time.
    void setMagnified(double factor);
    QSize sizeHint() const override;
    QSize minimumSizeHint() const override { return sizeHint(); }
    // "B saves 8.4 ms", "B costs 1.2 ms more"; empty unless what is shown differs the way that the runs do.
    QString savingText() const;

protected:
    void paintEvent(QPaintEvent* event) override;

private:
    int rowPx() const;

    ViewRange* m_view;
    std::optional<LessonDifference> m_difference;
    QString m_a;
    QString m_b;
    double m_scale = 1;
    double m_magnified = 1;
};

}  // namespace overlane
