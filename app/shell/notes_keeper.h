// NotesKeeper: keeps a document's unsaved notes, bookmarks and folding in a file, so that a crash loses none
// of them, and finds what earlier crashes left.
//
// Lives on the GUI thread, writes on a worker soon after a change. The file is there exactly while the
// document has something unsaved: saving it or giving it up removes the file. What is left by a window that
// is gone belongs to the one window that found it first.
#pragma once

#include <functional>
#include <memory>
#include <vector>

#include <QObject>
#include <QTimer>

#include "app/session/background_worker.h"
#include "app/session/unsaved_notes.h"

namespace overlane
{

class Document;

class NotesKeeper : public QObject
{
    Q_OBJECT

public:
    static constexpr int kSoonMs = 300;

    NotesKeeper(Document* document, const QString& folder, QObject* parent = nullptr);
    // What is unsaved by now stays in the file.
    ~NotesKeeper() override;

    // The document goes on with another trace: the file with what is unsaved by now, or nothing. takeBack() goes on
    // with it once its trace is shown again.
    std::shared_ptr<UnsavedFile> setAside();
    void takeBack(std::shared_ptr<UnsavedFile> file) { m_file = std::move(file); }

    // Looks for what windows left that are gone since; left() has all of it.
    void look();
    const std::vector<std::unique_ptr<UnsavedFile>>& left() const { return m_left; }
    void discard(const UnsavedFile* file);
    // It is part of the document's notes by now: removed once they are kept.
    void merge(const UnsavedFile* file);

signals:
    void failed(const QString& sentence);

private:
    void change();
    void keep();
    std::unique_ptr<UnsavedFile> take(const UnsavedFile* file);
    UnsavedNotes present() const;

    Document* m_document;
    QString m_folder;
    UnsavedNotes m_trace;  // the shown one, without what was made of it
    std::shared_ptr<UnsavedFile> m_file;
    std::vector<std::unique_ptr<UnsavedFile>> m_left;
    std::vector<std::shared_ptr<UnsavedFile>> m_merged;
    bool m_told = false;
    QTimer m_soon;
    std::unique_ptr<BackgroundWorker> m_worker;
};

}  // namespace overlane
