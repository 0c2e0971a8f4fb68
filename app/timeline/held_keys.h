// HeldKeys: keys that zoom and pan for as long as they are held.
//
// Lives on the GUI thread; moves the visible range it was given. A press makes one step at once; where
// changes are smooth (ViewRange::motionMs), a key that stays down then moves on evenly, several keys
// together, until it is released. Without motion the keyboard's own repetition makes further steps.
#pragma once

#include <functional>
#include <vector>

#include <QElapsedTimer>
#include <QObject>
#include <QTimer>

#include "app/timeline/timeline_shortcuts.h"

namespace overlane
{

class ViewRange;

class HeldKeys : public QObject
{
    Q_OBJECT

public:
    static constexpr double kZoomPerStep = 1.5;
    static constexpr double kPanPerStep = 0.2;  // of the visible range

    // `anchorNs` says what stays in its place while zooming.
    HeldKeys(ViewRange* view, std::function<std::int64_t()> anchorNs, QObject* parent = nullptr);

    // Zooms and pans only; false for other actions.
    bool press(TimelineAction action, bool repeated);
    void release(TimelineAction action);
    void releaseAll();
    bool moving() const { return !m_held.empty(); }
    // What passing time does by itself: moves as far as the held keys do in that time.
    void advance(double elapsedMs);

private:
    void step(TimelineAction action, double steps, bool smooth);

    ViewRange* m_view;
    std::function<std::int64_t()> m_anchorNs;
    std::vector<TimelineAction> m_held;
    QTimer m_frames;
    QElapsedTimer m_sinceFrame;
};

}  // namespace overlane
