#include "app/timeline/timeline_shortcuts.h"

#include "app/widgets/text.h"

namespace overlane
{

namespace
{

constexpr int kShift = Qt::SHIFT;

constexpr std::array kShortcuts = {
    TimelineShortcut{TimelineAction::ZoomIn, {Qt::Key_W}, nullptr, "Move", "zoom in at the cursor; hold to continue"},
    TimelineShortcut{TimelineAction::ZoomOut, {Qt::Key_S}, nullptr, "Move", "zoom out"},
    TimelineShortcut{TimelineAction::PanLeft, {Qt::Key_A}, nullptr, "Move", "earlier"},
    TimelineShortcut{TimelineAction::PanRight, {Qt::Key_D}, nullptr, "Move", "later"},
    TimelineShortcut{TimelineAction::None, {}, "Ctrl + wheel", "Move", "zoom at the cursor"},
    TimelineShortcut{TimelineAction::None, {}, "wheel over the ruler or a gauge", "Move", "zoom at the cursor"},
    TimelineShortcut{TimelineAction::None, {}, "Shift + wheel", "Move", "earlier and later"},
    TimelineShortcut{TimelineAction::None, {}, "drag with the middle button", "Move", "pan"},
    TimelineShortcut{TimelineAction::FitSelection,
                     {Qt::Key_F},
                     nullptr,
                     "Move",
                     "zoom to the selected range or event, else to the whole trace"},
    TimelineShortcut{TimelineAction::FitAll, {kShift | Qt::Key_F}, nullptr, "Move", "show the whole trace"},
    TimelineShortcut{TimelineAction::GoToStart, {Qt::Key_Home}, nullptr, "Move", "to the start"},
    TimelineShortcut{TimelineAction::GoToEnd, {Qt::Key_End}, nullptr, "Move", "to the end"},
    TimelineShortcut{TimelineAction::ZoomBack, {Qt::Key_Backspace}, nullptr, "Move", "back in the zoom history"},
    TimelineShortcut{
        TimelineAction::ZoomForward, {kShift | Qt::Key_Backspace}, nullptr, "Move", "forward in the zoom history"},

    TimelineShortcut{TimelineAction::None, {}, "click", "Select", "an event, or a gap between kernels"},
    TimelineShortcut{TimelineAction::None, {}, "double click", "Select", "zoom to the event or the gap"},
    TimelineShortcut{TimelineAction::None,
                     {},
                     "drag over the lanes or the ruler",
                     "Select",
                     "a range of time; every figure follows it"},
    TimelineShortcut{
        TimelineAction::None, {}, "Shift + click", "Select", "the range from the selected event to this one"},
    TimelineShortcut{TimelineAction::EventLeft,
                     {Qt::Key_Left},
                     nullptr,
                     "Select",
                     "the event before, on the same row; without one, move earlier"},
    TimelineShortcut{TimelineAction::EventRight,
                     {Qt::Key_Right},
                     nullptr,
                     "Select",
                     "the event after, on the same row; without one, move later"},
    TimelineShortcut{TimelineAction::EventUp, {Qt::Key_Up}, nullptr, "Select", "the nearest event on the row above"},
    TimelineShortcut{
        TimelineAction::EventDown, {Qt::Key_Down}, nullptr, "Select", "the nearest event on the row below"},
    TimelineShortcut{TimelineAction::MarkRange,
                     {Qt::Key_R, kShift | Qt::Key_M},
                     nullptr,
                     "Select",
                     "the time of the selected event, else what is visible, as a range"},
    TimelineShortcut{TimelineAction::NextStep, {Qt::Key_Period}, nullptr, "Select", "the next iteration, as a range"},
    TimelineShortcut{
        TimelineAction::PreviousStep, {Qt::Key_Comma}, nullptr, "Select", "the iteration before, as a range"},
    TimelineShortcut{TimelineAction::ClearSelection, {Qt::Key_Escape}, nullptr, "Select", "drop the selection"},
    TimelineShortcut{TimelineAction::Search, {Qt::Key_Slash}, nullptr, "Select", "find events by name"},

    TimelineShortcut{TimelineAction::ToggleBookmark,
                     {Qt::Key_M},
                     nullptr,
                     "Bookmarks",
                     "set or remove one at the selection, else at the cursor"},
    TimelineShortcut{TimelineAction::NextBookmark, {Qt::Key_N}, nullptr, "Bookmarks", "to the next"},
    TimelineShortcut{TimelineAction::PreviousBookmark, {kShift | Qt::Key_N}, nullptr, "Bookmarks", "to the previous"},
    TimelineShortcut{TimelineAction::RenameBookmark,
                     {Qt::Key_F2},
                     nullptr,
                     "Bookmarks",
                     "name the nearest one, or double click it in the ruler"},

    TimelineShortcut{TimelineAction::ToggleTrack,
                     {Qt::Key_C},
                     nullptr,
                     "Tracks",
                     "collapse or expand the track of the selected event"},
    TimelineShortcut{TimelineAction::None, {}, "click a name", "Tracks", "collapse or expand it"},
    TimelineShortcut{TimelineAction::ScrollUp, {Qt::Key_PageUp}, nullptr, "Tracks", "scroll up"},
    TimelineShortcut{TimelineAction::ScrollDown, {Qt::Key_PageDown}, nullptr, "Tracks", "scroll down"},
    TimelineShortcut{TimelineAction::Help, {Qt::Key_Question}, nullptr, "Help", "the page of all keys"},
};

// Letters tell Shift apart; signs need it on some keyboards.
bool isLetterOrNamed(int key)
{
    return (key >= Qt::Key_A && key <= Qt::Key_Z) || key >= Qt::Key_Escape;
}

QString translated(const char* text)
{
    return overlane::text(text);
}

}  // namespace

QString TimelineShortcut::keysText() const
{
    if (gesture != nullptr)
        return translated(gesture);
    QString text;
    for (const int key : keys)
        if (key != 0)
            text += (text.isEmpty() ? QString() : u", "_s) + QKeySequence(key).toString(QKeySequence::NativeText);
    return text;
}

QString TimelineShortcut::groupText() const
{
    return translated(group);
}

QString TimelineShortcut::meaningText() const
{
    return translated(meaning);
}

std::span<const TimelineShortcut> timelineShortcuts()
{
    return kShortcuts;
}

TimelineAction timelineAction(const QKeyEvent& event)
{
    const Qt::KeyboardModifiers modifiers = event.modifiers() & ~Qt::KeypadModifier;
    if (modifiers & (Qt::ControlModifier | Qt::AltModifier | Qt::MetaModifier))
        return TimelineAction::None;
    const bool shift = (modifiers & Qt::ShiftModifier) && isLetterOrNamed(event.key());
    const int pressed = event.key() | (shift ? kShift : 0);
    for (const TimelineShortcut& shortcut : kShortcuts)
        for (const int key : shortcut.keys)
            if (key != 0 && key == pressed)
                return shortcut.action;
    return TimelineAction::None;
}

}  // namespace overlane
