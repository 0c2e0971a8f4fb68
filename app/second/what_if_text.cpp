#include "app/second/what_if_text.h"

#include <cmath>

#include <QCoreApplication>

#include "app/widgets/rich_text.h"
#include "app/widgets/text.h"
#include "core/content/terminal.h"
#include "core/replay/prediction_blocks.h"

namespace overlane
{

namespace
{

QString tr(const char* words)
{
    return QCoreApplication::translate("WhatIf", words);
}

double ratio(std::int64_t aNs, std::int64_t bNs)
{
    return bNs > 0 ? static_cast<double>(aNs) / static_cast<double>(bNs) : 1;
}

Blocks withReplay(const Prediction& prediction, const ReplayReport& report)
{
    Blocks blocks = predictionBlocks(prediction);
    const Blocks replay = replayBlocks(report);
    blocks.insert(blocks.end(), replay.begin(), replay.end());
    return blocks;
}

}  // namespace

QString unclearText(std::int64_t beforeNs, std::int64_t afterNs, const Noise& noise)
{
    return text(changeWords(beforeNs, afterNs, noise)).replace(QLatin1String("(-"), QStringLiteral("(\u2212"));
}

QString trialText(std::int64_t beforeNs, std::int64_t afterNs, const Noise& noise)
{
    const Direction direction = noise.direction(beforeNs, afterNs);
    if (direction == Direction::Unclear)
        return unclearText(beforeNs, afterNs, noise);
    const double percent = std::abs(100 * (ratio(afterNs, beforeNs) - 1));
    return (direction == Direction::Faster ? tr("%1, %2 % less") : tr("%1, %2 % more"))
        .arg(durationText(afterNs))
        .arg(percent, 0, 'f', percent < 9.5 ? 1 : 0);
}

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
    return predictionHeadline(prediction) +
           QStringLiteral(" \u00b7 replay error %1").arg(text(replayErrorText(report)));
}

}  // namespace overlane
