// MainWindow: puts the document's panels around the timeline and connects what they ask for.
//
// Lives on the GUI thread. Owns the document and every panel. With `remember`, layout, theme and
// recent files are read from and written to the user's settings; without, the layout is the default.
#pragma once

#include <QMainWindow>

#include "app/theme/palette.h"
#include "app/ui/document.h"

class QDockWidget;
class QLabel;
class QMenu;
class QProgressBar;
class QSplitter;
class QToolButton;

namespace overlane
{

class BottomPanel;
class DetailsPanel;
class GaugePanel;
class LaboratoryPanel;
class MessageBar;
class SearchBar;
class TimelineView;
class VerdictBar;

class MainWindow : public QMainWindow
{
    Q_OBJECT

public:
    explicit MainWindow(bool remember, QWidget* parent = nullptr);
    ~MainWindow() override;

    Document* document() { return &m_document; }
    MessageBar* messageBar() const { return m_message; }
    VerdictBar* verdictBar() const { return m_verdict; }
    SearchBar* searchBar() const { return m_search; }
    TimelineView* timeline() const { return m_timeline; }
    BottomPanel* bottomPanel() const { return m_bottom; }
    LaboratoryPanel* laboratoryPanel() const { return m_laboratory; }

    void setTheme(Theme theme);
    // The line that says what to try, above the timeline.
    void showHint(const QString& sentence);
    // Selects the event and brings it into view.
    void reveal(EventIndex event);
    // Docks as on a first start, in proportion to the window's size.
    void arrangeDocks();

    void askToOpen();
    // Opens a trace of any format, after asking what becomes of unsaved notes.
    void openFile(const QString& path);
    bool save();
    bool saveAs();

protected:
    void closeEvent(QCloseEvent* event) override;
    void dragEnterEvent(QDragEnterEvent* event) override;
    void dropEvent(QDropEvent* event) override;

private:
    // Goes on at once, or once unsaved notes are saved or given up; not at all where the person cancels.
    void keepNotesThen(std::function<void()> next);
    void makeCentre();
    void makeDocks();
    void makeStatusBar();
    void connectPanels();
    void makeFileMenu();
    void makeEditMenu();
    void makeViewMenu();
    void makeHelpMenu();
    void fillRecentMenu();
    QAction* addAction(QMenu* menu, const QString& label, const QList<QKeySequence>& keys, std::function<void()> run);
    void showTrace();
    void showTitle();
    void showWork();

    Document m_document;
    bool m_remember;
    bool m_closing = false;
    Theme m_theme = Theme::System;

    VerdictBar* m_verdict = nullptr;
    MessageBar* m_message = nullptr;
    QLabel* m_hint = nullptr;
    SearchBar* m_search = nullptr;
    TimelineView* m_timeline = nullptr;
    GaugePanel* m_gauges = nullptr;
    QSplitter* m_splitter = nullptr;
    LaboratoryPanel* m_laboratory = nullptr;
    DetailsPanel* m_details = nullptr;
    BottomPanel* m_bottom = nullptr;
    QDockWidget* m_laboratoryDock = nullptr;
    QDockWidget* m_detailsDock = nullptr;
    QDockWidget* m_bottomDock = nullptr;
    QMenu* m_recent = nullptr;
    QLabel* m_status = nullptr;
    QLabel* m_workTitle = nullptr;
    QProgressBar* m_progress = nullptr;
    QToolButton* m_cancel = nullptr;
};

}  // namespace overlane
