// RecordStatusLine: the one line about a running recording that is drawn over and over, where standard error is a
// terminal.
//
// Writes to the stream that it borrows; one thread. Of the ranks of a job, which share a terminal, one draws.
#pragma once

#include <ostream>
#include <string>

#include "core/recorder/record_session.h"

namespace overlane
{

// "overlane: recording 3.20 s; 1,204 kernels, 31 copies, 1.2 GiB"
std::string recordStatusText(const RecordSession& session);

class RecordStatusLine
{
public:
    RecordStatusLine(std::ostream& err, bool draws);
    ~RecordStatusLine();
    RecordStatusLine(const RecordStatusLine&) = delete;
    RecordStatusLine& operator=(const RecordStatusLine&) = delete;

    void draw(const std::string& text);
    void clear();
    // A line that stays.
    void say(const std::string& sentence);

private:
    std::ostream& m_err;
    bool m_terminal;
    bool m_drawn;
};

}  // namespace overlane
