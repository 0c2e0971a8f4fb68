// Keys, help and what assistive tools are told: the pages must not promise what nothing keeps.
#include <condition_variable>
#include <mutex>

#include <QAbstractSpinBox>
#include <QAccessible>
#include <QDialog>
#include <QDir>
#include <QLabel>
#include <QLineEdit>
#include <QListWidget>
#include <QPlainTextEdit>
#include <QScrollBar>
#include <QStatusBar>
#include <QTabBar>
#include <QTextBlock>
#include <QTextBrowser>
#include <QTextCursor>
#include <QTextTable>
#include <QToolBar>

#include "app/shell/about_box.h"
#include "app/shell/bottom_panel.h"
#include "app/shell/help_window.h"
#include "app/shell/search_bar.h"
#include "app/shell/shortcut_page.h"
#include "app/shell/trace_tabs.h"
#include "app/timeline/timeline_shortcuts.h"
#include "app/timeline/timeline_view.h"
#include "app/widgets/text.h"
#include "core/analysis/cause_table.h"
#include "core/loader/presets.h"
#include "tests/widget/pending_events.h"
#include "tests/widget/window_gestures.h"
#include "tests/widget/window_test.h"

namespace overlane
{
namespace
{

class HelpTest : public WindowTest
{
protected:
    HelpWindow* help() { return m_window.findChild<HelpWindow*>(); }
    void closeDialogs()
    {
        for (QDialog* dialog : m_window.findChildren<QDialog*>())
            dialog->close();
        m_window.activateWindow();
        ASSERT_TRUE(QTest::qWaitForWindowActive(&m_window));
    }
};

TEST_F(HelpTest, EveryKeyOfTheMenusTriggersItsAction)
{
    m_window.setFileChooser({[](auto...) { return QString(); }, [](auto...) { return QString(); }});
    open(recorded(kPinnedRun));
    m_window.tabs()->closeTrace(m_window.tabs()->shownIndex());  // a trace to open again
    settle();
    Laboratory& laboratory = *document()->laboratory();
    int keys = 0;
    for (QAction* action : allActions(m_window)) {
        for (const QKeySequence& sequence : action->shortcuts()) {
            // Something to undo and something to make again.
            laboratory.applyPreset(allPresets()[1]);
            laboratory.applyPreset(allPresets()[2]);
            laboratory.undoStack()->undo();
            m_window.timeline()->setFocus();
            QSignalSpy triggered(action, &QAction::triggered);
            const QKeyCombination key = sequence[0];
            QTest::keyClick(m_window.timeline(), key.key(), key.keyboardModifiers());
            EXPECT_EQ(triggered.count(), 1)
                << action->text().toStdString() << " by " << sequence.toString().toStdString();
            ++keys;
            m_window.show();
            closeDialogs();
        }
    }
    EXPECT_GT(keys, 20);
    settle();
}

TEST_F(HelpTest, ThePageListsEveryKeyOnceAndExplainsIt)
{
    const std::vector<ShortcutLine> lines = shortcutLines(*m_window.menuBar());
    QStringList seen;
    QStringList inFindings;  // keys that work while a finding has the focus, like those of the timeline on it
    for (const ShortcutLine& line : lines) {
        QStringList& already = line.group == QLatin1String("Findings") ? inFindings : seen;
        EXPECT_FALSE(line.keys.isEmpty()) << line.meaning.toStdString();
        EXPECT_FALSE(line.meaning.isEmpty()) << line.keys.toStdString();
        for (const QString& key : line.keys.split(", ")) {
            EXPECT_FALSE(already.contains(key)) << key.toStdString() << " twice";
            already << key;
        }
    }
    for (QAction* action : allActions(m_window))
        for (const QKeySequence& sequence : action->shortcuts())
            EXPECT_TRUE(seen.contains(sequence.toString(QKeySequence::NativeText))) << action->text().toStdString();
    for (const TimelineShortcut& shortcut : timelineShortcuts())
        for (const int key : shortcut.keys)
            if (key != 0) {
                EXPECT_TRUE(seen.contains(QKeySequence(key).toString(QKeySequence::NativeText)))
                    << shortcut.meaningText().toStdString();
            }
}

TEST_F(HelpTest, AQuestionMarkOpensTheKeysWhereverTheFocusIs)
{
    int asked = 0;
    for (QWidget* widget : m_window.findChildren<QWidget*>()) {
        if (!widget->isVisible() || !widget->isEnabled() || (widget->focusPolicy() & Qt::TabFocus) == 0)
            continue;
        widget->setFocus();
        if (!widget->hasFocus())
            continue;
        const bool text = qobject_cast<QLineEdit*>(widget) != nullptr ||
                          qobject_cast<QPlainTextEdit*>(widget) != nullptr ||
                          qobject_cast<QAbstractSpinBox*>(widget) != nullptr;
        QTest::keyClick(widget, '?');
        EXPECT_EQ(help() != nullptr && help()->isVisible(), !text)
            << widget->metaObject()->className() << " " << widget->objectName().toStdString();
        asked += text ? 0 : 1;
        if (help() != nullptr && help()->isVisible()) {
            EXPECT_EQ(help()->page(), HelpWindow::kKeys);
        }
        closeDialogs();
    }
    EXPECT_GT(asked, 10);
}

TEST_F(HelpTest, F1OpensTheFirstPageAndLinksLeadToOthers)
{
    QTest::keyClick(m_window.timeline(), Qt::Key_F1);
    ASSERT_NE(help(), nullptr);
    EXPECT_EQ(help()->page(), HelpWindow::pages().front());
    for (const QString& page : HelpWindow::pages()) {
        help()->open(page);
        EXPECT_EQ(help()->page(), page);
        EXPECT_GT(help()->text().size(), 500) << page.toStdString();
        EXPECT_EQ(control<QListWidget>("helpPages")->currentRow(), HelpWindow::pages().indexOf(page));
        // Links go to pages that are there.
        for (QTextBlock block = control<QTextBrowser>("helpText")->document()->begin(); block.isValid();
             block = block.next())
            for (const QTextLayout::FormatRange& range : block.textFormats()) {
                const QString link = range.format.anchorHref();
                if (link.isEmpty() || link.startsWith("http"))
                    continue;
                const QString path = QUrl(link).path();
                EXPECT_TRUE(path.isEmpty() || HelpWindow::pages().contains(path.chopped(3))) << link.toStdString();
            }
    }
    auto* text = control<QTextBrowser>("helpText");
    help()->open("figures");
    text->setSource(QUrl("pinned.md"));
    EXPECT_EQ(help()->page(), "pinned");
    EXPECT_TRUE(help()->text().contains("staging"));
    text->setSource(QUrl("findings-host.md#launch-bound"));
    ASSERT_TRUE(QTest::qWaitFor([this] { return help()->section() == "launch-bound"; }));
    EXPECT_EQ(help()->page(), "findings-host");
    EXPECT_GT(text->verticalScrollBar()->value(), 0);
    control<QListWidget>("helpPages")->setCurrentRow(static_cast<int>(HelpWindow::pages().indexOf("keys")));
    EXPECT_TRUE(help()->text().contains("Ctrl+K"));
}

TEST_F(HelpTest, ThePageOfIdleTimeHasARowForEveryCause)
{
    const QString page = m_window.showHelp(QStringLiteral("gpu-idle"))->text();
    qsizetype at = 0;
    for (const LostCauseRow& row : lostCauses())
        for (const std::string_view cell : {row.id, row.name, row.explanation}) {
            at = page.indexOf('\n' + text(cell) + '\n', at);
            ASSERT_GE(at, 0) << cell << " in " << row.id;
        }
}

TEST_F(HelpTest, EveryPageOfTheFolderIsListed)
{
    for (const QString& name : QDir(OVERLANE_SOURCE_DIR "/resources/help").entryList({"*.md"}))
        EXPECT_TRUE(HelpWindow::pages().contains(name.chopped(3))) << name.toStdString();
}

TEST_F(HelpTest, TheAboutBoxDoesNotWaitForTheDriver)
{
    std::mutex mutex;
    std::condition_variable asked;
    bool mayAnswer = false;
    const auto slow = [&] {
        std::unique_lock lock(mutex);
        asked.wait(lock, [&] { return mayAnswer; });
        return describeGpuSupport(true, 13000, {"NVIDIA H200"}, false);
    };
    showAbout(&m_window, slow);
    auto* machine = control<QLabel>("aboutMachine");
    EXPECT_TRUE(machine->isVisible());
    EXPECT_TRUE(machine->text().contains("asking"));
    {
        const std::lock_guard lock(mutex);
        mayAnswer = true;
    }
    asked.notify_all();
    EXPECT_TRUE(QTest::qWaitFor([&] { return machine->text().contains("NVIDIA H200"); }, kLongestWaitMs));
    closeDialogs();
}

TEST_F(HelpTest, TheAboutBoxMayBeClosedWhileTheDriverIsAsked)
{
    std::mutex mutex;
    std::condition_variable changed;
    bool mayAnswer = false;
    bool answered = false;
    showAbout(&m_window, [&] {
        std::unique_lock lock(mutex);
        changed.wait(lock, [&] { return mayAnswer; });
        answered = true;
        changed.notify_all();
        return GpuSupport{};
    });
    closeDialogs();
    handleEvents();
    EXPECT_EQ(m_window.findChild<QLabel*>("aboutMachine"), nullptr);
    std::unique_lock lock(mutex);
    mayAnswer = true;
    changed.notify_all();
    changed.wait(lock, [&] { return answered; });
}

TEST_F(HelpTest, EveryControlHasAName)
{
    int controls = 0;
    for (int tab = 0; tab < m_window.bottomPanel()->count(); ++tab) {
        m_window.bottomPanel()->setCurrentIndex(tab);
        m_window.searchBar()->open();
        for (QWidget* widget : m_window.findChildren<QWidget*>()) {
            if (!widget->isVisible() || (widget->focusPolicy() & Qt::TabFocus) == 0 ||
                qobject_cast<QToolBar*>(widget) != nullptr || qobject_cast<QTabBar*>(widget) != nullptr ||
                qobject_cast<QAbstractSpinBox*>(widget->parentWidget()) != nullptr)  // its field speaks for it
                continue;
            QAccessibleInterface* accessible = QAccessible::queryAccessibleInterface(widget);
            ASSERT_NE(accessible, nullptr);
            EXPECT_FALSE(accessible->text(QAccessible::Name).isEmpty())
                << widget->metaObject()->className() << " " << widget->objectName().toStdString() << " in "
                << widget->parentWidget()->metaObject()->className() << " on tab " << tab;
            ++controls;
        }
    }
    EXPECT_GT(controls, 30);
}

TEST_F(HelpTest, EveryMenuActionSaysWhatItDoes)
{
    for (QAction* action : allActions(m_window)) {
        const bool stateOnly = action->isCheckable() || !action->isEnabled();
        EXPECT_TRUE(stateOnly || !action->statusTip().isEmpty()) << action->text().toStdString();
    }
}

TEST_F(HelpTest, FiguresFitTheWindowWithoutBeingCut)
{
    for (const QSize size : {QSize(1280, 800), QSize(1920, 1080)}) {
        m_window.resize(size);
        m_window.arrangeDocks();
        handleEvents();
        EXPECT_EQ(m_window.size(), size) << "the window needs more room than it was given";
        EXPECT_GT(m_window.timeline()->width(), size.width() / 2 - 100);
        EXPECT_GT(m_window.timeline()->height(), size.height() / 4);
        auto* numbers = control<QLabel>("verdictNumbers");
        EXPECT_GE(numbers->width(), numbers->sizeHint().width());
        EXPECT_GE(m_window.statusLine()->width(), m_window.statusLine()->sizeHint().width());
    }
}

// Qt sets what is Markdown without a space between.
TEST_F(HelpTest, ParagraphsAndTablesStandApart)
{
    HelpWindow* help = m_window.showHelp(QStringLiteral("figures"));
    const QTextDocument& page = *help->findChild<QTextBrowser*>("helpText")->document();
    int paragraphs = 0;
    int tables = 0;
    for (QTextBlock block = page.begin(); block.isValid(); block = block.next()) {
        const QTextTable* table = QTextCursor(block).currentTable();
        if (table != nullptr) {
            EXPECT_GT(table->format().bottomMargin(), 4);
            EXPECT_GT(table->format().cellPadding(), 2);
            ++tables;
        } else if (block.textList() == nullptr && !block.blockFormat().nonBreakableLines() && !block.text().isEmpty()) {
            EXPECT_GT(block.blockFormat().bottomMargin(), 4) << block.text().toStdString();
            ++paragraphs;
        }
    }
    EXPECT_GT(paragraphs, 3);
    EXPECT_GT(tables, 0);
    help->close();
}

TEST_F(HelpTest, ListsAndCodeStandApartFromWhatFollows)
{
    HelpWindow* help = m_window.showHelp(QStringLiteral("start-explore"));
    const QTextDocument& page = *help->findChild<QTextBrowser*>("helpText")->document();
    int ends = 0;
    for (QTextBlock block = page.begin(); block.next().isValid(); block = block.next()) {
        const QTextBlock next = block.next();
        const bool code = block.blockFormat().nonBreakableLines();
        const bool ended = code != next.blockFormat().nonBreakableLines() || block.textList() != next.textList();
        if ((!code && block.textList() == nullptr) || !ended || QTextCursor(block).currentTable() != nullptr)
            continue;
        EXPECT_GT(block.blockFormat().bottomMargin(), 4) << block.text().toStdString();
        ++ends;
    }
    EXPECT_GE(ends, 2);
    // Qt's own pictures of buttons are black on every ground.
    for (const QAbstractButton* button : help->findChildren<QAbstractButton*>())
        EXPECT_TRUE(button->text().isEmpty() || button->icon().isNull()) << button->text().toStdString();
    help->close();
}

TEST_F(HelpTest, AllPagesAreSearchedAsOneTypes)
{
    HelpWindow* help = m_window.showHelp(QStringLiteral("keys"));
    ASSERT_TRUE(QTest::qWaitFor([&] { return QApplication::activeWindow() == help; }, kLongestWaitMs));
    QTest::keyClick(help->focusWidget(), Qt::Key_F, Qt::ControlModifier);
    auto* field = help->findChild<QLineEdit*>("helpSearch");
    ASSERT_TRUE(field->hasFocus());
    QTest::keyClicks(field, "PAGEable");
    auto* hits = help->findChild<QListWidget*>("helpHits");
    ASSERT_TRUE(hits->isVisible());
    EXPECT_FALSE(help->findChild<QListWidget*>("helpPages")->isVisible());
    // Every line that is listed is there, with the words selected and in sight.
    auto* browser = help->findChild<QTextBrowser*>("helpText");
    QStringList pages;
    int lines = 0;
    for (int row = 0; row < hits->count(); ++row)
        lines += hits->item(row)->data(Qt::UserRole).isValid() ? 1 : 0;
    ASSERT_GT(lines, 1);
    for (int hit = 0; hit < lines; ++hit) {
        QTest::keyClick(field, Qt::Key_Return);
        EXPECT_EQ(browser->textCursor().selectedText().toLower(), "pageable") << hit;
        EXPECT_TRUE(browser->viewport()->rect().contains(browser->cursorRect().center())) << hit;
        EXPECT_FALSE(browser->extraSelections().isEmpty());
        pages << help->page();
    }
    EXPECT_GT(QSet<QString>(pages.begin(), pages.end()).size(), 1);
    // Around at the end, and back.
    QTest::keyClick(field, Qt::Key_Return);
    EXPECT_EQ(help->page(), pages.first());
    QTest::keyClick(field, Qt::Key_Return, Qt::ShiftModifier);
    EXPECT_EQ(help->page(), pages.last());
    QTest::keyClick(field, Qt::Key_Escape);
    EXPECT_TRUE(help->isVisible());
    EXPECT_TRUE(help->findChild<QListWidget*>("helpPages")->isVisible());
    EXPECT_TRUE(browser->extraSelections().isEmpty());
    QTest::keyClicks(field, "no such words anywhere");
    EXPECT_EQ(hits->count(), 0);
    help->close();
}

TEST_F(HelpTest, LinesStayReadableInAWideWindow)
{
    HelpWindow* help = m_window.showHelp(QStringLiteral("figures"));
    auto* browser = help->findChild<QTextBrowser*>("helpText");
    for (const int widthPx : {1000, 1900}) {
        help->resize(widthPx, 700);
        handleEvents();
        EXPECT_LE(browser->document()->textWidth(), 84 * browser->fontMetrics().averageCharWidth()) << widthPx;
        EXPECT_EQ(browser->horizontalScrollBar()->maximum(), 0) << widthPx;
    }
    help->close();
}

}  // namespace
}  // namespace overlane
