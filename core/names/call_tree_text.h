// What the command line and files show of a call tree: its heaviest nodes as a table, and folded stacks.
//
// Pure functions, any thread.
#pragma once

#include <string>

#include "core/content/block.h"
#include "core/names/call_tree.h"

namespace overlane
{

// The nodes with most time, at most so many, in the order of the tree and indented. From callers
// down, a node that does nothing but call one other is left out.
Table callTable(const CallTree& tree, std::size_t mostRows);

// A line for each node with self time: "outer;inner 1200", nanoseconds behind the names from the root's child on.
// Flamegraph.pl, inferno and speedscope read it. A semicolon within a name becomes a comma.
std::string foldedStacks(const CallTree& tree);

}  // namespace overlane
