// ViewRange: the one owner of the visible range of time. Everybody else asks it and listens to it.
//
// Lives on the GUI thread. Times in nanoseconds, half-open. The range always lies within the limits
// and is never shorter than kMinimumNs, except where the limits are. A smooth change moves there in
// setMotionMs() and can be interrupted by any other. Keeps a history of ranges: steps that follow
// each other within a gesture (wheel, held keys) count as one.
#pragma once

#include <cstdint>
#include <vector>

#include <QElapsedTimer>
#include <QObject>
#include <QTimer>

#include "app/timeline/range_motion.h"
#include "app/timeline/time_cursor.h"
#include "core/base/interval.h"

namespace overlane
{

class ViewRange : public QObject
{
    Q_OBJECT

public:
    static constexpr std::int64_t kMinimumNs = 100;
    enum class Pace : std::uint8_t { Now, Smooth };

    explicit ViewRange(QObject* parent = nullptr);

    // The time pointed at, shared by all views of this range.
    TimeCursor* cursor() { return &m_cursor; }
    const TimeCursor* cursor() const { return &m_cursor; }

    Interval limits() const { return m_limits; }
    Interval range() const { return m_range; }
    // Where the range is going; range() where it rests.
    Interval target() const { return m_frames.isActive() ? m_motion.to() : m_range; }

    // How long smooth changes take; 0, as at first, makes them at once.
    void setMotionMs(int ms);
    int motionMs() const { return m_motionMs; }
    // What passing time does by itself: the place of the motion under way after `elapsedMs`.
    void advance(std::int64_t elapsedMs);

    // By TimelineView, of all traces on the axis. The range is kept where it fits; where the whole was visible before,
    // the whole stays visible.
    void setLimits(Interval limits);
    // One step of the history; clamped to the limits. `glideTo` moves there smoothly.
    void setRange(Interval range);
    void glideTo(Interval range);
    // factor > 1 shows less time; `anchorNs` stays where it is on the screen. Smooth steps add up to
    // the target, others to what is visible.
    void zoomBy(double factor, std::int64_t anchorNs, Pace pace = Pace::Now);
    void panBy(std::int64_t deltaNs, Pace pace = Pace::Now);
    // Now, and one step of the history with the zooms and pans around it: to follow another range.
    void moveTo(Interval range);
    void fitAll();
    // Another trace: its range, without the history of the ranges of the one before.
    void restart(Interval range);
    // The ranges before and after the present one, to be put back with their trace.
    struct History {
        std::vector<Interval> back;
        std::vector<Interval> forward;
    };
    const History& history() const { return m_history; }
    void restart(Interval range, History history);

    bool canGoBack() const { return !m_history.back.empty(); }
    bool canGoForward() const { return !m_history.forward.empty(); }
    void back();
    void forward();

signals:
    void rangeChanged(overlane::Interval range);
    void limitsChanged(overlane::Interval limits);

private:
    Interval clamped(Interval range) const;
    void move(Interval range, bool gesture, Pace pace);
    void go(Interval range, Pace pace);
    void apply(Interval range);

    TimeCursor m_cursor;
    Interval m_limits;
    Interval m_range;
    History m_history;
    QElapsedTimer m_sinceGesture;
    int m_motionMs = 0;
    RangeMotion m_motion;  // while m_frames runs
    QElapsedTimer m_sinceStart;
    QTimer m_frames;
};

}  // namespace overlane
