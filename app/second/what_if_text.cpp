#include "app/second/what_if_text.h"

#include "app/widgets/rich_text.h"
#include "app/widgets/text.h"
#include "core/content/terminal.h"
#include "core/replay/prediction_blocks.h"

namespace overlane
{

namespace
{

Blocks withReplay(const Prediction& prediction, const ReplayReport& report)
{
    Blocks blocks = predictionBlocks(prediction);
    const Blocks replay = replayBlocks(report);
    blocks.insert(blocks.end(), replay.begin(), replay.end());
    return blocks;
}

}  // namespace

QString predictionHeadline(const Prediction& prediction)
{
    return text(predictedTime(prediction));
}

QString predictionHtml(const Prediction& prediction, const ReplayReport& report, const Palette& colors)
{
    return richText(withReplay(prediction, report), colors);
}

QString predictionPlain(const Prediction& prediction, const ReplayReport& report, const QString& title)
{
    return title + '\n' + text(terminalText(withReplay(prediction, report)));
}

QString replayHtml(const ReplayReport& report, const Palette& colors)
{
    Blocks blocks = replayBlocks(report);
    blocks.emplace_back(Sentence{"Switch a change on to see what it would give."});
    return richText(blocks, colors);
}

QString predictedTitle(const Prediction& prediction)
{
    return text(changeText(prediction.changes));
}

QString predictedRest(const Prediction& prediction, const ReplayReport& report)
{
    return predictionHeadline(prediction) + u" \u00b7 replay error %1"_s.arg(text(replayErrorText(report)));
}

}  // namespace overlane
