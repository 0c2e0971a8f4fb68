// In a build that counts which lines run: a program that tests start, kill and starve of disk keeps its counts apart
// from those of the tests, which a file that it wrote in part would spoil (tests/coverage.py).
#include <cstdlib>
#include <string>
#include <unistd.h>

namespace
{

__attribute__((constructor)) void keepCountsApart()
{
    setenv("GCOV_PREFIX", (OVERLANE_CHILD_COUNTS "/" + std::to_string(getpid())).c_str(), 1);
}

}  // namespace
