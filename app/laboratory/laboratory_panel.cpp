#include "app/laboratory/laboratory_panel.h"

#include <QComboBox>
#include <QGridLayout>
#include <QLabel>
#include <QPushButton>
#include <QScrollArea>
#include <QSignalBlocker>
#include <QStandardItemModel>
#include <QStyle>
#include <QToolButton>
#include <QVBoxLayout>

#include "app/laboratory/run_controls.h"
#include "app/session/document.h"
#include "app/session/laboratory_rules.h"
#include "app/session/profile_label.h"
#include "app/session/settings_name.h"
#include "app/theme/palette.h"
#include "app/widgets/elided_label.h"
#include "app/widgets/setting_row.h"
#include "app/widgets/text.h"
#include "core/devices/user_profiles.h"

namespace overlane
{

namespace
{

constexpr int kLeastSettingsPx = 120;

QString groupOf(const Setting& setting)
{
    return setting.advanced ? u"Advanced"_s : text(setting.group);
}

// What every profile of one maker has in common says nothing in a list, and hides what differs.
QString shortName(QString name)
{
    for (const char* common : {"NVIDIA ", "GeForce "})
        if (name.startsWith(QLatin1String(common)))
            name.remove(0, static_cast<qsizetype>(qstrlen(common)));
    const qsizetype machine = name.indexOf('(');  // "(PCIe 3 x8, 16 GB RAM)": the tool tip has it all
    const qsizetype comma = machine < 0 ? -1 : name.indexOf(',', machine);
    return comma < 0 ? name : name.left(comma) + ')';
}

}  // namespace

LaboratoryPanel::LaboratoryPanel(Document* document, QWidget* parent) : QWidget(parent), m_document(document)
{
    auto* layout = new QVBoxLayout(this);
    layout->setContentsMargins(8, 6, 8, 6);
    layout->setSpacing(6);
    m_head = makeHead();
    m_settings = makeGroups();
    m_foot = makeFoot();
    layout->addWidget(m_head);
    layout->addWidget(m_settings, 1);
    layout->addWidget(m_foot);

    connect(document->laboratory(), &Laboratory::changed, this, &LaboratoryPanel::refresh);
    connect(document, &Document::baselineChanged, this, &LaboratoryPanel::refreshBaseline);
    connect(document, &Document::engineChanged, this, &LaboratoryPanel::refreshEngine);
    connect(document->gpuRuns(), &GpuRuns::supportChanged, this, &LaboratoryPanel::refreshEngines);
    connect(document->gpuRuns(), &GpuRuns::supportChanged, this, &LaboratoryPanel::refreshDevices);
    connect(document->laboratory(), &Laboratory::devicesChanged, this, &LaboratoryPanel::refreshDevices);
    connect(document, &Document::traceChanged, this, [this] {
        refreshHint();
        refreshMemory();
    });
    refreshEngines();
    refreshMemory();
    refreshBaseline();
}

bool LaboratoryPanel::event(QEvent* event)
{
    if (event->type() == QEvent::ParentChange && parentWidget() != nullptr)
        parentWidget()->installEventFilter(this);
    if (event->type() == QEvent::LayoutRequest)
        shareHeight();
    return QWidget::event(event);
}

bool LaboratoryPanel::eventFilter(QObject* watched, QEvent* event)
{
    const bool place = watched == parentWidget() && event->type() == QEvent::Resize;
    const bool settings = watched == m_settings->widget() && event->type() == QEvent::LayoutRequest;
    if (place || settings)
        shareHeight();
    return QWidget::eventFilter(watched, event);
}

void LaboratoryPanel::shareHeight()
{
    const auto highPx = [](const QWidget* part) {
        return part->hasHeightForWidth() ? part->heightForWidth(part->width()) : part->sizeHint().height();
    };
    const QMargins margins = layout()->contentsMargins();
    const int aroundPx = highPx(m_head) + highPx(m_foot) + 2 * layout()->spacing() + margins.top() + margins.bottom();
    const bool whole = parentWidget() != nullptr && parentWidget()->height() < aroundPx + kLeastSettingsPx;
    m_settings->setVerticalScrollBarPolicy(whole ? Qt::ScrollBarAlwaysOff : Qt::ScrollBarAsNeeded);
    m_settings->setMinimumHeight(whole ? highPx(m_settings->widget()) : kLeastSettingsPx);
}

QWidget* LaboratoryPanel::makeHead()
{
    auto* head = new QWidget(this);
    auto* grid = new QGridLayout(head);
    grid->setContentsMargins(0, 0, 0, 0);
    grid->setVerticalSpacing(4);
    grid->setColumnStretch(1, 1);

    m_engine = new QComboBox(head);
    m_engine->setObjectName("engine");
    m_engine->setAccessibleName(u"Engine"_s);
    m_engine->setSizeAdjustPolicy(QComboBox::AdjustToMinimumContentsLengthWithIcon);
    m_engine->setMinimumContentsLength(12);
    connect(m_engine, &QComboBox::activated, this, [this](int index) {
        const QVariant gpu = m_engine->itemData(index);
        m_document->chooseEngine(gpu.isValid() ? std::optional<int>(gpu.toInt()) : std::nullopt);
    });

    m_device = new QComboBox(head);
    m_device->setObjectName("device");
    m_device->setAccessibleName(u"Simulated device"_s);
    m_device->setToolTip(u"Simulated GPU and host. No GPU required."_s);
    m_device->setSizeAdjustPolicy(QComboBox::AdjustToMinimumContentsLengthWithIcon);
    m_device->setMinimumContentsLength(12);
    fillDevices();
    connect(m_device, &QComboBox::currentIndexChanged, this, [this](int index) {
        m_document->laboratory()->setDevice(m_device->itemData(index).toString().toStdString());
    });

    m_preset = new QComboBox(head);
    m_preset->setObjectName("preset");
    m_preset->setAccessibleName(u"Preset"_s);
    m_preset->setSizeAdjustPolicy(QComboBox::AdjustToMinimumContentsLengthWithIcon);
    m_preset->setMinimumContentsLength(12);
    for (const Preset& preset : allPresets()) {
        m_preset->addItem(text(preset.name), text(preset.key));
        m_preset->setItemData(m_preset->count() - 1, text(preset.hint), Qt::ToolTipRole);
    }
    connect(m_preset, &QComboBox::activated, this, [this](int index) {
        m_document->laboratory()->applyPreset(allPresets()[static_cast<std::size_t>(index)]);
    });

    m_hint = new ElidedLabel(head);
    m_hint->setObjectName("hint");
    QStringList hints;
    for (const Preset& preset : allPresets())
        hints << text(preset.hint);
    m_hint->keepRoomFor(hints);
    m_simulate = new QPushButton(u"&Simulate these settings"_s, head);
    m_simulate->setObjectName("simulateInstead");
    m_simulate->setToolTip(
        u"Shows a run of these settings in the place of the opened trace (Ctrl+R); Ctrl+Z returns "
        "to the trace."_s);
    connect(m_simulate, &QPushButton::clicked, m_document, &Document::simulate);

    auto* engineLabel = new QLabel(u"E&ngine"_s, head);
    engineLabel->setBuddy(m_engine);
    auto* deviceLabel = new QLabel(u"Dev&ice"_s, head);
    deviceLabel->setBuddy(m_device);
    auto* presetLabel = new QLabel(u"&Preset"_s, head);
    presetLabel->setBuddy(m_preset);
    grid->addWidget(engineLabel, 0, 0);
    grid->addWidget(m_engine, 0, 1);
    grid->addWidget(deviceLabel, 1, 0);
    grid->addWidget(m_device, 1, 1);
    grid->addWidget(presetLabel, 2, 0);
    grid->addWidget(m_preset, 2, 1);
    grid->addWidget(m_hint, 3, 0, 1, 2);
    grid->addWidget(m_simulate, 4, 0, 1, 2);
    return head;
}

// The embedded profiles, then the person's own.
void LaboratoryPanel::fillDevices()
{
    m_device->clear();
    const auto add = [this](const DeviceProfile& profile, const QString& label) {
        m_device->addItem(label, text(profile.key));
        m_device->setItemData(m_device->count() - 1,
                              u"<b>%1</b><p>%2</p>"_s.arg(text(profile.name), text(profile.about).toHtmlEscaped()),
                              Qt::ToolTipRole);
    };
    for (const DeviceProfile& profile : allDeviceProfiles())
        add(profile, shortName(text(profile.name)));
    const std::vector<const DeviceProfile*> own = userDeviceProfiles();
    for (const DeviceProfile* profile : own)
        add(*profile, profileLabel(*profile, m_document->gpuRuns()->support()));
    const std::string chosen = m_document->laboratory()->state().deviceKey;
    if (m_device->findData(text(chosen)) < 0)  // read from another file
        add(m_document->laboratory()->device(), shortName(text(m_document->laboratory()->device().name)));
}

void LaboratoryPanel::refreshDevices()
{
    {
        const QSignalBlocker quiet(m_device);
        fillDevices();
    }
    refresh();
}

QScrollArea* LaboratoryPanel::makeGroups()
{
    auto* area = new QScrollArea(this);
    area->setObjectName("settings");
    // Its rows give way first: they scroll.
    area->setSizePolicy(QSizePolicy::Expanding, QSizePolicy::Ignored);
    area->setWidgetResizable(true);
    area->setFrameShape(QFrame::NoFrame);
    area->setHorizontalScrollBarPolicy(Qt::ScrollBarAlwaysOff);
    area->setFocusPolicy(Qt::NoFocus);
    auto* page = new QWidget(area);
    auto* column = new QVBoxLayout(page);
    column->setContentsMargins(0, 0, 2, 0);
    column->setSpacing(2);

    const auto addSetting = [&](const Setting& setting) {
        const QString name = groupOf(setting);
        if (m_groups.find(name) == m_groups.end()) {
            makeGroup(name, page);
            column->addWidget(m_groups[name].header);
            column->addWidget(m_groups[name].body);
            setGroupShown(name, true);
        }
        addRow(setting, m_groups[name].grid, m_groups[name].body);
    };
    for (const Setting& setting : allSettings())
        if (!setting.advanced)
            addSetting(setting);
    for (const Setting& setting : allSettings())
        if (setting.advanced)
            addSetting(setting);
    setGroupShown(u"Advanced"_s, false);
    column->addStretch(1);
    area->setWidget(page);
    page->installEventFilter(this);
    area->setMinimumWidth(page->minimumSizeHint().width() + style()->pixelMetric(QStyle::PM_ScrollBarExtent));
    return area;
}

QGridLayout* LaboratoryPanel::makeGroup(const QString& name, QWidget* page)
{
    Group& group = m_groups[name];
    group.header = new QToolButton(page);
    group.header->setObjectName("group_" + name);
    group.header->setAutoRaise(true);
    group.header->setToolButtonStyle(Qt::ToolButtonTextBesideIcon);
    group.header->setFocusPolicy(Qt::StrongFocus);
    QFont bold = group.header->font();
    bold.setBold(true);
    group.header->setFont(bold);
    connect(group.header, &QToolButton::clicked, this,
            [this, name] { setGroupShown(name, m_groups[name].body->isHidden()); });
    group.body = new QWidget(page);
    group.grid = new QGridLayout(group.body);
    group.grid->setContentsMargins(8, 0, 0, 4);
    group.grid->setHorizontalSpacing(6);
    group.grid->setVerticalSpacing(2);
    group.grid->setColumnStretch(1, 1);
    return group.grid;
}

void LaboratoryPanel::addRow(const Setting& setting, QGridLayout* grid, QWidget* parent)
{
    auto* row = new SettingRow(setting, grid, grid->rowCount(), parent);
    m_rows.push_back(row);
    Laboratory* laboratory = m_document->laboratory();
    connect(row, &SettingRow::edited, laboratory, [laboratory, row](double v) { laboratory->set(row->setting(), v); });
    connect(row, &SettingRow::gestureBegan, laboratory, &Laboratory::beginGesture);
    connect(row, &SettingRow::gestureEnded, laboratory, &Laboratory::endGesture);
}

QWidget* LaboratoryPanel::makeFoot()
{
    auto* foot = new QWidget(this);
    auto* column = new QVBoxLayout(foot);
    column->setContentsMargins(0, 0, 0, 0);
    column->setSpacing(4);
    m_memory = new QLabel(foot);
    m_memory->setObjectName("memoryLine");
    m_memory->setWordWrap(true);
    m_memory->setToolTip(
        u"Peak pinned memory of this run, against the RAM. Pinned pages cannot be swapped out, so everything else "
        "has to make room."_s);
    column->addWidget(m_memory);
    m_run = new RunControls(m_document, foot);
    column->addWidget(m_run);
    m_keep = new QPushButton(foot);
    column->addWidget(m_keep);
    m_keep->setObjectName("keepAsA");
    connect(m_keep, &QPushButton::clicked, this, [this] {
        if (m_document->baseline().trace)
            m_document->dropBaseline();
        else
            m_document->keepAsBaseline();
    });
    return foot;
}

void LaboratoryPanel::setGroupShown(const QString& name, bool shown)
{
    const auto found = m_groups.find(name);
    if (found == m_groups.end())
        return;
    found->second.body->setVisible(shown);
    found->second.header->setArrowType(shown ? Qt::DownArrow : Qt::RightArrow);
    found->second.header->setAccessibleName(shown ? u"Fold %1 away"_s.arg(name) : u"Show %1"_s.arg(name));
    refreshHeaders();
}

void LaboratoryPanel::refresh()
{
    const Laboratory& laboratory = *m_document->laboratory();
    const Scenario& scenario = laboratory.scenario();
    const Scenario reference = laboratory.reference();
    const bool onGpu = m_document->engine() == Document::Engine::Gpu;
    for (SettingRow* row : m_rows)
        row->show(row->setting().get(scenario), row->setting().get(reference),
                  onGpu ? whyNoEffectOnGpu(scenario, row->setting().key)
                        : whyNoEffect(scenario, laboratory.device(), row->setting().key));
    const QSignalBlocker quietDevice(m_device);
    const QSignalBlocker quietPreset(m_preset);
    if (m_device->findData(text(laboratory.state().deviceKey)) < 0)
        fillDevices();
    m_device->setCurrentIndex(m_device->findData(text(laboratory.state().deviceKey)));
    const int index = m_preset->findData(text(laboratory.state().presetKey));
    m_preset->setCurrentIndex(index);
    for (int i = 0; i < m_preset->count(); ++i) {
        const QString name = text(allPresets()[static_cast<std::size_t>(i)].name);
        m_preset->setItemData(i, presetTip(allPresets()[static_cast<std::size_t>(i)]), Qt::ToolTipRole);
        m_preset->setItemText(i, i == index && laboratory.differsFromPreset() ? u"%1, changed"_s.arg(name) : name);
    }
    refreshHint();
    refreshHeaders();
}

// One entry for each GPU of this machine, or one that says why there is none.
void LaboratoryPanel::refreshEngines()
{
    const std::optional<GpuSupport>& support = m_document->gpuRuns()->support();
    m_engine->clear();
    m_engine->addItem(u"Simulated"_s);
    m_engine->setItemData(0, u"The device chosen below; every change is run at once."_s, Qt::ToolTipRole);
    if (support && support->state == GpuSupport::State::Ready) {
        const int count = static_cast<int>(support->devices.size());
        for (int gpu = 0; gpu < count; ++gpu) {
            const QString name = text(support->devices[static_cast<std::size_t>(gpu)]);
            m_engine->addItem(count == 1 ? u"This machine's GPU: %1"_s.arg(shortName(name))
                                         : u"GPU %1: %2"_s.arg(gpu).arg(shortName(name)),
                              gpu);
            m_engine->setItemData(gpu + 1, u"%1 of this machine; press Run to start."_s.arg(name), Qt::ToolTipRole);
        }
    } else {
        const QString why = support ? text(support->sentence) : u"Querying the GPU driver …"_s;
        m_engine->addItem(u"This machine's GPU"_s, 0);
        m_engine->setItemData(1, why, Qt::ToolTipRole);
        qobject_cast<QStandardItemModel*>(m_engine->model())->item(1)->setEnabled(false);
        m_document->setEngine(Document::Engine::Simulated);
    }
    const QString offer = support ? text(support->sentence) : QString();
    m_engine->setToolTip(u"What runs the settings below: a simulation, or this machine's own GPU. %1"_s.arg(offer));
    m_engine->setAccessibleDescription(offer);
    refreshEngine();
}

void LaboratoryPanel::refreshEngine()
{
    const bool onGpu = m_document->engine() == Document::Engine::Gpu;
    m_engine->setCurrentIndex(onGpu ? m_engine->findData(m_document->gpuRuns()->device()) : 0);
    m_run->setVisible(onGpu);
    refresh();
}

QString LaboratoryPanel::presetTip(const Preset& preset) const
{
    const Laboratory& laboratory = *m_document->laboratory();
    QString changes = settingsChange(laboratory.scenario(), preset.scenario);
    const DeviceProfile* device = findDeviceProfile(preset.device);
    if (device != nullptr && preset.device != laboratory.state().deviceKey)
        changes =
            u"Simulated %1 \u2192 %2"_s.arg(shortName(text(laboratory.device().name)), shortName(text(device->name))) +
            (changes.isEmpty() ? QString() : u", "_s + changes);
    return u"<p>%1</p><p><b>Changes:</b> %2</p>"_s.arg(text(preset.hint).toHtmlEscaped(),
                                                       changes.isEmpty() ? u"nothing"_s : changes.toHtmlEscaped());
}

void LaboratoryPanel::refreshHint()
{
    const Laboratory& laboratory = *m_document->laboratory();
    const Preset* preset = laboratory.preset();
    const bool onGpu = m_document->engine() == Document::Engine::Gpu;
    const bool matches = m_document->laboratoryMatchesFile();
    m_simulate->setVisible(!onGpu && m_document->isOpened());
    m_simulate->setEnabled(!matches);
    m_preset->setPlaceholderText(matches ? u"from the opened file"_s : u"own settings"_s);
    if (onGpu)
        m_hint->setText(preset != nullptr && !laboratory.differsFromPreset() ? text(preset->hint) : QString());
    else if (!m_document->current().gpu.isEmpty())
        m_hint->setText(
            u"The run shown was measured on this machine's GPU. Change a setting, or press Ctrl+R, to simulate."_s);
    else if (m_document->origin() == Document::Origin::Recording)
        m_hint->setText(u"A program is being recorded; its trace stays while you change settings."_s);
    else if (matches)
        m_hint->setText(u"The opened trace was made with these settings. It stays while you change them."_s);
    else if (m_document->origin() == Document::Origin::File)
        m_hint->setText(u"The trace shown was opened from a file and stays while you change settings."_s);
    else
        m_hint->setText(preset != nullptr ? settingsHint(*preset, m_document->laboratory()->scenario()) : QString());
}

// A folded group says that something in it was changed.
void LaboratoryPanel::refreshHeaders()
{
    const Scenario& scenario = m_document->laboratory()->scenario();
    const Scenario reference = m_document->laboratory()->reference();
    for (auto& [name, group] : m_groups) {
        int changed = 0;
        for (const SettingRow* row : m_rows)
            if (groupOf(row->setting()) == name && row->setting().get(scenario) != row->setting().get(reference))
                ++changed;
        group.header->setText(group.body->isHidden() && changed > 0 ? u"%1 (%2 changed)"_s.arg(name).arg(changed)
                                                                    : name);
    }
}

void LaboratoryPanel::refreshMemory()
{
    const std::optional<RunMemory>& memory = m_document->current().memory;
    m_memory->setVisible(memory.has_value());
    if (!memory)
        return;
    QString line = memory->pinnedPeakBytes > 0
                       ? u"Pinned at most %1 of %2 RAM"_s.arg(text(formatBytes(memory->pinnedPeakBytes)),
                                                              text(formatBytes(memory->ramBytes)))
                       : u"Nothing pinned of %1 RAM"_s.arg(text(formatBytes(memory->ramBytes)));
    const QString warning = Palette::current(palette()).warning.name();
    if (memory->swapPeakBytes > 0)
        line += u"; <b style='color:%1'>%2 swapped out</b>"_s.arg(warning, text(formatBytes(memory->swapPeakBytes)));
    m_memory->setText(line);
}

void LaboratoryPanel::refreshBaseline()
{
    const bool kept = m_document->baseline().trace != nullptr;
    m_keep->setText(kept ? u"Drop A"_s : u"Keep as &A"_s);
    m_keep->setToolTip(
        kept ? u"Stop comparing with the run that was kept."_s
             : u"Freezes the present run above the timeline; what you change next is compared with it."_s);
}

}  // namespace overlane
