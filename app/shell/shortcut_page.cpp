#include "app/shell/shortcut_page.h"

#include <algorithm>

#include <QAction>
#include <QMenu>
#include <QMenuBar>

#include "app/timeline/timeline_shortcuts.h"
#include "app/widgets/text.h"

namespace overlane
{

namespace
{

QString plain(QString label)
{
    return label.remove('&');
}

QString keysOf(const QAction& action)
{
    QStringList keys;
    for (const QKeySequence& sequence : action.shortcuts())
        keys << sequence.toString(QKeySequence::NativeText);
    return keys.join(u", "_s);
}

void addActions(const QMenu& menu, const QString& group, std::vector<ShortcutLine>& lines, QList<QKeySequence>& taken)
{
    for (const QAction* action : menu.actions()) {
        if (const QMenu* inner = action->menu())
            addActions(*inner, group, lines, taken);
        if (action->shortcuts().isEmpty())
            continue;
        taken += action->shortcuts();
        lines.push_back({group, keysOf(*action), action->statusTip().isEmpty() ? action->text() : action->statusTip()});
    }
}

}  // namespace

std::vector<ShortcutLine> shortcutLines(const QMenuBar& menus)
{
    std::vector<ShortcutLine> lines;
    QList<QKeySequence> taken;
    for (const QAction* action : menus.actions())
        if (const QMenu* menu = action->menu())
            addActions(*menu, plain(action->text()), lines, taken);
    for (const TimelineShortcut& shortcut : timelineShortcuts()) {
        const bool inMenu = std::any_of(shortcut.keys.begin(), shortcut.keys.end(),
                                        [&](int key) { return key != 0 && taken.contains(QKeySequence(key)); });
        if (!inMenu)
            lines.push_back({u"Timeline: %1"_s.arg(shortcut.groupText()), shortcut.keysText(), shortcut.meaningText()});
    }
    const auto add = [&lines](const char* keys, const char* meaning) {
        lines.push_back({u"Findings"_s, text(keys), text(meaning)});
    };
    add("Up, Down", "go from finding to finding");
    add("Return, Space, Right, Left", "open and close the finding");
    add("N, P", "show the next or the previous event of its evidence");
    add("W", "predict the timeline with its change");
    add("Ctrl+C", "copy the finding as text");
    return lines;
}

QString shortcutPage(const std::vector<ShortcutLine>& lines)
{
    QString rows;
    QString group;
    for (const ShortcutLine& line : lines) {
        if (line.group != group)
            rows +=
                u"<tr><td colspan='2' style='padding-top:10px'><b>%1</b></td></tr>"_s.arg(line.group.toHtmlEscaped());
        group = line.group;
        rows +=
            u"<tr><td style='padding:2px 28px 2px 12px; white-space:nowrap'><tt>%1</tt></td>"
            "<td style='padding:2px 0'>%2</td></tr>"_s.arg(line.keys.toHtmlEscaped(), line.meaning.toHtmlEscaped());
    }
    return u"<h2>%1</h2><p>%2</p><table>%3</table>"_s.arg(
        u"Keyboard and mouse"_s,
        u"Keys of the menus work everywhere, signs and letters not while a text is "
        "edited. Keys of the timeline, and those of a finding, work once it was clicked or "
        "reached with Tab."_s,
        rows);
}

}  // namespace overlane
