// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#ifndef Q_MOC_RUN // moc 6.4 stumbles over <concepts>
#include "engine/base/json.h"

#include <optional>
#include <string>
#endif

#include <QWidget>

class QLineEdit;
class QSlider;

namespace belljar::ui {

/// How a quantity is typed: "512m", "30s", "0.5", "50".
enum class Unit : std::uint8_t { Count, Cpus, Duration, Size };

/// The quantity in its smallest unit (milliseconds, bytes, thousandths of a processor).
[[nodiscard]] std::optional<double> quantityOf(Unit unit, const std::string& text);
/// A quantity as it is written into a policy, the shortest way: "512m", "5min", 0.5.
[[nodiscard]] Json quantityJson(Unit unit, double quantity);
/// A value of a policy as text, normalised where it can be read.
[[nodiscard]] QString quantityText(Unit unit, const Json& value);

/// A text field for a quantity, with a slider beside it that has the same value.
class UnitField : public QWidget {
    Q_OBJECT

public:
    /// `schema` names the unit and the range.
    UnitField(const Json& schema, QWidget* parent = nullptr);

    void setValue(const Json& value);
    /// What is wrong with what stands in the field; empty: nothing.
    [[nodiscard]] QString problem() const;

signals:
    /// The person has left the field, or moved the slider.
    void committed(const belljar::Json& value);
    void problemChanged();

private:
    void commitText();
    void showOnSlider(double quantity);
    [[nodiscard]] double quantityAt(int position) const;

    Unit m_unit;
    double m_least = 1;
    double m_most = 1;
    QLineEdit* m_text;
    QSlider* m_slider;
};

} // namespace belljar::ui
