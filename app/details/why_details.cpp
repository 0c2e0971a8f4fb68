#include "app/details/why_details.h"

#include <algorithm>

#include <QObject>

#include "app/theme/cause_color.h"
#include "app/timeline/gap_tip.h"
#include "app/widgets/rich_text.h"
#include "app/widgets/text.h"
#include "core/analysis/advice.h"
#include "core/analysis/copy_verdict.h"
#include "core/analysis/role_shares.h"
#include "core/analysis/steps.h"
#include "core/base/exact_time.h"

namespace overlane
{

namespace
{

constexpr std::size_t kMostPieces = 6;
constexpr qsizetype kLongestLink = 60;

QString upperFirst(std::string_view words)
{
    QString made = text(words);
    if (!made.isEmpty())
        made[0] = made[0].toUpper();
    return made;
}

QString eventLink(const DetailsRows& rows, const Trace& trace, EventIndex event)
{
    const QString name = elidedInTheMiddle(text(trace.name(event)), kLongestLink);
    return rows.link(u"event:%1"_s.arg(event.value()),
                     u"%1 (%2)"_s.arg(name.isEmpty() ? text(kindName(trace.kind(event))) : name,
                                      durationText(trace.interval(event).lengthNs())));
}

QString evidenceHtml(const DetailsRows& rows, const Trace& trace, const CopyReason& reason)
{
    QString html;
    for (const CopyEvidence& evidence : reason.evidence)
        html += u"<br>%1 %2"_s.arg(upperFirst(evidenceRoleName(evidence.role)), eventLink(rows, trace, evidence.event));
    return html;
}

// "explicit synchronization, 3.10 ms: cudaDeviceSynchronize", the event as a link.
QString pieceHtml(const DetailsRows& rows, const Trace& trace, const Analysis& analysis, std::int32_t device,
                  const IdlePiece& piece, const DetailsColors& colors)
{
    const IdleEvidence evidence = idleEvidence(trace, analysis, device, piece);
    QString html = colors.palette != nullptr ? colorSquare(causeColor(*colors.palette, piece.cause)) + ' ' : QString();
    html += u"%1, %2"_s.arg(upperFirst(lostCauseName(piece.cause)).toHtmlEscaped(),
                            durationText(piece.interval.lengthNs()));
    if (!evidence.actor.empty())
        html += u": %1 worked longest"_s.arg(text(evidence.actor).toHtmlEscaped());
    if (evidence.event.valid() && evidence.event == evidence.next)
        html += u"<br>"_s + u"before %1"_s.arg(eventLink(rows, trace, evidence.event));
    else if (evidence.event.valid())
        html += u"<br>"_s + eventLink(rows, trace, evidence.event);
    if (evidence.late.valid() && evidence.late != evidence.event)
        html += u"<br>"_s + eventLink(rows, trace, evidence.late);
    return html;
}

void addPieces(DetailsRows& rows, const Trace& trace, const Analysis& analysis, const IdleGapAt& gap,
               const DetailsColors& colors)
{
    std::vector<IdlePiece> pieces = idlePieces(analysis, gap.device, gap.interval);
    std::vector<std::size_t> longest(pieces.size());
    for (std::size_t i = 0; i < longest.size(); ++i)
        longest[i] = i;
    const std::size_t count = std::min(kMostPieces, longest.size());
    std::partial_sort(longest.begin(), longest.begin() + static_cast<std::ptrdiff_t>(count), longest.end(),
                      [&](std::size_t a, std::size_t b) {
                          return std::pair(-pieces[a].interval.lengthNs(), a) <
                                 std::pair(-pieces[b].interval.lengthNs(), b);
                      });
    longest.resize(count);
    std::sort(longest.begin(), longest.end());  // in order of time
    std::int64_t restNs = gap.interval.lengthNs();
    for (const std::size_t at : longest) {
        rows.paragraphHtml(pieceHtml(rows, trace, analysis, gap.device, pieces[at], colors));
        restNs -= pieces[at].interval.lengthNs();
    }
    if (pieces.size() > count)
        rows.muted(u"and %1 shorter pieces, %2 together"_s.arg(
            text(formatCount(static_cast<std::int64_t>(pieces.size() - count))), durationText(restNs)));
}

}  // namespace

void addCopyReasons(DetailsRows& rows, const Trace& trace, const Analysis& analysis, EventIndex copy)
{
    const CopyVerdict verdict = copyVerdict(trace, analysis, copy);
    if (verdict.empty())
        return;
    rows.paragraphHtml(u"<b>%1</b>"_s.arg(u"Why:"_s));
    int rank = 1;
    for (const CopyReason& reason : verdict.reasons) {
        QString html = verdict.reasons.size() > 1 ? u"%1. "_s.arg(rank++) : QString();
        html += u"<b>%1.</b> %2"_s.arg(upperFirst(causeName(reason.cause)).toHtmlEscaped(),
                                       text(causeSentence(reason.cause)).toHtmlEscaped());
        if (!reason.missing.empty())
            html += u" The trace lacks: %1."_s.arg(text(reason.missing).toHtmlEscaped());
        rows.paragraphHtml(html + evidenceHtml(rows, trace, reason));
    }
    if (const auto advice = causeAdvice(verdict.cause(), roleOf(trace, analysis, copy), analysis.program());
        !advice.empty())
        rows.paragraphHtml(u"<b>%1</b> %2"_s.arg(u"Change first:"_s, text(advice).toHtmlEscaped()));
    rows.paragraphHtml(rows.link(u"help:exposed-copies"_s, u"What these reasons mean"_s));
}

void addGapBefore(DetailsRows& rows, const Trace& trace, const Analysis& analysis, EventIndex kernel,
                  const DetailsColors& colors)
{
    const auto gap = idleGapBefore(trace, analysis, kernel);
    if (!gap)
        return;
    rows.paragraphHtml(u"<b>No kernel ran for %1 before it:</b>"_s.arg(durationText(gap->interval.lengthNs())));
    addPieces(rows, trace, analysis, *gap, colors);
}

QString gapDetails(const Trace& trace, const Analysis& analysis, const std::vector<Step>& steps, const IdleGapAt& gap,
                   const DetailsColors& colors)
{
    DetailsRows rows(u"No kernel for %1"_s.arg(durationText(gap.interval.lengthNs())), colors);
    rows.add(u"Device"_s, gap.device < 0 ? u"not named"_s : u"GPU %1"_s.arg(gap.device));
    rows.add(u"Start"_s, text(formatExactTime(gap.interval.startNs)));
    const auto shareOf = [&](std::int64_t ns) {
        return text(formatShare(ns > 0 ? static_cast<double>(gap.interval.lengthNs()) / static_cast<double>(ns) : 0));
    };
    const auto step = std::find_if(steps.begin(), steps.end(),
                                   [&](const Step& each) { return each.interval.contains(gap.interval.startNs); });
    if (step != steps.end() && gap.interval.lengthNs() <= step->interval.lengthNs())
        rows.add(u"Cost"_s, u"%1 of %2 (%3)"_s.arg(shareOf(step->interval.lengthNs()), text(step->name),
                                                   durationText(step->interval.lengthNs())));
    else
        rows.add(u"Cost"_s, u"%1 of the trace"_s.arg(shareOf(trace.span().lengthNs())));
    rows.paragraphHtml(u"<b>%1</b>"_s.arg(u"Why:"_s));
    addPieces(rows, trace, analysis, gap, colors);
    const auto pieces = idlePieces(analysis, gap.device, gap.interval);
    if (!pieces.empty())
        if (const EventIndex next = idleEvidence(trace, analysis, gap.device, pieces.back()).next; next.valid())
            rows.paragraphHtml(u"It ended with %1"_s.arg(eventLink(rows, trace, next)));
    rows.paragraphHtml(rows.link(u"help:gpu-idle"_s, u"What these causes mean"_s));
    return rows.html();
}

}  // namespace overlane
