// UnsavedNotes: what a person made of one trace and has not saved, and the file that keeps it against a crash.
//
// One small JSON file for each window, written whole or not at all, in a folder of the user's. A lock beside
// it says that its window lives; a file without a living owner is what a crash left. Threads: write() may run
// on a worker, everything else where the object lives, never at the same time. Sizes in bytes, times in
// milliseconds since 1970.
#pragma once

#include <memory>
#include <optional>
#include <vector>

#include <QLockFile>
#include <QString>

#include "core/base/result.h"

namespace overlane
{

struct UnsavedNotes {
    QString title;  // of the trace
    QString path;   // absolute; empty for a run that no file holds
    std::int64_t fileBytes = 0;
    std::int64_t fileChangedMs = 0;
    QString scenarioJson;  // of a run of the laboratory, which makes it again
    QString deviceKey;
    QString notes;
    QString bookmarks;  // as Bookmarks::toText()
    QString folding;    // as TimelineView::folding()
    std::int64_t madeMs = 0;

    // Takes path, size and time of change from the file; none of them where it is not there.
    void takeFile(const QString& file);
    // Whether the file is there as it was.
    bool fileIsSame() const;

    friend bool operator==(const UnsavedNotes&, const UnsavedNotes&) = default;
};

class UnsavedFile
{
public:
    // Where the program keeps them.
    static QString usualFolder();
    // A name of its own in the folder, which is made if need be; nothing is written yet.
    static Result<std::unique_ptr<UnsavedFile>> make(const QString& folder);
    // The files whose windows are gone, oldest first, held from now on.
    static std::vector<std::unique_ptr<UnsavedFile>> leftIn(const QString& folder);

    // As it was when it was found.
    const UnsavedNotes& left() const { return m_left; }
    const QString& file() const { return m_file; }

    Result<void> write(const UnsavedNotes& notes) const;
    void remove() const;

private:
    explicit UnsavedFile(const QString& file);

    QString m_file;
    QLockFile m_lock;
    UnsavedNotes m_left;
};

}  // namespace overlane
