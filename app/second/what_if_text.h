// Words of the what-if tab: what a prediction says in full.
//
// Pure functions. Rich text only where the name says so.
#pragma once

#include <QString>

#include "app/theme/palette.h"
#include "core/replay/prediction.h"
#include "core/replay/replay.h"

namespace overlane
{

// "5.70 ms a step, 60 % less; range 5.60 ms to 5.90 ms".
QString predictionHeadline(const Prediction& prediction);
// The blocks of core/replay/prediction_blocks.h: the prediction, then the replay that it rests on.
QString predictionHtml(const Prediction& prediction, const ReplayReport& report, const Palette& colors);
// The same as plain text, to be pasted.
QString predictionPlain(const Prediction& prediction, const ReplayReport& report, const QString& title);
// What the replay without change says.
QString replayHtml(const ReplayReport& report, const Palette& colors);
// For the title above the predicted timeline.
QString predictedTitle(const Prediction& prediction);
QString predictedRest(const Prediction& prediction, const ReplayReport& report);

}  // namespace overlane
