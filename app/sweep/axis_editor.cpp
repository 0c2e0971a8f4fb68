#include "app/sweep/axis_editor.h"

#include <algorithm>
#include <cmath>

#include <QComboBox>
#include <QHBoxLayout>
#include <QLabel>
#include <QMenu>
#include <QSignalBlocker>
#include <QSpinBox>
#include <QToolButton>

#include "app/widgets/quantity_box.h"
#include "app/widgets/text.h"
#include "core/loader/setting_value.h"

namespace overlane
{

namespace
{

constexpr int kUsualCount = 9;
constexpr double kAround = 8;  // a range goes from an eighth to eight times the present value

bool hasChoices(const Setting& setting)
{
    return setting.kind == SettingKind::Choice || setting.kind == SettingKind::Switch;
}

std::size_t choiceCount(const Setting& setting)
{
    return setting.kind == SettingKind::Switch ? 2 : setting.choices.size();
}

}  // namespace

AxisEditor::AxisEditor(const QString& title, Need need, const QString& objectName, QWidget* parent)
    : QWidget(parent), m_need(need), m_line(new QHBoxLayout(this)), m_key(new QComboBox(this))
{
    setObjectName(objectName);
    m_line->setContentsMargins(0, 0, 0, 0);
    m_line->setSpacing(4);
    auto* label = new QLabel(title, this);
    label->setBuddy(m_key);
    m_key->setObjectName(objectName + u"Setting"_s);
    m_key->setAccessibleName(title);
    m_key->setMaxVisibleItems(20);
    m_key->setMinimumWidth(150);
    label->setMinimumWidth(64);
    if (need == Need::Optional)
        m_key->addItem(u"none"_s, QString());
    for (const Setting& setting : allSettings()) {
        m_key->addItem(text(setting.label), text(setting.key));
        m_key->setItemData(m_key->count() - 1, text(setting.description), Qt::ToolTipRole);
    }
    m_line->addWidget(label);
    m_line->addWidget(m_key);
    m_line->addStretch(1);
    connect(m_key, &QComboBox::activated, this, [this] {
        m_listed.clear();
        takeSetting();
        emit changed();
    });
    if (need == Need::Required)
        m_key->setCurrentIndex(m_key->findData(u"batch_bytes"_s));
    takeSetting();
}

const Setting* AxisEditor::setting() const
{
    return findSetting(m_key->currentData().toString().toStdString());
}

void AxisEditor::makeBoxes(const Setting& setting)
{
    const auto name = [this](const char* part) { return objectName() + QLatin1String(part); };
    auto* line = new QHBoxLayout(m_numbers);
    line->setContentsMargins(0, 0, 0, 0);
    line->setSpacing(4);
    if (hasChoices(setting)) {
        m_choices = new QToolButton(m_numbers);
        m_choices->setObjectName(name("Choices"));
        m_choices->setPopupMode(QToolButton::InstantPopup);
        m_menu = new QMenu(m_choices);
        for (std::size_t choice = 0; choice < choiceCount(setting); ++choice) {
            QAction* action = m_menu->addAction(text(settingValueText(setting, static_cast<double>(choice))));
            action->setCheckable(true);
            action->setChecked(true);
            connect(action, &QAction::toggled, this, [this] { emit changed(); });
        }
        m_choices->setMenu(m_menu);
        line->addWidget(m_choices);
        return;
    }
    m_from = new QuantityBox(setting, m_numbers);
    m_to = new QuantityBox(setting, m_numbers);
    m_count = new QSpinBox(m_numbers);
    m_steps = new QComboBox(m_numbers);
    m_from->setObjectName(name("From"));
    m_to->setObjectName(name("To"));
    m_count->setObjectName(name("Count"));
    m_steps->setObjectName(name("Steps"));
    m_from->setAccessibleName(u"From"_s);
    m_to->setAccessibleName(u"To"_s);
    m_count->setAccessibleName(u"Values"_s);
    m_steps->setAccessibleName(u"Steps"_s);
    m_count->setRange(2, static_cast<int>(kMostAxisValues));
    m_count->setSuffix(u" values"_s);
    m_steps->addItem(u"equal steps"_s, static_cast<int>(AxisSpacing::Linear));
    m_steps->addItem(u"equal ratios"_s, static_cast<int>(AxisSpacing::Logarithmic));
    line->addWidget(m_from);
    line->addWidget(new QLabel(u"to"_s, m_numbers));
    line->addWidget(m_to);
    line->addWidget(m_count);
    line->addWidget(m_steps);
    const auto edited = [this] {
        m_listed.clear();
        emit changed();
    };
    connect(m_from, &QDoubleSpinBox::valueChanged, this, edited);
    connect(m_to, &QDoubleSpinBox::valueChanged, this, edited);
    connect(m_count, &QSpinBox::valueChanged, this, edited);
    connect(m_steps, &QComboBox::activated, this, edited);
}

void AxisEditor::takeSetting()
{
    delete m_numbers;
    m_numbers = new QWidget(this);
    m_from = m_to = nullptr;
    m_count = nullptr;
    m_steps = nullptr;
    m_choices = nullptr;
    m_menu = nullptr;
    m_line->insertWidget(2, m_numbers);
    const Setting* chosen = setting();
    if (chosen == nullptr)
        return;
    makeBoxes(*chosen);
    if (m_from == nullptr) {
        m_choices->setText(u"all choices"_s);
        return;
    }
    const double value = chosen->get(m_scenario);
    const bool ratios = chosen->logarithmic && value > 0;
    double from = ratios ? value / kAround : chosen->minimum;
    double to = ratios ? value * kAround : std::max(value * 2, 8.0);
    from = std::clamp(from, chosen->minimum, chosen->maximum);
    to = std::clamp(to, chosen->minimum, chosen->maximum);
    const QSignalBlocker quiet(this);
    m_from->setValue(from);
    m_to->setValue(to);
    m_count->setValue(chosen->kind == SettingKind::Integer && !ratios ? static_cast<int>(to - from) + 1 : kUsualCount);
    m_steps->setCurrentIndex(ratios ? 1 : 0);
}

void AxisEditor::setAxis(const std::optional<SweepAxis>& axis)
{
    const QSignalBlocker quiet(this);
    m_key->setCurrentIndex(axis ? m_key->findData(text(axis->key)) : 0);
    takeSetting();
    m_listed.clear();
    if (!axis)
        return;
    if (m_menu != nullptr) {
        const QList<QAction*> actions = m_menu->actions();
        for (qsizetype choice = 0; choice < actions.size(); ++choice)
            actions[choice]->setChecked(
                std::find(axis->values.begin(), axis->values.end(), static_cast<double>(choice)) != axis->values.end());
        m_choices->setText(axis->values.size() == choiceCount(axis->setting()) ? u"all choices"_s : u"some choices"_s);
        return;
    }
    m_from->setValue(axis->values.front());
    m_to->setValue(axis->values.back());
    m_count->setValue(static_cast<int>(axis->values.size()));
    m_steps->setCurrentIndex(axis->logarithmic ? 1 : 0);
    m_listed = axis->values;
}

Result<SweepAxis> AxisEditor::made() const
{
    const Setting& chosen = *setting();
    if (m_menu != nullptr) {
        SweepAxis axis{std::string(chosen.key), {}, false};
        const QList<QAction*> actions = m_menu->actions();
        for (qsizetype choice = 0; choice < actions.size(); ++choice)
            if (actions[choice]->isChecked())
                axis.values.push_back(static_cast<double>(choice));
        if (axis.values.empty())
            return Error{"Choose at least one value of '" + axis.key + "'."};
        return axis;
    }
    if (!m_listed.empty())
        return SweepAxis{std::string(chosen.key), m_listed, m_steps->currentIndex() == 1};
    return axisBetween(chosen, m_from->value(), m_to->value(), static_cast<std::size_t>(m_count->value()),
                       static_cast<AxisSpacing>(m_steps->currentData().toInt()));
}

std::optional<SweepAxis> AxisEditor::axis() const
{
    if (setting() == nullptr)
        return {};
    auto axis = made();
    return axis.ok() ? std::optional(std::move(axis).value()) : std::nullopt;
}

QString AxisEditor::problem() const
{
    if (setting() == nullptr)
        return {};
    const auto axis = made();
    return axis.ok() ? QString() : text(axis.error());
}

}  // namespace overlane
