// The laboratory as the command line asks for it.
//
// GUI thread; reads the arguments only while called.
#pragma once

#include "app/program/window_arguments.h"
#include "app/session/document.h"

namespace overlane
{

// Its preset, device and settings; they are no steps to undo.
Result<void> configureLaboratory(Laboratory& laboratory, const WindowArguments& arguments);

// Runs its settings on this machine's GPU, once the driver has answered.
void runOnGpu(Document& document, bool alsoSimulated);

}  // namespace overlane
