// BarPaths: bars gathered by look, one SVG path each, so that a thousand bars cost a few kilobytes.
//
// Owns its text; one thread. Coordinates in pixels of the drawing.
#pragma once

#include <map>
#include <string>
#include <string_view>

#include "core/lod/lane_spans.h"

namespace overlane
{

// The CSS classes of a bar: its kind, pattern and level.
std::string barClass(EventKind kind, MemorySet memory, std::uint8_t level);

class BarPaths
{
public:
    void add(const std::string& cssClass, double leftPx, double rightPx, double topPx, double bottomPx);
    // The paths, in order of class.
    std::string svg() const;

private:
    std::map<std::string, std::string> m_paths;
};

}  // namespace overlane
