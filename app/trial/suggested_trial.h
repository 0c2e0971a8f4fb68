// SuggestedTrial: what to try, from the shown recording or from what was recorded last.
//
// Pure functions, any thread.
#pragma once

#include <QString>

namespace overlane
{

struct TraceMetadata;

struct SuggestedTrial {
    QString command;  // as in a shell; empty: nothing is known
    QString directory;
    bool ofTrace = false;  // else of what was recorded last
};

// What the record dialog kept: the command and its folder, and variables, one NAME=VALUE a line.
struct LastRecorded {
    QString command;
    QString directory;
    QString environment;
};

// Of a trace that `overlane record` or the window made; `trace` may be null.
SuggestedTrial suggestedTrial(const TraceMetadata* trace, const LastRecorded& last);

// Words as a shell reads them back as the same.
QString shellQuoted(const QString& word);

}  // namespace overlane
