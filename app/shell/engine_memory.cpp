#include "app/shell/engine_memory.h"

#include <algorithm>

#include <QSettings>

#include "app/session/document.h"
#include "app/widgets/text.h"

namespace overlane
{

namespace
{

constexpr const char* kEngine = "laboratory/engine";
constexpr const char* kGpuName = "laboratory/gpu";
const QString kGpu = u"gpu"_s;
const QString kSimulated = u"simulated"_s;

}  // namespace

EngineMemory::EngineMemory(Document* document, QObject* parent) : QObject(parent), m_document(document)
{
    connect(document, &Document::engineChosen, this, &EngineMemory::store);
    connect(document->gpuRuns(), &GpuRuns::supportChanged, this, &EngineMemory::restore);
}

void EngineMemory::store() const
{
    const bool onGpu = m_document->engine() == Document::Engine::Gpu;
    QSettings settings;
    settings.setValue(kEngine, onGpu ? kGpu : kSimulated);
    if (onGpu)
        settings.setValue(kGpuName, m_document->gpuRuns()->deviceName());
}

void EngineMemory::restore()
{
    const std::optional<GpuSupport>& support = m_document->gpuRuns()->support();
    if (m_restored || !support)
        return;
    m_restored = true;
    const QSettings settings;
    if (settings.value(kEngine).toString() != kGpu)
        return;
    const QString name = settings.value(kGpuName).toString();
    if (support->state != GpuSupport::State::Ready || support->devices.empty()) {
        emit notHonored(
            u"The laboratory was last set to run on %1, which cannot be here: %2 It simulates instead."_s.arg(
                name.isEmpty() ? u"this machine's GPU"_s : name, text(support->sentence)));
        return;
    }
    const auto& devices = support->devices;
    const auto same = std::find(devices.begin(), devices.end(), name.toStdString());
    m_document->gpuRuns()->setDevice(same == devices.end() ? 0 : static_cast<int>(same - devices.begin()));
    m_document->setEngine(Document::Engine::Gpu);
    if (same == devices.end())
        emit notHonored(u"The laboratory was last set to run on %1, which is not here now; it runs on %2."_s.arg(
            name, m_document->gpuRuns()->deviceName()));
}

}  // namespace overlane
