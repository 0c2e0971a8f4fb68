// The page of keys and mouse gestures, made from what is really obeyed: the actions of the menus and
// the table of the timeline's shortcuts. What is not in either is not on the page. GUI thread.
#pragma once

#include <vector>

#include <QString>

class QMenuBar;

namespace overlane
{

struct ShortcutLine {
    QString group;  // "File", "Timeline: Move"
    QString keys;   // "Ctrl+O", "double click"
    QString meaning;
};

// In reading order. Keys of the timeline that a menu obeys everywhere are listed with the menu only.
std::vector<ShortcutLine> shortcutLines(const QMenuBar& menus);
// The same as a page of rich text.
QString shortcutPage(const std::vector<ShortcutLine>& lines);

}  // namespace overlane
