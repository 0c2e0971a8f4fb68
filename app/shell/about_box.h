// The About box: what Overlane is, which libraries it stands on, and what this machine offers.
//
// Asking the GPU driver may take seconds, so that is done on another thread; the box is there at once
// and says the rest when it is known.
#pragma once

#include <functional>

#include "core/system/gpu_support.h"

class QWidget;

namespace overlane
{

// `detect` runs on another thread, and may still run after the box was closed.
void showAbout(QWidget* parent, std::function<GpuSupport()> detect = detectGpuSupport);

}  // namespace overlane
