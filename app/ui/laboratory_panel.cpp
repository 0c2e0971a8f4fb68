#include "app/ui/laboratory_panel.h"

#include <QComboBox>
#include <QGridLayout>
#include <QLabel>
#include <QPushButton>
#include <QScrollArea>
#include <QSignalBlocker>
#include <QStyle>
#include <QToolButton>
#include <QVBoxLayout>

#include "app/ui/document.h"
#include "app/ui/setting_row.h"
#include "app/ui/text.h"
#include "core/engine/device_profile.h"

namespace overlane
{

LaboratoryPanel::LaboratoryPanel(Document* document, QWidget* parent) : QWidget(parent), m_document(document)
{
    auto* layout = new QVBoxLayout(this);
    layout->setContentsMargins(8, 6, 8, 6);
    layout->setSpacing(6);
    layout->addWidget(makeHead());
    layout->addWidget(makeGroups(), 1);
    layout->addWidget(makeFoot());

    connect(document->laboratory(), &Laboratory::changed, this, &LaboratoryPanel::refresh);
    connect(document, &Document::baselineChanged, this, &LaboratoryPanel::refreshBaseline);
    refresh();
    refreshBaseline();
}

QWidget* LaboratoryPanel::makeHead()
{
    auto* head = new QWidget(this);
    auto* grid = new QGridLayout(head);
    grid->setContentsMargins(0, 0, 0, 0);
    grid->setVerticalSpacing(4);
    grid->setColumnStretch(1, 1);

    m_device = new QComboBox(head);
    m_device->setObjectName("device");
    m_device->setAccessibleName(tr("Simulated device"));
    m_device->setToolTip(
        tr("The machine that is simulated. Recording and runs on a real GPU are not in this "
           "version; everything here works without one."));
    m_device->setSizeAdjustPolicy(QComboBox::AdjustToMinimumContentsLengthWithIcon);
    m_device->setMinimumContentsLength(12);
    for (const DeviceProfile& profile : allDeviceProfiles()) {
        m_device->addItem(text(profile.name), text(profile.key));
        m_device->setItemData(m_device->count() - 1, text(profile.about), Qt::ToolTipRole);
    }
    connect(m_device, &QComboBox::currentIndexChanged, this, [this](int index) {
        m_document->laboratory()->setDevice(m_device->itemData(index).toString().toStdString());
    });

    m_preset = new QComboBox(head);
    m_preset->setObjectName("preset");
    m_preset->setAccessibleName(tr("Preset"));
    m_preset->setSizeAdjustPolicy(QComboBox::AdjustToMinimumContentsLengthWithIcon);
    m_preset->setMinimumContentsLength(12);
    for (const Preset& preset : allPresets()) {
        m_preset->addItem(text(preset.name), text(preset.key));
        m_preset->setItemData(m_preset->count() - 1, text(preset.hint), Qt::ToolTipRole);
    }
    connect(m_preset, &QComboBox::activated, this, [this](int index) {
        m_document->laboratory()->applyPreset(allPresets()[static_cast<std::size_t>(index)]);
    });

    m_hint = new QLabel(head);
    m_hint->setObjectName("hint");
    m_hint->setWordWrap(true);

    auto* engineLabel = new QLabel(tr("S&imulated"), head);
    engineLabel->setBuddy(m_device);
    auto* presetLabel = new QLabel(tr("&Preset"), head);
    presetLabel->setBuddy(m_preset);
    grid->addWidget(engineLabel, 0, 0);
    grid->addWidget(m_device, 0, 1);
    grid->addWidget(presetLabel, 1, 0);
    grid->addWidget(m_preset, 1, 1);
    grid->addWidget(m_hint, 2, 0, 1, 2);
    return head;
}

QWidget* LaboratoryPanel::makeGroups()
{
    auto* area = new QScrollArea(this);
    area->setWidgetResizable(true);
    area->setFrameShape(QFrame::NoFrame);
    area->setHorizontalScrollBarPolicy(Qt::ScrollBarAlwaysOff);
    area->setFocusPolicy(Qt::NoFocus);
    auto* page = new QWidget(area);
    auto* column = new QVBoxLayout(page);
    column->setContentsMargins(0, 0, 2, 0);
    column->setSpacing(2);

    QGridLayout* grid = nullptr;
    for (const Setting& setting : allSettings()) {
        const QString name = text(setting.group);
        Group& group = m_groups[name];
        if (group.header == nullptr) {
            group.header = new QToolButton(page);
            group.header->setObjectName("group_" + name);
            group.header->setText(name);
            group.header->setAutoRaise(true);
            group.header->setToolButtonStyle(Qt::ToolButtonTextBesideIcon);
            group.header->setFocusPolicy(Qt::StrongFocus);
            QFont bold = group.header->font();
            bold.setBold(true);
            group.header->setFont(bold);
            connect(group.header, &QToolButton::clicked, this,
                    [this, name] { setGroupShown(name, m_groups[name].body->isHidden()); });
            group.body = new QWidget(page);
            grid = new QGridLayout(group.body);
            grid->setContentsMargins(8, 0, 0, 4);
            grid->setHorizontalSpacing(8);
            grid->setVerticalSpacing(2);
            grid->setColumnStretch(1, 1);
            column->addWidget(group.header);
            column->addWidget(group.body);
            setGroupShown(name, true);
        }
        auto* row = new SettingRow(setting, grid, grid->rowCount(), group.body);
        m_rows.push_back(row);
        Laboratory* laboratory = m_document->laboratory();
        connect(row, &SettingRow::edited, laboratory,
                [laboratory, row](double v) { laboratory->set(row->setting(), v); });
        connect(row, &SettingRow::gestureBegan, laboratory, &Laboratory::beginGesture);
        connect(row, &SettingRow::gestureEnded, laboratory, &Laboratory::endGesture);
    }
    column->addStretch(1);
    area->setWidget(page);
    area->setMinimumWidth(page->minimumSizeHint().width() + style()->pixelMetric(QStyle::PM_ScrollBarExtent));
    return area;
}

QWidget* LaboratoryPanel::makeFoot()
{
    m_keep = new QPushButton(this);
    m_keep->setObjectName("keepAsA");
    connect(m_keep, &QPushButton::clicked, this, [this] {
        if (m_document->baseline().trace)
            m_document->dropBaseline();
        else
            m_document->keepAsBaseline();
    });
    return m_keep;
}

void LaboratoryPanel::setGroupShown(const QString& name, bool shown)
{
    const auto found = m_groups.find(name);
    if (found == m_groups.end())
        return;
    found->second.body->setVisible(shown);
    found->second.header->setArrowType(shown ? Qt::DownArrow : Qt::RightArrow);
    found->second.header->setAccessibleName(shown ? tr("Fold %1 away").arg(name) : tr("Show %1").arg(name));
}

void LaboratoryPanel::refresh()
{
    const Laboratory& laboratory = *m_document->laboratory();
    for (SettingRow* row : m_rows)
        row->show(row->setting().get(laboratory.scenario()));
    const QSignalBlocker quietDevice(m_device);
    const QSignalBlocker quietPreset(m_preset);
    m_device->setCurrentIndex(m_device->findData(text(laboratory.state().deviceKey)));
    const int index = m_preset->findData(text(laboratory.state().presetKey));
    m_preset->setCurrentIndex(index);
    for (int i = 0; i < m_preset->count(); ++i) {
        const QString name = text(allPresets()[static_cast<std::size_t>(i)].name);
        m_preset->setItemText(i, i == index && laboratory.differsFromPreset() ? tr("%1, changed").arg(name) : name);
    }
    const Preset* preset = laboratory.preset();
    m_hint->setText(preset != nullptr ? text(preset->hint) : QString());
}

void LaboratoryPanel::refreshBaseline()
{
    const bool kept = m_document->baseline().trace != nullptr;
    m_keep->setText(kept ? tr("Drop A") : tr("Keep as &A"));
    m_keep->setToolTip(
        kept ? tr("Stop comparing with the run that was kept.")
             : tr("Freezes the present run above the timeline; what you change next is compared with it."));
}

}  // namespace overlane
