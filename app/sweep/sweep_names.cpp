#include "app/sweep/sweep_names.h"

#include <QCoreApplication>
#include <QStringList>

#include "app/sweep/sweep_library.h"
#include "app/widgets/text.h"
#include "core/loader/setting_value.h"

namespace overlane
{

namespace
{

QString tr(const char* source)
{
    return QCoreApplication::translate("SweepNames", source);
}

// What `plan` has that the other has not.
QStringList differences(const SweepPlan& plan, const SweepPlan& other)
{
    QStringList found;
    for (const Setting* setting : differingSettings(other.base, plan.base))
        found << text(setting->label) + ' ' + text(settingValueText(*setting, setting->get(plan.base)));
    if (plan.points() != other.points())
        found << tr("%1 points").arg(plan.points());
    else if (plan.axes != other.axes)
        found << tr("to %1").arg(text(settingValueText(plan.axes[0].setting(), plan.axes[0].values.back())));
    if (plan.repeats != other.repeats)
        found << tr("%1 repeats").arg(plan.repeats);
    return found;
}

}  // namespace

QString distinctName(const std::deque<KeptSweep>& sweeps, const KeptSweep& sweep)
{
    constexpr qsizetype kMostNamed = 2;
    QStringList apart;
    int same = 0;
    int number = 1;
    for (const KeptSweep& other : sweeps) {
        if (other.id == sweep.id || other.title != sweep.title || other.device != sweep.device ||
            other.sheet.has_value() != sweep.sheet.has_value())
            continue;
        const QStringList found = sweep.sheet ? QStringList() : differences(sweep.result.plan, other.result.plan);
        if (found.isEmpty()) {
            ++same;
            number += other.id < sweep.id ? 1 : 0;
        }
        for (const QString& one : found)
            if (!apart.contains(one))
                apart << one;
    }
    apart = apart.mid(0, kMostNamed);
    if (same > 0)
        apart << tr("run %1").arg(number);
    return apart.isEmpty() ? sweep.title : QStringLiteral("%1 (%2)").arg(sweep.title, apart.join(QStringLiteral(", ")));
}

}  // namespace overlane
