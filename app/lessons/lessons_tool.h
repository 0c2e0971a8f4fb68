// LessonsTool: the lessons as a page in the place of timeline and panels, with their menu entries.
//
// Lives on the GUI thread, as a child of the window it is plugged into. Trace, laboratory and layout stay what they
// are, except where an exercise is taken to the laboratory: what was shown is then kept as A, and undo leads back.
#pragma once

#include <memory>

#include <QObject>
#include <QSettings>

#include "app/session/laboratory.h"
#include "app/widgets/file_chooser.h"

namespace overlane
{

class Explainer;
class LessonPage;
class LessonProgress;
class Shell;

class LessonsTool : public QObject
{
    Q_OBJECT

public:
    // With `remember` progress is kept in the user's settings.
    LessonsTool(Shell* shell, bool remember);

    // Made when it is first asked for, so that no start of the window waits for it.
    LessonPage* page();
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

private:
    void addMenu();
    void makePage();
    void offerEngines();
    void askForHandout(bool pdf);
    void toLaboratory(const Laboratory::State& state, const QString& title);

    Shell* m_shell;
    std::unique_ptr<QSettings> m_settings;
    LessonProgress* m_progress;
    LessonPage* m_page = nullptr;
    Explainer* m_explainer;
    FileChooser m_chooser;
};

}  // namespace overlane
