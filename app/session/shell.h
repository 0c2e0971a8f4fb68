// Shell: what the window offers to a tool that is plugged into it: its document, and places in its menus, its tabs and
// its center. The window implements it (app/shell/window_shell.h); a tool never sees the window itself. All tools
// stand in app/program/tools.cpp.
//
// Lives on the GUI thread. Tools are children of window(), as the shell is, and ask nothing of it in
// their destructors.
#pragma once

#include <cstdint>
#include <functional>

#include <QKeySequence>
#include <QObject>
#include <QString>
#include <QStringList>

namespace overlane
{

class Document;
class Recorder;

class Shell : public QObject
{
    Q_OBJECT

public:
    using QObject::QObject;

    enum class Menu : std::uint8_t { Tools, Help };
    struct Entry {
        QString label;
        QString meaning;  // for the status bar and the page of shortcuts
        QKeySequence keys = {};
        QString objectName = {};
    };

    virtual QWidget* window() const = 0;  // the parent of dialogs
    virtual Document* document() const = 0;
    virtual Recorder* recorder() const = 0;
    // Whether what a person chooses is kept among the user's settings.
    virtual bool remembers() const = 0;

    virtual void addEntry(Menu menu, const Entry& entry, std::function<void()> run) = 0;
    // A tab beside the other figures; its plot is lent the height that it needs.
    virtual void addTab(QWidget* tab, const QString& title) = 0;
    virtual void showTab(QWidget* tab) = 0;

    // A page in the place of timeline, panels and their menus. Without full screen it keeps menu bar and status bar,
    // which shows its window title.
    virtual void addPage(QWidget* page) = 0;
    virtual void showPage(QWidget* page) = 0;
    virtual void leavePage() = 0;
    virtual QWidget* page() const = 0;  // the one that is shown; nullptr beside the timeline
    virtual void setFullScreen(bool full) = 0;

    virtual void openFile(const QString& path) = 0;
    virtual void showHelp(const QString& page) = 0;
    virtual void showLaboratory() = 0;
    virtual void showNotice(const QString& sentence) = 0;  // until it is closed
    virtual void say(const QString& sentence) = 0;         // in the status bar, for some seconds
    // Offers "Try it ..." beside predictions, which asks tryRequested().
    virtual void offerToTry() = 0;
    // Asked before the window closes, which stays where one of them says false.
    virtual void askBeforeClosing(std::function<bool()> mayClose) = 0;
    virtual void close() = 0;

signals:
    // The window is about to close; all pages must be left by then.
    void closing();
    void lessonRequested(const QString& key);
    void jobRequested(const QStringList& paths);  // folders, traces of ranks
    void fleetRequested(const QString& path);     // its folder, or its file
    void tryRequested();
};

}  // namespace overlane
