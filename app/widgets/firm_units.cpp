#include "app/widgets/firm_units.h"

#include <QRegularExpression>

namespace overlane
{
namespace
{

const QString kBeforeUnit = QStringLiteral("(?=(?:ns|\u00b5s|us|ms|s|min|%|B|KiB|MiB|GiB|TiB|[kMGT]B/s)(?![\\w]))");

}  // namespace

QString withFirmUnits(const QString& words)
{
    static const QRegularExpression kSpace(QStringLiteral("(?<=\\d) ") + kBeforeUnit);
    static const QRegularExpression kThinSpace(QStringLiteral("(?<=\\d)\u2009") + kBeforeUnit);
    static const QRegularExpression kRate(QStringLiteral("(?<=[kMGT]B)/(?=s\\b)"));
    QString firm = words;
    firm.replace(kSpace, QStringLiteral("\u00a0"));
    firm.replace(kThinSpace, QStringLiteral("\u202f"));
    firm.replace(kRate, QStringLiteral("/\u2060"));
    return firm;
}

}  // namespace overlane
