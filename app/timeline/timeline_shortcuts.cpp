#include "app/timeline/timeline_shortcuts.h"

#include <QCoreApplication>

namespace overlane
{

namespace
{

#define TEXT(text) QT_TRANSLATE_NOOP("TimelineShortcuts", text)

constexpr int kShift = Qt::SHIFT;

constexpr std::array kShortcuts = {
    TimelineShortcut{
        TimelineAction::ZoomIn, {Qt::Key_W}, nullptr, TEXT("Move"), TEXT("zoom in at the cursor; hold to continue")},
    TimelineShortcut{TimelineAction::ZoomOut, {Qt::Key_S}, nullptr, TEXT("Move"), TEXT("zoom out")},
    TimelineShortcut{TimelineAction::PanLeft, {Qt::Key_A}, nullptr, TEXT("Move"), TEXT("earlier")},
    TimelineShortcut{TimelineAction::PanRight, {Qt::Key_D}, nullptr, TEXT("Move"), TEXT("later")},
    TimelineShortcut{TimelineAction::None, {}, TEXT("Ctrl + wheel"), TEXT("Move"), TEXT("zoom at the cursor")},
    TimelineShortcut{TimelineAction::None, {}, TEXT("wheel over the ruler"), TEXT("Move"), TEXT("zoom at the cursor")},
    TimelineShortcut{TimelineAction::None, {}, TEXT("Shift + wheel"), TEXT("Move"), TEXT("earlier and later")},
    TimelineShortcut{TimelineAction::None, {}, TEXT("drag with the middle button"), TEXT("Move"), TEXT("pan")},
    TimelineShortcut{TimelineAction::FitSelection,
                     {Qt::Key_F},
                     nullptr,
                     TEXT("Move"),
                     TEXT("zoom to the selected range or event, else to the whole trace")},
    TimelineShortcut{TimelineAction::FitAll, {kShift | Qt::Key_F}, nullptr, TEXT("Move"), TEXT("show the whole trace")},
    TimelineShortcut{TimelineAction::GoToStart, {Qt::Key_Home}, nullptr, TEXT("Move"), TEXT("to the start")},
    TimelineShortcut{TimelineAction::GoToEnd, {Qt::Key_End}, nullptr, TEXT("Move"), TEXT("to the end")},
    TimelineShortcut{
        TimelineAction::ZoomBack, {Qt::Key_Backspace}, nullptr, TEXT("Move"), TEXT("back in the zoom history")},
    TimelineShortcut{TimelineAction::ZoomForward,
                     {kShift | Qt::Key_Backspace},
                     nullptr,
                     TEXT("Move"),
                     TEXT("forward in the zoom history")},

    TimelineShortcut{
        TimelineAction::None, {}, TEXT("click"), TEXT("Select"), TEXT("an event, or a gap between kernels")},
    TimelineShortcut{
        TimelineAction::None, {}, TEXT("double click"), TEXT("Select"), TEXT("zoom to the event or the gap")},
    TimelineShortcut{TimelineAction::None,
                     {},
                     TEXT("drag over the lanes or the ruler"),
                     TEXT("Select"),
                     TEXT("a range of time; every figure follows it")},
    TimelineShortcut{TimelineAction::None,
                     {},
                     TEXT("Shift + click"),
                     TEXT("Select"),
                     TEXT("the range from the selected event to this one")},
    TimelineShortcut{TimelineAction::EventLeft,
                     {Qt::Key_Left},
                     nullptr,
                     TEXT("Select"),
                     TEXT("the event before, on the same row; without one, move earlier")},
    TimelineShortcut{TimelineAction::EventRight,
                     {Qt::Key_Right},
                     nullptr,
                     TEXT("Select"),
                     TEXT("the event after, on the same row; without one, move later")},
    TimelineShortcut{
        TimelineAction::EventUp, {Qt::Key_Up}, nullptr, TEXT("Select"), TEXT("the nearest event on the row above")},
    TimelineShortcut{
        TimelineAction::EventDown, {Qt::Key_Down}, nullptr, TEXT("Select"), TEXT("the nearest event on the row below")},
    TimelineShortcut{TimelineAction::MarkRange,
                     {Qt::Key_R, kShift | Qt::Key_M},
                     nullptr,
                     TEXT("Select"),
                     TEXT("the time of the selected event, else what is visible, as a range")},
    TimelineShortcut{
        TimelineAction::ClearSelection, {Qt::Key_Escape}, nullptr, TEXT("Select"), TEXT("drop the selection")},
    TimelineShortcut{TimelineAction::Search, {Qt::Key_Slash}, nullptr, TEXT("Select"), TEXT("find events by name")},

    TimelineShortcut{TimelineAction::ToggleBookmark,
                     {Qt::Key_M},
                     nullptr,
                     TEXT("Bookmarks"),
                     TEXT("set or remove one at the selection, else at the cursor")},
    TimelineShortcut{TimelineAction::NextBookmark, {Qt::Key_N}, nullptr, TEXT("Bookmarks"), TEXT("to the next")},
    TimelineShortcut{
        TimelineAction::PreviousBookmark, {kShift | Qt::Key_N}, nullptr, TEXT("Bookmarks"), TEXT("to the previous")},
    TimelineShortcut{TimelineAction::RenameBookmark,
                     {Qt::Key_F2},
                     nullptr,
                     TEXT("Bookmarks"),
                     TEXT("name the nearest one, or double click it in the ruler")},

    TimelineShortcut{TimelineAction::ToggleTrack,
                     {Qt::Key_C},
                     nullptr,
                     TEXT("Tracks"),
                     TEXT("collapse or expand the track of the selected event")},
    TimelineShortcut{TimelineAction::None, {}, TEXT("click a name"), TEXT("Tracks"), TEXT("collapse or expand it")},
    TimelineShortcut{TimelineAction::ScrollUp, {Qt::Key_PageUp}, nullptr, TEXT("Tracks"), TEXT("scroll up")},
    TimelineShortcut{TimelineAction::ScrollDown, {Qt::Key_PageDown}, nullptr, TEXT("Tracks"), TEXT("scroll down")},
    TimelineShortcut{TimelineAction::Help, {Qt::Key_Question}, nullptr, TEXT("Help"), TEXT("the page of all keys")},
};

#undef TEXT

// Letters tell Shift apart; signs need it on some keyboards.
bool isLetterOrNamed(int key)
{
    return (key >= Qt::Key_A && key <= Qt::Key_Z) || key >= Qt::Key_Escape;
}

QString translated(const char* text)
{
    return QCoreApplication::translate("TimelineShortcuts", text);
}

}  // namespace

QString TimelineShortcut::keysText() const
{
    if (gesture != nullptr)
        return translated(gesture);
    QString text;
    for (const int key : keys)
        if (key != 0)
            text += (text.isEmpty() ? QString() : QStringLiteral(", ")) +
                    QKeySequence(key).toString(QKeySequence::NativeText);
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
