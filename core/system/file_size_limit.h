// The limit that a person sets to the size of files (ulimit -f), as an error like any other.
//
// Of the whole process; called at the start of main(), before there are threads.
#pragma once

namespace overlane
{

// A write beyond the limit fails from now on (EFBIG) and no longer ends the process (SIGXFSZ). Programs
// that are started later have what is usual, and what a caller ignores stays ignored.
void takeFileSizeLimitAsError();

}  // namespace overlane
