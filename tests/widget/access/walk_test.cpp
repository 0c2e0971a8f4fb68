// Tab alone comes to every control of every dialog, tab and page, each of them named and marked by the focus.
#include <algorithm>
#include <set>
#include <string>

#include <QTabWidget>

#include "app/shell/bottom_panel.h"
#include "app/shell/laboratory_dock.h"
#include "app/shell/offer_bar.h"
#include "app/shell/search_bar.h"
#include "app/shell/trace_tabs.h"
#include "app/widgets/message_bar.h"
#include "tests/widget/access/access_window.h"

namespace overlane
{
namespace
{

class TabKey : public AccessWindow
{
protected:
    // Of each page that the dialog shows.
    static void expectReached(QWidget& dialog, std::size_t least)
    {
        dialog.activateWindow();
        ASSERT_TRUE(QTest::qWaitForWindowActive(&dialog));
        expectNamed(dialog, static_cast<int>(least));
        QTabWidget* pages = nullptr;
        for (QTabWidget* each : dialog.findChildren<QTabWidget*>())
            pages = each->isVisible() ? each : pages;
        if (pages == nullptr)
            return expectWalked(&dialog, least);
        for (int page = 0; page < pages->count(); ++page) {
            SCOPED_TRACE(pages->tabText(page).toStdString());
            pages->setCurrentIndex(page);
            handleEvents();
            expectWalked(&dialog, least);
        }
    }
};

TEST_F(TabKey, ComesToEverythingOfEveryDialogOfTheMenus)
{
    std::set<std::string> seen;
    for (QAction* action : openingEntries()) {
        SCOPED_TRACE(action->text().toStdString());
        if (action->text().contains("Pri&nt"))
            continue;  // Qt's own
        QWidget* dialog = windowOf([action] { action->trigger(); });
        if (dialog == nullptr)
            continue;
        seen.insert(dialog->windowTitle().toStdString());
        expectReached(*dialog, 1);
        dialog->close();
        handleEvents();
    }
    const std::set<std::string> least = {"Record a program", "Machine and memory", "Calibrate", "Overlane help",
                                         "About Overlane"};
    EXPECT_TRUE(std::ranges::includes(seen, least)) << seen.size();
}

// With a program to start, and after an answer: tests/widget/trial.
TEST_F(TabKey, ComesToEverythingOfTheTrialAsTheWindowOpensIt)
{
    auto* open = control<QAbstractButton>("whatIfTry");
    ASSERT_NE(open, nullptr);
    QWidget* dialog = windowOf([open] { open->click(); });
    ASSERT_NE(dialog, nullptr);
    expectReached(*dialog, 2);
    dialog->close();
}

TEST_F(TabKey, ComesToEverythingOfTheSearch)
{
    m_window.searchBar()->open();
    handleEvents();
    expectWalked(m_window.searchBar(), 4);
}

TEST_F(TabKey, ComesToEveryPageOfTheFigures)
{
    BottomPanel* tabs = m_window.bottomPanel();
    for (int page = 0; page < tabs->count(); ++page) {
        SCOPED_TRACE(tabs->tabText(page).toStdString());
        document()->selection()->clear();  // with an event, Tab in the lanes goes to the next one
        tabs->setCurrentIndex(page);
        settle();
        handleEvents();
        expectWalked(tabs, 2);
    }
}

// With all that may stand above the timeline.
TEST_F(TabKey, ComesToEverythingOfTheWindow)
{
    expectWalked(&m_window, 20);
    for (const char* file : {kPinnedRun, kPageableRun}) {
        m_window.openFile(recorded(file));
        settle();
    }
    m_window.laboratoryDock()->choose(true);
    m_window.searchBar()->open();
    m_window.messageBar()->showError(QStringLiteral("An error"));
    m_window.notesOffer()->offer(QStringLiteral("An offer."), {{QStringLiteral("Take"), [] {}}});
    handleEvents();
    ASSERT_TRUE(m_window.tabs()->isVisible() && m_window.messageBar()->isVisible());
    document()->selection()->clear();
    expectWalked(&m_window, 30);
}

}  // namespace
}  // namespace overlane
