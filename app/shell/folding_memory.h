// FoldingMemory: which tracks of a file a person folded, kept from one start to the next among the user's
// settings, so that files in other programs' formats keep it, too.
//
// Lives on the GUI thread. A file is known by its path, size and time of change: one that was written
// anew has other tracks. The files last folded, newest first, at most kMost of them.
#pragma once

#include <QString>

namespace overlane
{

class FoldingMemory
{
public:
    static constexpr int kMost = 64;
    static constexpr qsizetype kLongest = 65'536;  // characters; more than that is not kept

    // As it was given to keep(); empty where nothing is known of the file as it is now.
    QString of(const QString& path) const;
    void keep(const QString& path, const QString& folding);
};

}  // namespace overlane
