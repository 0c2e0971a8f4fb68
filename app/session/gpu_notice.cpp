#include "app/session/gpu_notice.h"

#include "app/session/gpu_runs.h"
#include "app/widgets/text.h"

namespace overlane
{

GpuNotice::GpuNotice(GpuRuns* runs, const QString& besides, QWidget* parent)
    : WarningLabel(parent), m_runs(runs), m_besides(besides)
{
    setObjectName("gpuNotice");
    setAccessibleName(u"GPU of this machine"_s);
    connect(runs, &GpuRuns::supportChanged, this, &GpuNotice::refresh);
    refresh();
}

void GpuNotice::refresh()
{
    const std::optional<GpuSupport>& support = m_runs->support();
    const bool missing = support && support->state != GpuSupport::State::Ready;
    setText(missing ? overlane::text(support->sentence) + ' ' + m_besides : QString());
    setVisible(missing);
}

}  // namespace overlane
