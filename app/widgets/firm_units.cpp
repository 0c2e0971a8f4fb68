#include "app/widgets/firm_units.h"

#include <QRegularExpression>

#include "app/widgets/text.h"

namespace overlane
{
namespace
{

const QString kBeforeUnit = u"(?=(?:ns|\u00b5s|us|ms|s|min|%|B|KiB|MiB|GiB|TiB|[kMGT]B/s)(?![\\w]))"_s;

}  // namespace

QString withFirmUnits(const QString& words)
{
    static const QRegularExpression kSpace(u"(?<=\\d) "_s + kBeforeUnit);
    static const QRegularExpression kThinSpace(u"(?<=\\d)\u2009"_s + kBeforeUnit);
    static const QRegularExpression kRate(u"(?<=[kMGT]B)/(?=s\\b)"_s);
    QString firm = words;
    firm.replace(kSpace, u"\u00a0"_s);
    firm.replace(kThinSpace, u"\u202f"_s);
    firm.replace(kRate, u"/\u2060"_s);
    return firm;
}

QString richWithFirmUnits(const QString& html)
{
    // Thin spaces stand within numbers and before units only.
    return withFirmUnits(html).replace(u'\u2009', u'\u00a0').replace(u'\u202f', u'\u00a0');
}

}  // namespace overlane
