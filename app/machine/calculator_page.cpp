#include "app/machine/calculator_page.h"

#include <algorithm>
#include <cmath>
#include <string_view>
#include <variant>

#include <QCheckBox>
#include <QComboBox>
#include <QFormLayout>
#include <QHBoxLayout>
#include <QLabel>
#include <QPushButton>
#include <QScrollArea>
#include <QSignalBlocker>
#include <QSlider>
#include <QSpinBox>
#include <QVBoxLayout>

#include "app/machine/bytes_text.h"
#include "app/machine/memory_bar.h"
#include "app/theme/palette.h"
#include "app/widgets/marked_label.h"
#include "app/widgets/rich_text.h"
#include "app/widgets/text.h"
#include "core/base/units.h"
#include "core/loader/loader_memory_blocks.h"
#include "core/loader/settings.h"

namespace overlane
{

namespace
{

constexpr int kLongestSlider = 64;  // more is typed
// The batch's slider runs in ratios: this many steps double it.
constexpr int kStepsPerDoubling = 8;
constexpr int kDoublings = 12;  // from 1 MiB to 4 GiB

std::int64_t batchAt(int position)
{
    const double bytes = static_cast<double>(kMiB) * std::exp2(static_cast<double>(position) / kStepsPerDoubling);
    return std::llround(bytes / static_cast<double>(kMiB)) * kMiB;
}

int positionOf(std::int64_t bytes)
{
    const double ratio = static_cast<double>(std::max<std::int64_t>(bytes, 1)) / static_cast<double>(kMiB);
    return std::clamp(static_cast<int>(std::lround(std::log2(ratio) * kStepsPerDoubling)), 0,
                      kStepsPerDoubling * kDoublings);
}

QLabel* wrapped(const char* name, QWidget* parent)
{
    auto* label = new QLabel(parent);
    label->setObjectName(name);
    label->setWordWrap(true);
    label->setTextInteractionFlags(Qt::TextSelectableByMouse);
    return label;
}

QColor fitColor(const Palette& palette, const MemoryFitting& fitting)
{
    switch (fitting.fit) {
        case MemoryFit::TooMuch:
        case MemoryFit::Swaps:
            return palette.error;
        case MemoryFit::DropsCache:
            return palette.warning;
        case MemoryFit::Fits:
            break;
    }
    return fitting.pinnedTooLarge ? palette.warning : palette.good;
}

}  // namespace

CalculatorPage::CalculatorPage(QWidget* parent) : QWidget(parent), m_device(allDeviceProfiles().front())
{
    auto* across = new QHBoxLayout(this);
    across->addWidget(makeControls());
    auto* scroll = new QScrollArea(this);
    scroll->setWidgetResizable(true);
    scroll->setFrameShape(QFrame::NoFrame);
    scroll->setWidget(makeMachines());
    for (QWidget* ground : {scroll->viewport(), scroll->widget()})
        ground->setAutoFillBackground(false);
    across->addWidget(scroll, 1);
    Scenario scenario;
    scenario.pin = PinStrategy::Thread;
    scenario.nonBlocking = true;
    setScenario(scenario, m_device);
}

QWidget* CalculatorPage::makeControls()
{
    auto* controls = new QWidget(this);
    controls->setFixedWidth(340);
    auto* layout = new QVBoxLayout(controls);
    layout->setContentsMargins(0, 0, 0, 0);
    auto* form = new QFormLayout;
    form->setFieldGrowthPolicy(QFormLayout::AllNonFixedFieldsGrow);
    addCount(form, u"&Workers"_s, "calculatorWorkers", "workers", &Scenario::workers);
    addCount(form, u"Prefetch &factor"_s, "calculatorPrefetch", "prefetch_factor", &Scenario::prefetchFactor);
    addBatch(form);
    addCount(form, u"&Tensors"_s, "calculatorTensors", "tensors", &Scenario::tensors);
    addCount(form, u"&Device buffers"_s, "calculatorBuffers", "device_buffers", &Scenario::deviceBuffers);
    m_pin = new QComboBox(controls);
    m_pin->setObjectName("calculatorPin");
    m_pin->addItems({u"not pinned"_s, u"pin thread (pin_memory=True)"_s, u"pinned in the training thread"_s,
                     u"ring pinned once"_s, u"cudaHostRegister"_s});
    form->addRow(u"&Pinned memory"_s, m_pin);
    m_pool = new QCheckBox(u"p&ool: tensors in powers of two"_s, controls);
    m_pool->setObjectName("calculatorPool");
    form->addRow(QString(), m_pool);
    m_nonBlocking = new QCheckBox(u"&non_blocking copies"_s, controls);
    m_nonBlocking->setObjectName("calculatorNonBlocking");
    form->addRow(QString(), m_nonBlocking);
    layout->addLayout(form);
    auto* buttons = new QHBoxLayout;
    auto* take = new QPushButton(u"Take from the &laboratory"_s, controls);
    take->setObjectName("calculatorTake");
    take->setAutoDefault(false);
    auto* use = new QPushButton(u"&Use in the laboratory"_s, controls);
    use->setObjectName("calculatorUse");
    use->setAutoDefault(false);
    buttons->addWidget(take);
    buttons->addWidget(use);
    layout->addLayout(buttons);
    m_parts = wrapped("calculatorParts", controls);
    layout->addSpacing(6);
    layout->addWidget(m_parts);
    layout->addStretch(1);

    connect(m_pin, &QComboBox::currentIndexChanged, this, [this](int index) {
        m_scenario.pin = static_cast<PinStrategy>(index);
        reckon();
    });
    connect(m_pool, &QCheckBox::toggled, this, [this](bool pool) {
        m_scenario.allocator = pool ? Allocator::Pool : Allocator::Fresh;
        reckon();
    });
    connect(m_nonBlocking, &QCheckBox::toggled, this, [this](bool on) {
        m_scenario.nonBlocking = on;
        reckon();
    });
    connect(take, &QPushButton::clicked, this, &CalculatorPage::taken);
    connect(use, &QPushButton::clicked, this, [this] { emit used(m_scenario); });
    return controls;
}

void CalculatorPage::addCount(QFormLayout* form, const QString& label, const char* name, std::string_view setting,
                              std::int64_t Scenario::*member)
{
    const Setting& limits = *findSetting(setting);
    const auto least = static_cast<int>(limits.minimum), most = static_cast<int>(limits.maximum);
    auto* field = new QWidget(this);
    auto* across = new QHBoxLayout(field);
    across->setContentsMargins(0, 0, 0, 0);
    auto* slider = new QSlider(Qt::Horizontal, field);
    slider->setRange(least, std::min(most, kLongestSlider));
    slider->setObjectName(QString::fromLatin1(name));
    auto* box = new QSpinBox(field);
    box->setRange(least, most);
    box->setObjectName(QString::fromLatin1(name) + u"Box"_s);
    box->setFixedWidth(76);
    slider->setAccessibleName(QString(label).remove('&'));
    box->setAccessibleName(QString(label).remove('&'));
    across->addWidget(slider, 1);
    across->addWidget(box);
    auto* text = new QLabel(label, this);
    text->setBuddy(box);
    form->addRow(text, field);
    m_counts.push_back({member, slider, box});
    const auto set = [this, member](int value) {
        m_scenario.*member = value;
        showControls();
        reckon();
    };
    connect(slider, &QSlider::valueChanged, this, set);
    connect(box, &QSpinBox::valueChanged, this, set);
}

void CalculatorPage::addBatch(QFormLayout* form)
{
    auto* field = new QWidget(this);
    auto* across = new QHBoxLayout(field);
    across->setContentsMargins(0, 0, 0, 0);
    m_batch = new QSlider(Qt::Horizontal, field);
    m_batch->setRange(0, kStepsPerDoubling * kDoublings);
    m_batch->setObjectName("calculatorBatch");
    m_batch->setAccessibleName(u"Batch size"_s);
    m_batchText = new QLabel(field);
    m_batchText->setObjectName("calculatorBatchText");
    m_batchText->setFixedWidth(76);
    across->addWidget(m_batch, 1);
    across->addWidget(m_batchText);
    auto* text = new QLabel(u"&Batch size"_s, this);
    text->setBuddy(m_batch);
    form->addRow(text, field);
    connect(m_batch, &QSlider::valueChanged, this, [this](int position) {
        m_scenario.batchBytes = batchAt(position);
        showControls();
        reckon();
    });
}

QWidget* CalculatorPage::makeMachines()
{
    auto* machines = new QWidget;
    auto* layout = new QVBoxLayout(machines);
    layout->setContentsMargins(8, 0, 8, 0);
    layout->setSpacing(4);
    m_sum = wrapped("calculatorSum", machines);
    QFont font = m_sum->font();
    font.setBold(true);
    m_sum->setFont(font);
    layout->addWidget(m_sum);
    layout->addSpacing(6);
    for (std::size_t at = 0; at < m_machines.size(); ++at) {
        const QString number = QString::number(at);
        auto* bar = new MemoryBar(machines);
        bar->setObjectName("calculatorBar" + number);
        bar->setLegendShown(at + 1 == m_machines.size());
        auto* verdict = new MarkedLabel(machines);
        verdict->setObjectName("calculatorVerdict" + number);
        auto* lower = new QPushButton(machines);
        lower->setObjectName("calculatorLower" + number);
        lower->setAutoDefault(false);
        layout->addWidget(bar);
        layout->addWidget(verdict);
        layout->addWidget(lower, 0, Qt::AlignLeft);
        layout->addSpacing(6);
        m_machines[at] = {bar, verdict, lower};
        connect(lower, &QPushButton::clicked, this, [this, at] {
            const std::vector<MachineSize> sizes = this->machines();
            m_scenario = loweredToFit(m_scenario, m_device.workerProcessBytes, sizes[at]);
            showControls();
            reckon();
        });
    }
    auto* more = new QLabel(u"<a href=\"calculator\">How this is calculated</a>"_s, machines);
    layout->addWidget(more);
    layout->addStretch(1);
    connect(more, &QLabel::linkActivated, this, &CalculatorPage::helpRequested);
    return machines;
}

void CalculatorPage::setScenario(const Scenario& scenario, const DeviceProfile& device)
{
    m_scenario = scenario;
    m_device = device;
    showControls();
    reckon();
}

void CalculatorPage::showMemory(const MachineMemoryView& view)
{
    m_memory = view;
    reckon();
}

void CalculatorPage::showControls()
{
    for (const Count& count : m_counts) {
        const QSignalBlocker slider(count.slider), box(count.box);
        const auto value = static_cast<int>(m_scenario.*count.member);
        count.slider->setValue(value);
        count.box->setValue(value);
    }
    const QSignalBlocker batch(m_batch), pin(m_pin), pool(m_pool), nonBlocking(m_nonBlocking);
    m_batch->setValue(positionOf(m_scenario.batchBytes));
    m_batchText->setText(bytesText(m_scenario.batchBytes));
    m_pin->setCurrentIndex(static_cast<int>(m_scenario.pin));
    m_pool->setChecked(m_scenario.allocator == Allocator::Pool);
    m_nonBlocking->setChecked(m_scenario.nonBlocking);
}

std::vector<MachineSize> CalculatorPage::machines() const
{
    std::vector<MachineSize> sizes = usualMachines(m_device);
    const MemoryParts& parts = m_memory.parts;
    // What runs here now stays; its page cache may be the data set.
    sizes.push_back({u"This machine"_s.toStdString(), parts.totalBytes, parts.swapTotalBytes,
                     std::max<std::int64_t>(0, parts.totalBytes - parts.availableBytes), 0});
    return sizes;
}

void CalculatorPage::reckon()
{
    const bool blocks = m_scenario.pin == PinStrategy::Thread || m_scenario.pin == PinStrategy::Consumer;
    m_pool->setEnabled(blocks);
    const LoaderMemory memory = loaderMemory(m_scenario, m_device.workerProcessBytes);
    Blocks said = loaderMemoryBlocks(memory);
    m_sum->setText(QString::fromStdString(std::get<Sentence>(said.front()).text));
    said.erase(said.begin());
    auto& parts = std::get<Table>(said.front());
    parts = parts.picked({"count", "each_bytes", "kind", "what"});
    m_parts->setText(richText(said, Palette::current(palette())));
    const std::vector<MachineSize> sizes = machines();
    for (std::size_t at = 0; at < m_machines.size(); ++at)
        showMachine(m_machines[at], sizes[at], memory);
}

void CalculatorPage::showMachine(const Machine& row, const MachineSize& machine, const LoaderMemory& memory)
{
    const bool known = machine.ramBytes > 0;
    row.bar->setVisible(known);
    row.verdict->setVisible(known);
    row.lower->setVisible(known);
    if (!known)
        return;
    using Role = MemoryBar::Role;
    const MemoryFitting fitting = fitLoader(memory, machine);
    const std::int64_t needed = machine.usedBytes + memory.totalBytes();
    row.bar->setParts(
        QString::fromStdString(machine.name) +
            (machine.swapBytes > 0 ? u" (%1 of swap)"_s.arg(bytesText(machine.swapBytes)) : u" (no swap)"_s),
        machine.ramBytes,
        {{u"System, other programs"_s, machine.usedBytes, Role::Others},
         {u"Pinned"_s, memory.pinnedBytes, Role::Pinned},
         {u"Batches, workers"_s, memory.pageableBytes, Role::Loader},
         {u"Page cache"_s, fitting.cacheBytes, Role::PageCache},
         {u"Left"_s, std::max<std::int64_t>(0, machine.ramBytes - needed - fitting.cacheBytes), Role::Free}});
    const Palette& palette = Palette::current(this->palette());
    row.verdict->setText(QString::fromStdString(fitting.sentence));
    row.verdict->setMark(fitColor(palette, fitting));
    const Scenario lowered = loweredToFit(m_scenario, m_device.workerProcessBytes, machine);
    const std::string change = loweringText(m_scenario, lowered);
    row.lower->setText(QString::fromStdString(change));
    row.lower->setToolTip(u"The smallest step down so that nothing is swapped and no more than half is pinned"_s);
    row.lower->setVisible(!change.empty());
}

}  // namespace overlane
