// ViewRange: the one owner of the visible range of time. Everybody else asks it and listens to it.
//
// Lives on the GUI thread. Times in nanoseconds, half-open. The range always lies within the limits
// and is never shorter than kMinimumNs, except where the limits are. Keeps a history of ranges:
// steps that follow each other within a gesture (wheel, held keys) count as one.
#pragma once

#include <cstdint>
#include <vector>

#include <QElapsedTimer>
#include <QObject>

#include "core/base/interval.h"

namespace overlane
{

class ViewRange : public QObject
{
    Q_OBJECT

public:
    static constexpr std::int64_t kMinimumNs = 100;

    explicit ViewRange(QObject* parent = nullptr);

    Interval limits() const { return m_limits; }
    Interval range() const { return m_range; }

    // The range is kept where it fits; where the whole was visible before, the whole stays visible.
    void setLimits(Interval limits);
    // One step of the history; clamped to the limits.
    void setRange(Interval range);
    // factor > 1 shows less time; `anchorNs` stays where it is on the screen.
    void zoomBy(double factor, std::int64_t anchorNs);
    void panBy(std::int64_t deltaNs);
    void fitAll();

    bool canGoBack() const { return !m_back.empty(); }
    bool canGoForward() const { return !m_forward.empty(); }
    void back();
    void forward();

signals:
    void rangeChanged(overlane::Interval range);
    void limitsChanged(overlane::Interval limits);

private:
    Interval clamped(Interval range) const;
    void move(Interval range, bool gesture);
    void apply(Interval range);

    Interval m_limits;
    Interval m_range;
    std::vector<Interval> m_back;
    std::vector<Interval> m_forward;
    QElapsedTimer m_sinceGesture;
};

}  // namespace overlane
