// No text of the window or of its dialogs is cut by its widget: what has no room is wrapped, scrolled or elided. Run at
// the usual size of a pixel and at three times it (CMakeLists.txt), where widths of letters are others.
#include <QLabel>
#include <QTabBar>

#include "app/shell/bottom_panel.h"
#include "app/shell/offer_bar.h"
#include "app/shell/search_bar.h"
#include "app/widgets/elided_label.h"
#include "tests/widget/access/access_window.h"

namespace overlane
{
namespace
{

// How many pixels of a widget's text are missing; 0 where all is there or the widget elides it.
int missingPx(const QWidget& widget)
{
    if (const auto* elided = qobject_cast<const ElidedLabel*>(&widget))
        return elided->lines() * elided->fontMetrics().lineSpacing() - elided->contentsRect().height();
    if (const auto* label = qobject_cast<const QLabel*>(&widget)) {
        if (label->text().isEmpty())
            return 0;
        if (label->wordWrap())
            return label->heightForWidth(label->width()) - label->height();
        const bool rich = Qt::mightBeRichText(label->text());
        const int needed =
            rich ? label->sizeHint().width() : label->fontMetrics().size(Qt::TextShowMnemonic, label->text()).width();
        return needed - label->contentsRect().width();
    }
    if (const auto* button = qobject_cast<const QAbstractButton*>(&widget))
        return button->text().isEmpty() ? 0 : button->minimumSizeHint().width() - button->width();
    return 0;
}

QStringList cutBelow(const QWidget& root, int* texts)
{
    QStringList cut;
    for (const QWidget* widget : root.findChildren<QWidget*>()) {
        if (!widget->isVisible())
            continue;
        ++*texts;
        if (const int px = missingPx(*widget); px > 0)
            cut << QStringLiteral("%1: %2 px").arg(nameOf(*widget)).arg(px) +
                       (qobject_cast<const QLabel*>(widget) != nullptr
                            ? ' ' + static_cast<const QLabel*>(widget)->text()
                            : QString());
    }
    return cut;
}

class TextFits : public AccessWindow
{
protected:
    static void expectWhole(const QWidget& root, int least)
    {
        int texts = 0;
        const QStringList cut = cutBelow(root, &texts);
        EXPECT_TRUE(cut.isEmpty()) << qPrintable(cut.join('\n'));
        EXPECT_GE(texts, least);
    }
};

TEST_F(TextFits, IntoTheWindowAtEverySize)
{
    for (const QSize& size : {QSize(800, 600), QSize(1280, 800), QSize(1920, 1080)}) {
        m_window.resize(size);
        m_window.resetLayout();
        m_window.searchBar()->open();
        m_window.notesOffer()->offer(QStringLiteral("Notes on a trace were not saved."),
                                     {{QStringLiteral("&Restore"), [] {}}, {QStringLiteral("&Discard"), [] {}}});
        for (int page = 0; page < m_window.bottomPanel()->count(); ++page) {
            m_window.bottomPanel()->setCurrentIndex(page);
            settle();
            handleEvents();
            SCOPED_TRACE(size.width());
            SCOPED_TRACE(m_window.bottomPanel()->tabText(page).toStdString());
            expectWhole(m_window, 40);
            const auto* verdict = control<ElidedLabel>("verdictSentence");
            EXPECT_LE(verdict->linesNeeded(), verdict->lines());
        }
    }
}

// On a screen of 1920 x 1080 at twice its size.
TEST_F(TextFits, ThatTheTabsOfTheFiguresStayInSight)
{
    m_window.resize(960, 540);
    m_window.resetLayout();
    handleEvents();
    const QTabBar* tabs = m_window.bottomPanel()->tabBar();
    EXPECT_EQ(tabs->visibleRegion().boundingRect().height(), tabs->height());
}

TEST_F(TextFits, IntoEveryDialogOfTheMenus)
{
    int dialogs = 0;
    for (QAction* action : openingEntries()) {
        if (action->text().contains("Pri&nt"))
            continue;  // Qt's own
        QWidget* dialog = windowOf([action] { action->trigger(); });
        if (dialog == nullptr)
            continue;
        ++dialogs;
        SCOPED_TRACE(action->text().toStdString());
        expectWhole(*dialog, 2);
        dialog->close();
        handleEvents();
    }
    EXPECT_GE(dialogs, 5);
}

}  // namespace
}  // namespace overlane
