// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/policies/unit_field.h"

#include "engine/policy/units.h"
#include "ui/policies/schema_guide.h"

#include <QHBoxLayout>
#include <QLineEdit>
#include <QSignalBlocker>
#include <QSlider>

#include <algorithm>
#include <array>
#include <chrono>
#include <cmath>

namespace belljar::ui {

namespace {

constexpr int kSliderSteps = 200;

struct UnitRow {
    Unit unit;
    const char* name;
    double perSchemaUnit; ///< the schema's bounds are in seconds, bytes, processors
    const char* example;
};

constexpr std::array kUnits{
    UnitRow{Unit::Count, "count", 1, "50"},
    UnitRow{Unit::Cpus, "cpus", 1000, "0.5"},
    UnitRow{Unit::Duration, "duration", 1000, "30s"},
    UnitRow{Unit::Size, "size", 1, "512m"},
};

const UnitRow& rowOf(const Json& schema)
{
    const std::string name = textOf(schema, "x-unit");
    const auto found = std::find_if(kUnits.begin(), kUnits.end(), [&](const UnitRow& row) {
        return name == row.name;
    });
    return found == kUnits.end() ? kUnits.front() : *found;
}

const UnitRow& rowOf(Unit unit)
{
    return kUnits.at(static_cast<std::size_t>(unit));
}

double boundOf(const Json& schema, const char* own, const char* standard, double fallback)
{
    for (const char* name : {own, standard}) {
        if (schema.contains(name) && schema[name].is_number())
            return schema[name].get<double>();
    }
    return fallback;
}

struct Suffix {
    double factor;
    const char* text;
};

/// The largest unit in which `quantity` is a whole number.
std::string inWholeUnits(double quantity, std::initializer_list<Suffix> suffixes)
{
    for (const Suffix& suffix : suffixes) {
        if (quantity >= suffix.factor && std::fmod(quantity, suffix.factor) == 0)
            return std::to_string(std::llround(quantity / suffix.factor)) + suffix.text;
    }
    return std::to_string(std::llround(quantity));
}

/// To two digits, as people would choose it.
double rounded(double quantity, double grain)
{
    const double units = quantity / grain;
    const double magnitude = std::pow(10, std::max(0.0, std::floor(std::log10(units)) - 1));
    return std::round(units / magnitude) * magnitude * grain;
}

} // namespace

std::optional<double> quantityOf(Unit unit, const std::string& text)
{
    switch (unit) {
    case Unit::Count: {
        const QString digits = QString::fromStdString(text).trimmed();
        bool whole = false;
        const auto count = digits.toUInt(&whole);
        return whole ? std::optional<double>(count) : std::nullopt;
    }
    case Unit::Cpus:
        if (const auto cpus = policy::parseCpus(text))
            return *cpus;
        return {};
    case Unit::Duration:
        if (const auto span = policy::parseDuration(text))
            return static_cast<double>(span->count());
        return {};
    case Unit::Size:
        if (const auto bytes = policy::parseSize(text))
            return static_cast<double>(*bytes);
        return {};
    }
    return {};
}

Json quantityJson(Unit unit, double quantity)
{
    switch (unit) {
    case Unit::Count: return std::llround(quantity);
    case Unit::Cpus:
        if (std::fmod(quantity, 1000) == 0)
            return std::llround(quantity / 1000);
        return quantity / 1000;
    case Unit::Duration:
        return inWholeUnits(quantity, {{3600e3, "h"}, {60e3, "min"}, {1e3, "s"}, {1, "ms"}});
    case Unit::Size:
        return inWholeUnits(
            quantity, {{1024. * 1024 * 1024, "g"}, {1024. * 1024, "m"}, {1024., "k"}}
        );
    }
    return {};
}

QString quantityText(Unit unit, const Json& value)
{
    const std::string written = value.is_string() ? value.get<std::string>() : value.dump();
    const auto quantity = quantityOf(unit, written);
    if (!quantity)
        return QString::fromStdString(written);
    const Json normal = quantityJson(unit, *quantity);
    return QString::fromStdString(normal.is_string() ? normal.get<std::string>() : normal.dump());
}

UnitField::UnitField(const Json& schema, QWidget* parent)
    : QWidget(parent)
    , m_unit(rowOf(schema).unit)
    , m_text(new QLineEdit(this))
    , m_slider(new QSlider(Qt::Horizontal, this))
{
    const double perUnit = rowOf(schema).perSchemaUnit;
    m_least = boundOf(schema, "x-minimum", "minimum", 1) * perUnit;
    m_most = boundOf(schema, "x-maximum", "maximum", 1000) * perUnit;
    m_text->setMaximumWidth(fontMetrics().averageCharWidth() * 16);
    m_slider->setRange(0, kSliderSteps);
    m_slider->setPageStep(kSliderSteps / 10);
    m_slider->setMinimumWidth(fontMetrics().averageCharWidth() * 8);
    auto* layout = new QHBoxLayout(this);
    layout->setContentsMargins(0, 0, 0, 0);
    layout->addWidget(m_text);
    layout->addWidget(m_slider, 1);
    setFocusProxy(m_text);
    connect(m_text, &QLineEdit::editingFinished, this, &UnitField::commitText);
    connect(m_text, &QLineEdit::textEdited, this, &UnitField::problemChanged);
    connect(m_slider, &QSlider::valueChanged, this, [this](int position) {
        const Json value = quantityJson(m_unit, quantityAt(position));
        m_text->setText(quantityText(m_unit, value));
        m_text->setModified(false);
        if (!m_slider->isSliderDown())
            emit committed(value);
    });
    connect(m_slider, &QSlider::sliderReleased, this, [this] {
        emit committed(quantityJson(m_unit, quantityAt(m_slider->value())));
    });
}

void UnitField::setValue(const Json& value)
{
    m_text->setAccessibleName(accessibleName());
    m_slider->setAccessibleName(tr("%1, slider").arg(accessibleName()));
    if (m_text->isModified() && m_text->hasFocus())
        return; // the person is typing
    m_text->setText(quantityText(m_unit, value));
    m_text->setModified(false);
    if (const auto quantity = quantityOf(m_unit, m_text->text().toStdString()))
        showOnSlider(*quantity);
}

QString UnitField::problem() const
{
    const auto quantity = quantityOf(m_unit, m_text->text().toStdString());
    const auto shown = [this](double bound) {
        return quantityText(m_unit, quantityJson(m_unit, bound));
    };
    if (!quantity)
        return tr("Write it like %1.").arg(QLatin1String(rowOf(m_unit).example));
    if (*quantity < m_least || *quantity > m_most)
        return tr("Use %1 to %2.").arg(shown(m_least), shown(m_most));
    return {};
}

void UnitField::commitText()
{
    if (!m_text->isModified())
        return;
    // Out of range is written as well: the check marks it, and nothing that was typed is lost.
    const auto quantity = quantityOf(m_unit, m_text->text().toStdString());
    if (!quantity)
        return;
    const Json value = quantityJson(m_unit, *quantity);
    m_text->setText(quantityText(m_unit, value));
    m_text->setModified(false);
    showOnSlider(*quantity);
    emit committed(value);
}

void UnitField::showOnSlider(double quantity)
{
    // Logarithmic: the small ones are chosen as often as the large ones.
    const double share =
        std::log(std::clamp(quantity, m_least, m_most) / m_least) / std::log(m_most / m_least);
    const QSignalBlocker quiet(m_slider);
    m_slider->setValue(static_cast<int>(std::lround(share * kSliderSteps)));
}

double UnitField::quantityAt(int position) const
{
    const double share = static_cast<double>(position) / kSliderSteps;
    const double quantity = m_least * std::pow(m_most / m_least, share);
    const double mebi = 1024. * 1024;
    const double grain = m_unit == Unit::Duration                   ? 1000
                         : m_unit == Unit::Cpus                     ? 50
                         : m_unit == Unit::Size && quantity >= mebi ? mebi
                         : m_unit == Unit::Size                     ? 1024
                                                                    : 1;
    return std::clamp(rounded(quantity, grain), m_least, m_most);
}

} // namespace belljar::ui
