#include "app/timeline/gap_tip.h"

#include <algorithm>

#include "app/theme/cause_color.h"
#include "app/widgets/rich_text.h"
#include "app/widgets/text.h"
#include "core/base/units.h"

namespace overlane
{

namespace
{

constexpr std::size_t kMostPieces = 4;

}  // namespace

QString gapTip(const Trace& trace, const Analysis& analysis, const IdleGapAt& gap, const Palette& palette)
{
    QString html = u"<b>No kernel for %1</b>"_s.arg(QString::fromStdString(formatDuration(gap.interval.lengthNs())));
    std::vector<IdlePiece> pieces = idlePieces(analysis, gap.device, gap.interval);
    const std::size_t shown = std::min(kMostPieces, pieces.size());
    std::partial_sort(pieces.begin(), pieces.begin() + static_cast<std::ptrdiff_t>(shown), pieces.end(),
                      [](const IdlePiece& a, const IdlePiece& b) {
                          return std::pair(-a.interval.lengthNs(), a.interval.startNs) <
                                 std::pair(-b.interval.lengthNs(), b.interval.startNs);
                      });
    for (std::size_t i = 0; i < shown; ++i) {
        const std::string line = idlePieceText(trace, pieces[i], idleEvidence(trace, analysis, gap.device, pieces[i]));
        html += u"<br>%1 %2"_s.arg(colorSquare(causeColor(palette, pieces[i].cause)),
                                   QString::fromStdString(line).toHtmlEscaped());
    }
    if (pieces.size() > shown)
        html += u"<br>"_s + u"and %1 shorter pieces"_s.arg(pieces.size() - shown);
    return html;
}

}  // namespace overlane
