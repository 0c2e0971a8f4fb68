// Picture lanes: which lanes a still picture of a trace shows, top to bottom.
//
// A picture cannot be scrolled or unfolded: it shows the threads that launch GPU work, the loader's
// actors, and per device one lane for each direction of copies and one for its kernels. What is left
// out is counted. Pure, any thread.
#pragma once

#include <string>
#include <vector>

#include "core/analysis/analysis.h"
#include "core/trace/trace.h"

namespace overlane
{

struct PictureLane {
    std::string label;
    std::vector<EventRange> rows;  // drawn as one
    bool onDevice = false;
    bool firstOfGroup = false;  // a line above it
};

struct PictureLanes {
    std::vector<PictureLane> lanes;
    std::size_t threadsLeftOut = 0;
    std::size_t actorsLeftOut = 0;
    std::size_t devicesLeftOut = 0;
    std::size_t gaugesLeftOut = 0;  // where gauges are drawn below
};

PictureLanes pictureLanes(const Trace& trace, const Analysis& analysis);
// " Not drawn: 2 more GPUs."; empty where all is drawn.
std::string leftOutText(const PictureLanes& picture);

}  // namespace overlane
