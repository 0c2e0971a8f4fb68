#include "app/second/what_if_row.h"

#include <algorithm>
#include <cmath>

#include <QCheckBox>
#include <QComboBox>
#include <QDoubleSpinBox>
#include <QHBoxLayout>
#include <QLabel>
#include <QPainter>
#include <QSignalBlocker>
#include <QSpinBox>

#include "app/theme/palette.h"
#include "app/widgets/elided_label.h"
#include "app/widgets/text.h"
#include "core/devices/user_profiles.h"
#include "core/replay/prediction_blocks.h"

namespace overlane
{

namespace
{

constexpr int kLabelPx = 168;
constexpr int kValuePx = 104;
constexpr int kFigurePx = 142;
constexpr int kBarPx = 48;

}  // namespace

// The step without the change, and the part of it that stays.
class StepBar : public QWidget
{
public:
    explicit StepBar(QWidget* parent) : QWidget(parent) { setMinimumWidth(kBarPx); }

    void setSteps(double before, double after, bool clear)
    {
        m_clear = clear;
        m_before = std::clamp(before, 0.0, 1.0);
        m_after = std::clamp(after, 0.0, 1.0);
        update();
    }

protected:
    void paintEvent(QPaintEvent*) override
    {
        const Palette& colors = Palette::current(palette());
        QPainter painter(this);
        const int top = height() / 2 - 4;
        const auto widthOf = [this](double share) { return static_cast<int>(std::lround(share * (width() - 8))); };
        painter.fillRect(0, top, widthOf(m_before), 8, colors.border);
        const QColor changed = m_after > m_before ? colors.warning : colors.good;
        painter.fillRect(0, top, widthOf(m_after), 8, m_clear ? changed : colors.mutedText);
        if (m_after > m_before)
            painter.fillRect(0, top, widthOf(m_before), 8, colors.border);
    }

private:
    double m_before = 0;
    double m_after = 0;
    bool m_clear = true;  // beyond the noise
};

WhatIfRow::WhatIfRow(ChangeKind kind, QWidget* parent)
    : QWidget(parent),
      m_kind(kind),
      m_box(new QCheckBox(changeLabel(kind), this)),
      m_figure(new QLabel(this)),
      m_bar(new StepBar(this)),
      m_reason(new ElidedLabel(this)),
      m_unclear(new ElidedLabel(this))
{
    const QString key = text(changeText(Change{kind})).section('=', 0, 0);
    setObjectName("whatIfRow_" + key);
    setToolTip(changeMeaning(kind));
    m_box->setObjectName("whatIf_" + key);
    m_box->setFixedWidth(kLabelPx);
    m_box->setAccessibleDescription(changeMeaning(kind));
    m_figure->setObjectName("whatIfFigure");
    m_figure->setFixedWidth(kFigurePx);
    m_figure->setAlignment(Qt::AlignRight | Qt::AlignVCenter);
    m_reason->setObjectName("whatIfReason");
    m_reason->setForegroundRole(QPalette::PlaceholderText);
    m_reason->hide();
    m_unclear->setObjectName("whatIfUnclear");
    m_unclear->setForegroundRole(QPalette::PlaceholderText);
    m_unclear->hide();
    auto* row = new QHBoxLayout(this);
    row->setContentsMargins(8, 0, 4, 0);
    row->setSpacing(6);
    row->addWidget(m_box);
    QWidget* value = makeValue();
    value->setFixedWidth(kValuePx);
    row->addWidget(value);
    row->addWidget(m_figure);
    row->addWidget(m_bar, 1);
    row->addWidget(m_unclear, 1);
    row->addWidget(m_reason, 1);
    connect(m_box, &QCheckBox::clicked, this, [this] { emit changed(m_kind); });
}

WhatIfRow::~WhatIfRow() = default;

QWidget* WhatIfRow::makeValue()
{
    const auto tell = [this] { emit changed(m_kind); };
    switch (m_kind) {
        case ChangeKind::SideStream:
        case ChangeKind::Workers:
            m_count = new QSpinBox(this);
            m_count->setAccessibleName(changeLabel(m_kind));
            if (m_kind == ChangeKind::SideStream) {
                m_count->setRange(0, WhatIfChoices::kMostDepth);
                m_count->setSpecialValueText(u"as now"_s);
            } else {
                m_count->setRange(1, WhatIfChoices::kMostWorkers);
            }
            connect(m_count, &QSpinBox::valueChanged, this, tell);
            return m_count;
        case ChangeKind::Device:
            m_device = new QComboBox(this);
            m_device->setAccessibleName(changeLabel(m_kind));
            for (const DeviceProfile& profile : allDeviceProfiles())
                m_device->addItem(text(profile.name), text(profile.key));
            for (const DeviceProfile* profile : userDeviceProfiles())
                m_device->addItem(text(profile->name), text(profile->key));
            connect(m_device, &QComboBox::activated, this, tell);
            return m_device;
        case ChangeKind::Link:
            m_rate = new QDoubleSpinBox(this);
            m_rate->setAccessibleName(changeLabel(m_kind));
            m_rate->setRange(0.1, 10'000);
            m_rate->setDecimals(1);
            connect(m_rate, &QDoubleSpinBox::valueChanged, this, tell);
            return m_rate;
        default:
            return new QWidget(this);
    }
}

void WhatIfRow::setChoices(const WhatIfChoices& choices)
{
    m_box->setChecked(choices.has(m_kind));
    if (m_count != nullptr) {
        const QSignalBlocker quiet(m_count);
        m_count->setValue(static_cast<int>(m_kind == ChangeKind::Workers ? choices.workers : choices.depth));
    }
    if (m_rate != nullptr) {
        const QSignalBlocker quiet(m_rate);
        m_rate->setValue(choices.linkGbPerSecond);
    }
    if (m_device != nullptr)
        m_device->setCurrentIndex(m_device->findData(QString::fromStdString(choices.deviceKey)));
}

void WhatIfRow::store(WhatIfChoices& choices) const
{
    choices.set(m_kind, m_box->isChecked());
    if (m_count != nullptr)
        (m_kind == ChangeKind::Workers ? choices.workers : choices.depth) = m_count->value();
    if (m_rate != nullptr)
        choices.linkGbPerSecond = m_rate->value();
    if (m_device != nullptr)
        choices.deviceKey = m_device->currentData().toString().toStdString();
}

void WhatIfRow::setTrial(const WhatIfTrial& trial, std::int64_t nowNs, std::int64_t scaleNs)
{
    const bool impossible = !trial.error.isEmpty();
    // What is on can always be switched off.
    m_box->setEnabled(!impossible || m_box->isChecked());
    m_reason->setVisible(impossible);
    m_reason->setText(trial.error);
    const bool shown = trial.known && !impossible && nowNs > 0 && scaleNs > 0;
    const bool switched = m_box->isChecked();
    const bool clear = trial.noise.direction(nowNs, trial.stepNs) != Direction::Unclear;
    const bool unclear = shown && !switched && !clear;
    m_figure->setVisible(!impossible && !unclear);
    m_bar->setVisible(!impossible && !unclear);
    m_unclear->setVisible(unclear);
    m_unclear->setText(unclear ? text(gainText(nowNs, trial.stepNs, trial.noise)) : QString());
    if (!shown)
        m_figure->setText(trial.known ? QString() : u"\u2026"_s);
    else if (switched)
        m_figure->setText(u"without: %1"_s.arg(durationText(trial.stepNs)));
    else
        m_figure->setText(text(gainText(nowNs, trial.stepNs, trial.noise)));
    const auto share = [scaleNs](std::int64_t ns) { return static_cast<double>(ns) / static_cast<double>(scaleNs); };
    const std::int64_t withoutNs = switched ? trial.stepNs : nowNs;
    const std::int64_t withNs = switched ? nowNs : trial.stepNs;
    m_bar->setSteps(shown ? share(withoutNs) : 0, shown ? share(withNs) : 0, clear);
    setAccessibleName(changeLabel(m_kind) + u": "_s + (impossible ? trial.error : m_figure->text()));
}

QString WhatIfRow::figure() const
{
    return m_reason->isHidden() ? m_figure->text() : QString();
}

QString WhatIfRow::reason() const
{
    return m_reason->isHidden() ? QString() : m_reason->text();
}

}  // namespace overlane
