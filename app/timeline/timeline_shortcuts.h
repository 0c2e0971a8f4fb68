// Timeline shortcuts: every key and mouse gesture of the timeline, in one table.
//
// Pure. The keys of the table are the keys that TimelineView obeys, and the texts are those that the
// window's page of shortcuts shows, so that neither can know one the other does not.
#pragma once

#include <array>
#include <cstdint>
#include <span>

#include <QKeyEvent>
#include <QKeySequence>
#include <QString>

namespace overlane
{

enum class TimelineAction : std::uint8_t {
    None,  // a gesture of the mouse, or a key of no meaning here
    ZoomIn,
    ZoomOut,
    PanLeft,
    PanRight,
    EventLeft,  // along the row of the selected event; pans where there is none
    EventRight,
    EventUp,
    EventDown,
    FitSelection,
    FitAll,
    GoToStart,
    GoToEnd,
    ScrollUp,
    ScrollDown,
    ZoomBack,
    ZoomForward,
    MarkRange,
    NextStep,
    PreviousStep,
    ToggleBookmark,
    NextBookmark,
    PreviousBookmark,
    RenameBookmark,
    ToggleTrack,
    ClearSelection,
    Search,
    Help,
};

struct TimelineShortcut {
    TimelineAction action = TimelineAction::None;
    std::array<int, 2> keys = {0, 0};  // Qt::Key with modifiers; 0 where there is none
    const char* gesture = nullptr;     // instead of keys
    const char* group = "";            // untranslated: "Move", "Select", "Bookmarks", ...
    const char* meaning = "";          // untranslated

    QString keysText() const;  // "W", "Shift+F"
    QString groupText() const;
    QString meaningText() const;
};

// In reading order, grouped.
std::span<const TimelineShortcut> timelineShortcuts();
TimelineAction timelineAction(const QKeyEvent& event);

}  // namespace overlane
