#include "app/second/what_if_text.h"

#include <algorithm>
#include <cmath>

#include <QCoreApplication>
#include <QStringList>

#include "app/widgets/text.h"

namespace overlane
{

namespace
{

// From here on page-locked memory hurts everything else.
constexpr double kMuchOfRam = 0.5;

QString tr(const char* words)
{
    return QCoreApplication::translate("WhatIf", words);
}

double ratio(std::int64_t aNs, std::int64_t bNs)
{
    return bNs > 0 ? static_cast<double>(aNs) / static_cast<double>(bNs) : 1;
}

QString errorText(const ReplayReport& report)
{
    return QStringLiteral("%1%2 %")
        .arg(report.error() < 0 ? QStringLiteral("\u2212") : QStringLiteral("+"))
        .arg(std::abs(100 * report.error()), 0, 'f', 1);
}

QString replaySentence(const ReplayReport& report)
{
    QString sentence =
        (report.wholeRange ? tr("Baseline replay: %1 for the range, measured %2 (%3).")
                           : tr("Baseline replay: %1 per step, measured %2 (%3)."))
            .arg(durationText(report.stepNsReplayed), durationText(report.stepNsMeasured), errorText(report));
    if (const std::string difference = report.differenceSentence(); !difference.empty())
        sentence.prepend(text(difference) + ' ');
    return report.trusted() ? sentence
                            : sentence + ' ' +
                                  tr("The trace lacks some dependencies; predictions are no more accurate than the "
                                     "replay.");
}

QString waitsSentence(const ReplayReport& report)
{
    const QString judged = report.wholeRange ? tr("Whole range") : tr("Judged: %1").arg(text(report.judgedSteps()));
    QString sentence =
        judged + tr(". Waits: %1 recorded, %2 inferred, %3 unresolved.")
                     .arg(text(formatCount(report.recordedWaits)), text(formatCount(report.inferredWaits)),
                          text(formatCount(report.unknownWaits)));
    if (report.unexplainedNs > 0)
        sentence += ' ' + (report.wholeRange ? tr("Unexplained launch delay of %1 is kept.")
                                             : tr("Unexplained launch delay of %1 per step is kept."))
                              .arg(durationText(report.unexplainedNs));
    for (const std::string& limit : report.limits)
        sentence += ' ' + text(limit);
    return sentence;
}

QString memorySentence(const Prediction& prediction)
{
    if (prediction.pinnedBytes <= 0)
        return {};
    const QString needed = tr("Needs %1 of pinned memory").arg(text(formatBytes(prediction.pinnedBytes)));
    if (prediction.ramBytes <= 0)
        return needed + tr("; the trace does not tell how much memory the machine has.");
    return needed + tr(" of %1 (%2).").arg(text(formatBytes(prediction.ramBytes)), text(prediction.ramOrigin));
}

QString busySentence(const Prediction& prediction)
{
    QStringList parts;
    for (int what = 0; what < kBottleneckCount; ++what)
        if (const std::int64_t ns = prediction.busyNs[static_cast<std::size_t>(what)]; ns > 0)
            parts << QStringLiteral("%1 %2").arg(text(bottleneckName(static_cast<Bottleneck>(what))), durationText(ns));
    return parts.isEmpty() ? QString()
                           : (prediction.ofRange ? tr("Busy in all: %1.") : tr("Busy in a step: %1."))
                                 .arg(parts.join(QStringLiteral(", ")));
}

QStringList adviceOf(const Prediction& prediction)
{
    QStringList lines;
    for (const std::string& sentence : prediction.advice)
        lines << text(sentence);
    return lines;
}

QStringList rangeLines(const Prediction& prediction)
{
    QStringList lines;
    for (const std::string& origin : prediction.rangeOrigins)
        lines << tr("Range by %1.").arg(text(origin));
    return lines;
}

QString measuredSentence(const ReplayReport& report)
{
    const QString measured = durationText(report.stepNsMeasured);
    return (report.wholeRange
                ? tr("%1 in all, measured: no iterations are seen, so the range is replayed as a whole.").arg(measured)
                : tr("%1 a step, measured: the average of %2.").arg(measured, text(report.judgedSteps()))) +
           ' ' + tr("Switch a change on to see what it would give.");
}

QString paragraph(const QString& words, const QString& style = {})
{
    return words.isEmpty() ? QString()
                           : QStringLiteral("<p style='margin:0 0 3px 0;%1'>%2</p>").arg(style, words.toHtmlEscaped());
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
    const double speed = ratio(prediction.stepNsMeasured, prediction.stepNsPredicted);
    QString how;
    switch (prediction.direction()) {
        case Direction::Faster:
            how = tr("%1 \u00d7 faster").arg(speed, 0, 'f', 2);
            break;
        case Direction::Slower:
            how = tr("%1 \u00d7 slower").arg(1 / speed, 0, 'f', 2);
            break;
        case Direction::Unclear:
            how = unclearText(prediction.stepNsReplayed, prediction.stepNsPredicted, prediction.noise);
            break;
    }
    return (prediction.ofRange ? tr("%1 \u2192 %2 in all, %3; range %4 to %5")
                               : tr("%1 \u2192 %2 a step, %3; range %4 to %5"))
        .arg(durationText(prediction.stepNsMeasured), durationText(prediction.stepNsPredicted), how,
             durationText(prediction.lowNs), durationText(prediction.highNs));
}

QString predictionHtml(const Prediction& prediction, const ReplayReport& report, const Palette& colors)
{
    const bool faster = prediction.direction() == Direction::Faster;
    const QString muted = QStringLiteral("color:%1").arg(colors.mutedText.name());
    QString html =
        QStringLiteral("<p style='margin:0 0 4px 0; font-size:15px; color:%1'><b>%2</b></p>")
            .arg((faster ? colors.good : colors.text).name(), predictionHeadline(prediction).toHtmlEscaped());
    html += paragraph(text(bottleneckSentence(prediction.bottleneck)) + ' ' + busySentence(prediction));
    const bool muchMemory = prediction.ramBytes > 0 && static_cast<double>(prediction.pinnedBytes) >
                                                           kMuchOfRam * static_cast<double>(prediction.ramBytes);
    html += paragraph(memorySentence(prediction),
                      muchMemory ? QStringLiteral("color:%1").arg(colors.warning.name()) : QString());
    html += paragraph(replaySentence(report),
                      report.trusted() ? QString() : QStringLiteral("color:%1").arg(colors.warning.name()));
    for (const QString& line : adviceOf(prediction))
        html += paragraph(QStringLiteral("\u2022 ") + line);
    for (const QString& line : rangeLines(prediction))
        html += paragraph(line, muted);
    for (const std::string& note : prediction.notes)
        html += paragraph(text(note), muted);
    return html;
}

QString predictionPlain(const Prediction& prediction, const ReplayReport& report, const QString& title)
{
    QStringList lines;
    lines << tr("%1, predicted with %2:").arg(title, text(changeText(prediction.changes)));
    lines << predictionHeadline(prediction);
    lines << text(bottleneckSentence(prediction.bottleneck)) << busySentence(prediction) << memorySentence(prediction)
          << replaySentence(report) << waitsSentence(report);
    lines << adviceOf(prediction) << rangeLines(prediction);
    for (const std::string& note : prediction.notes)
        lines << text(note);
    lines.removeAll(QString());
    return lines.join('\n') + '\n';
}

QString replayHtml(const ReplayReport& report, const Palette& colors)
{
    return QStringLiteral("<p style='margin:0 0 4px 0; font-size:15px'><b>%1</b></p>")
               .arg(measuredSentence(report).toHtmlEscaped()) +
           paragraph(replaySentence(report),
                     report.trusted() ? QString() : QStringLiteral("color:%1").arg(colors.warning.name())) +
           paragraph(waitsSentence(report), QStringLiteral("color:%1").arg(colors.mutedText.name()));
}

QString predictedTitle(const Prediction& prediction)
{
    return text(changeText(prediction.changes));
}

QString predictedRest(const Prediction& prediction, const ReplayReport& report)
{
    return predictionHeadline(prediction) + QStringLiteral(" \u00b7 ") + tr("replay error %1").arg(errorText(report));
}

}  // namespace overlane
