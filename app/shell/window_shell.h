// WindowShell: the window as its tools see it (app/session/shell.h).
//
// Lives on the GUI thread, as a child of the window. While a tool's page is shown, docks and tool bars are hidden and
// menu entries that would change what is not seen are disabled; leaving it brings the layout back.
#pragma once

#include <vector>

#include <QByteArray>
#include <QList>
#include <QRect>

#include "app/session/shell.h"

class QAction;
class QMenu;
class QWidget;

namespace overlane
{

class MainWindow;

class WindowShell final : public Shell
{
    Q_OBJECT

public:
    struct Menus {
        QMenu* tools;  // tools add to these
        QMenu* help;
        QMenu* edit;  // of these, what changes the trace or the view is disabled beside a page
        QMenu* view;
    };
    WindowShell(MainWindow* window, const Menus& menus);
    ~WindowShell() override;

    QWidget* window() const override;
    Document* document() const override;
    Recorder* recorder() const override;
    bool remembers() const override;
    void addEntry(Menu menu, const Entry& entry, std::function<void()> run) override;
    void addTab(QWidget* tab, const QString& title) override;
    void showTab(QWidget* tab) override;
    void addPage(QWidget* page) override;
    void showPage(QWidget* page) override;
    void leavePage() override;
    QWidget* page() const override;
    void setFullScreen(bool full) override;
    void openFile(const QString& path) override;
    void showHelp(const QString& page) override;
    void showLaboratory() override;
    void showNotice(const QString& sentence) override;
    void say(const QString& sentence) override;
    void offerToTry() override;
    void askBeforeClosing(std::function<bool()> mayClose) override;
    void close() override;

protected:
    bool eventFilter(QObject* watched, QEvent* event) override;

private:
    void setMenusEnabled(bool enabled);
    void takeSizeAgain(int tries);

    MainWindow* m_window;
    const Menus m_menus;
    QWidget* const m_usual;  // the center without a page
    bool m_isFull = false;
    int m_helpEntries = 0;
    QByteArray m_layout;         // of the docks, while a page is shown
    QList<QAction*> m_disabled;  // meanwhile
    Qt::WindowStates m_states;   // before the full screen
    QRect m_geometry;
    std::vector<std::function<bool()>> m_mayClose;
};

}  // namespace overlane
