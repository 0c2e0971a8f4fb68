#include "app/sweep/sweep_names.h"

#include <QStringList>

#include "app/sweep/sweep_library.h"
#include "app/widgets/text.h"
#include "core/loader/setting_value.h"

namespace overlane
{

namespace
{

// What `plan` has that the other has not.
QStringList differences(const SweepPlan& plan, const SweepPlan& other)
{
    QStringList found;
    for (const Setting* setting : differingSettings(other.base, plan.base))
        found << text(setting->label) + ' ' + text(settingValueText(*setting, setting->get(plan.base)));
    if (plan.points() != other.points())
        found << u"%1 points"_s.arg(plan.points());
    else if (plan.axes != other.axes)
        found << u"to %1"_s.arg(text(settingValueText(plan.axes[0].setting(), plan.axes[0].values.back())));
    if (plan.repeats != other.repeats)
        found << u"%1 repeats"_s.arg(plan.repeats);
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
        apart << u"run %1"_s.arg(number);
    return apart.isEmpty() ? sweep.title : u"%1 (%2)"_s.arg(sweep.title, apart.join(u", "_s));
}

}  // namespace overlane
