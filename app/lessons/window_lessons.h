// WindowLessons: the lessons as a page of the main window: they take the place of timeline and panels, and
// give it back as it was.
//
// Lives on the GUI thread, with the window, which owns it. Adds the menu entries, and answers the window's
// wish for a lesson. The trace, the laboratory and the layout of the window stay what they are, except where
// an exercise is taken to the laboratory: then what was shown is kept as A, and undo leads back.
#pragma once

#include <memory>

#include <QObject>
#include <QRect>
#include <QSettings>

#include "app/ui/file_chooser.h"
#include "app/ui/laboratory.h"

class QAction;
class QMenu;
class QStackedWidget;

namespace overlane
{

class Explainer;
class LessonPage;
class LessonProgress;
class MainWindow;

class WindowLessons : public QObject
{
    Q_OBJECT

public:
    // With `remember` progress is kept in the user's settings.
    WindowLessons(MainWindow* window, bool remember);
    ~WindowLessons() override;

    LessonPage* page() const { return m_page; }
    Explainer* explainer() const { return m_explainer; }
    LessonProgress* progress() const { return m_progress; }
    bool shown() const;
    // The list, or the lesson with this key; what is said where there is none is an error message.
    void show(const QString& key = {});
    void leave();
    void setFileChooser(FileChooser chooser) { m_chooser = std::move(chooser); }
    void openFolder(const QString& folder);
    // False, with a message, where it could not be written.
    bool writeHandout(const QString& path, bool pdf);

protected:
    bool eventFilter(QObject* watched, QEvent* event) override;

private:
    void addMenu();
    void enter();
    void offerEngines();
    void present(bool presenting);
    void takeSizeAgain(int tries);
    void askForHandout(bool pdf);
    void toLaboratory(const Laboratory::State& state, const QString& title);
    void setMenusEnabled(bool enabled);

    MainWindow* m_window;
    std::unique_ptr<QSettings> m_settings;
    LessonProgress* m_progress;
    QStackedWidget* m_stack;
    QWidget* m_usual;  // what the window shows otherwise
    LessonPage* m_page;
    Explainer* m_explainer;
    FileChooser m_chooser;
    QByteArray m_layout;         // of the docks, while a lesson is shown
    QList<QAction*> m_disabled;  // meanwhile
    Qt::WindowStates m_states;   // before presenting
    QRect m_geometry;
};

}  // namespace overlane
