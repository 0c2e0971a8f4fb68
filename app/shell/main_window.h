// MainWindow: puts the document's panels around the timeline and connects what they ask for.
//
// Lives on the GUI thread. Owns the document and every panel. With `remember`, layout, theme, recent
// files and whether the first hint was closed are read from and written to the user's settings;
// without, the window is as on a first start and leaves nothing behind.
#pragma once

#include <functional>
#include <map>
#include <memory>
#include <optional>

#include <QMainWindow>

#include "app/session/document.h"
#include "app/theme/palette.h"
#include "app/widgets/file_chooser.h"

class QDockWidget;
class QLabel;
class QMenu;
class QProgressBar;
class QSplitter;
class QStackedWidget;
class QToolButton;

namespace overlane
{

class BottomPanel;
class DropTarget;
class Exporter;
class DetailsPanel;
class FirstHint;
class GaugePanel;
class HelpWindow;
class LaboratoryPanel;
struct LaneSpot;
class LaboratoryDock;
class LentHeight;
class MessageBar;
class NotesKeeper;
class OfferBar;
class RecordBar;
class RecordDialog;
class Recorder;
class SearchBar;
class SecondTimelines;
class StatusLine;
class TimelineView;
class TraceTabs;
class UnsavedFile;
class VerdictBar;
class WindowShell;

class MainWindow : public QMainWindow
{
    Q_OBJECT

public:
    // `theme`: the one that the application has. `size`: in place of the one that the last window had.
    explicit MainWindow(bool remember, Theme theme = Theme::System, std::optional<QSize> size = {},
                        QWidget* parent = nullptr);
    ~MainWindow() override;

    Document* document() { return &m_document; }
    MessageBar* messageBar() const { return m_message; }
    VerdictBar* verdictBar() const { return m_verdict; }
    SearchBar* searchBar() const { return m_search; }
    TimelineView* timeline() const { return m_timeline; }
    BottomPanel* bottomPanel() const { return m_bottom; }
    SecondTimelines* secondTimelines() const { return m_secondTimelines; }
    LaboratoryPanel* laboratoryPanel() const { return m_laboratory; }

    // What tools are plugged into.
    WindowShell* shell() const { return m_shell; }
    bool remembers() const { return m_remember; }

    // The timeline, and whatever is added to be shown in its place. The central widget stays the same one: a
    // layout that waits for the window to be maximized would point at the one before.
    QStackedWidget* pages() const { return m_pages; }

    FirstHint* firstHint() const { return m_hint; }
    QLabel* statusLine() const;
    // What is in sight, in the status bar: the page of a tool by its window title, or the trace.
    void describeShown();
    Recorder* recorder() const { return m_recorder; }
    RecordBar* recordBar() const { return m_recordBar; }

    LaboratoryDock* laboratoryDock() const { return m_laboratoryDock; }
    LentHeight* lentHeight() const { return m_lentHeight; }
    OfferBar* notesOffer() const { return m_offer; }

    void setTheme(Theme theme);
    // Unsaved notes are kept in this folder against a crash, and what crashes left there is offered.
    void keepNotesIn(const QString& folder);
    // Who answers for the names of files, instead of dialogs.
    NotesKeeper* notesKeeper() const { return m_keeper.get(); }
    Exporter* exporter() const { return m_exporter; }
    void setFileChooser(FileChooser chooser) { m_chooser = std::move(chooser); }
    // What to try first, above the timeline, unless it was closed for good before.
    void offerFirstHint();
    // A page of help by name (HelpWindow::pages()).
    // `section`: scrolls to the one with this name.
    HelpWindow* showHelp(const QString& page, const QString& section = {});
    // Selects the event and brings it into view.
    void reveal(EventIndex event);
    // The next or previous event behind the finding last touched.
    void showEvidence(int step);
    // The events in sight, times and lanes, as a table with the focus.
    void listInSight();
    // A tab of the figures, with the room that it needs.
    void showFigures(QWidget* page);
    // Docks as on a first start, in proportion to the window's size.
    void arrangeDocks();
    // The first trace will be an opened one: the laboratory steps aside before the window is shown.
    void beginWithFile();
    void resetLayout();

    void askToOpen();
    TraceTabs* tabs() const { return m_tabs; }
    // Opens a trace of any format in a tab of its own.
    void openFile(const QString& path);
    // The shown file once more, after asking what becomes of unsaved notes.
    void readAgain(const QString& path);
    // Goes on at once, or once unsaved notes are saved or given up; not at all where the person cancels. The answer may
    // be known.
    enum class NotesAnswer : std::uint8_t { Ask, Save, Discard };
    void keepNotesThen(std::function<void()> next, NotesAnswer answer = NotesAnswer::Ask);
    // Files that another start of the program handed over.
    void takeFiles(const QStringList& paths);
    // The traces of the last time, where a person wants them at the start; else they are offered.
    void offerLastTraces();
    void openLastTraces();
    OfferBar* tracesOffer() const { return m_tracesOffer; }
    // One of the recent files; one that is gone is said and taken off the list.
    void openRecent(const QString& path);
    // Asks for a second trace, or takes one, and shows it below the first.
    void askToCompare();
    void compareWith(const QString& path);
    void compareWith(const Document::Other& other);
    bool save();
    bool saveAs();
    // Asks which program to record.
    RecordDialog* askToRecord();
    // Records with this library instead of the one beside the program.
    void setRecordLibrary(const std::string& library) { m_recordLibrary = library; }
    // The window as it is, as a PNG.
    void exportPicture();
    void exportReport();
    void printReport();
    // Of the table in sight, all rows of its filter in its order.
    void exportTable();
    void sharePart();
    QString titleForFiles() const;

signals:
    // A lesson by its key, or the list of them.
    void lessonRequested(const QString& key);
    void jobRequested(const QStringList& paths);
    void fleetRequested(const QString& path);

protected:
    void closeEvent(QCloseEvent* event) override;
    void dragEnterEvent(QDragEnterEvent* event) override;
    void dragLeaveEvent(QDragLeaveEvent* event) override;
    void dropEvent(QDropEvent* event) override;
    void changeEvent(QEvent* event) override;
    // Files dropped on a text are meant for the window; at its first paint it is fitted to the screen.
    bool eventFilter(QObject* watched, QEvent* event) override;

private:
    // Asks for the name, where a person may change what is suggested.
    bool saveUnder(const QString& suggested);
    // A change of docks that older saved layouts do not know.
    static constexpr int kLayoutVersion = 1;
    static constexpr int kMessageMs = 8000;

    // What a dialog offers to open.
    static QString traceFilters();
    void makeTabs();
    void makeTraceActions(QMenu* menu);
    void makeTabActions(QMenu* menu);
    void rememberTraces();
    // Asks for every trace with unsaved notes; true once nothing is in the way of the end.
    bool mayLeaveNotes();
    void askBeforeRun(std::function<void()> run);
    // Once the file being written is there; never where it fails.
    void onceSaved(std::function<void()> next);
    void restoreLayout(bool withGeometry);
    QSize roomOnScreen() const;
    // Panels share a place and the timeline yields.
    bool small() const;
    void makeCenter();
    void makeDocks();
    void makeStatusBar();
    void makeRecorder();
    void makeSecondTimelines();
    // The running recording is kept, and the window closes, unless the person wants neither.
    bool mayLeaveRecording();
    void connectPanels();
    void takeKeys();
    void makeFileMenu();
    QMenu* makeEditMenu();
    QMenu* makeViewMenu();
    void makeMotionMenu(QMenu* menu);
    QMenu* makeHelpMenu();
    void makeSampleMenu(QMenu* menu);
    void fillRecentMenu();
    // `meaning` is what the status bar and the page of shortcuts say of it.
    QAction* addAction(QMenu* menu, const QString& label, const QString& meaning, const QList<QKeySequence>& keys,
                       std::function<void()> run);
    void showTrace();
    void describeTrace();
    // As reveal(), and zoomed in where it would be too narrow to be seen.
    void showClearly(EventIndex event);
    void showLaneMenu(const LaneSpot& spot, QPoint globalPos);
    void forgetLastTrace();
    // In the status bar, until another trace is shown.
    void sayOfTrace(const QString& sentence);
    // The bookmarks and the folding of tracks that belong to the trace shown.
    void connectMarks();
    void showMarks();
    QString foldingToShow(const QString& file) const;
    void offerNotes();
    void restoreNotes(const UnsavedFile* file);
    void putNotes(const UnsavedFile* file);
    void showInsight();
    // Selects an event and shows it as large as it is easy to see.
    void zoomTo(EventIndex event);
    void showTitle();
    void showWork();
    void cancelWork();
    // Where the first trace could not be had, the default scenario is drawn instead.
    void neverStayEmpty();

    Document m_document;
    std::unique_ptr<NotesKeeper> m_keeper;
    bool m_remember;
    bool m_asking = false;                  // whether a run may take the place of a file
    bool m_showingTrace = false;            // what changes now was not made by hand
    std::map<QString, QString> m_foldings;  // of the traces of this session, by file
    QString m_foldingOf;                    // the file whose folding the timeline shows
    std::uint64_t m_line = 0;               // of the document, when it was shown last
    QString m_saidOfTrace;
    std::weak_ptr<const Trace> m_toldTrace;  // of which it was said
    bool m_fellBack = false;
    Theme m_theme;
    FileChooser m_chooser;

    QStackedWidget* m_pages = nullptr;
    VerdictBar* m_verdict = nullptr;
    MessageBar* m_message = nullptr;
    OfferBar* m_offer = nullptr;  // of notes that a crash left
    OfferBar* m_tracesOffer = nullptr;
    TraceTabs* m_tabs = nullptr;
    bool m_hadTraces = false;  // files, since the start
    Recorder* m_recorder = nullptr;
    RecordBar* m_recordBar = nullptr;
    std::string m_recordLibrary;
    FirstHint* m_hint = nullptr;
    HelpWindow* m_help = nullptr;
    SearchBar* m_search = nullptr;
    TimelineView* m_timeline = nullptr;
    GaugePanel* m_gauges = nullptr;
    QSplitter* m_splitter = nullptr;
    LaboratoryPanel* m_laboratory = nullptr;
    DetailsPanel* m_details = nullptr;
    Exporter* m_exporter;
    DropTarget* m_dropTarget;
    BottomPanel* m_bottom = nullptr;
    SecondTimelines* m_secondTimelines = nullptr;
    LaboratoryDock* m_laboratoryDock = nullptr;
    QDockWidget* m_detailsDock = nullptr;
    QDockWidget* m_bottomDock = nullptr;
    LentHeight* m_lentHeight = nullptr;
    WindowShell* m_shell = nullptr;
    QMenu* m_recent = nullptr;
    StatusLine* m_status = nullptr;
    QLabel* m_workTitle = nullptr;
    QProgressBar* m_progress = nullptr;
    QToolButton* m_cancel = nullptr;
};

}  // namespace overlane
