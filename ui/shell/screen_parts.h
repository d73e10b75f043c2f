// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QString>

#include <span>
#include <string>

class QLabel;
class QPushButton;
class QTableView;
class QWidget;

namespace belljar::ui {

/// What the screens are made of.

/// Foreign text on one line, with nothing in it that hides or commands (escapeForLine).
[[nodiscard]] QString safe(const std::string& text);

/// `text` with lines over 1,000 characters broken, each with a mark at its end. A text view lays
/// out only the lines that are seen, but a whole one at once, which takes a third of a second for
/// 64,000.
[[nodiscard]] QString inShortLines(const QString& text);

/// Makes `table` a list of whole rows, `linesInARow` lines of text high: one is selected at a time,
/// and Tab leaves it. Sizing rows to their contents would cost more than everything else in a long
/// list.
void setUpRows(QTableView& table, double linesInARow);

/// Makes each column as wide as its text of `widestTexts`; `stretched` takes what is left.
void setColumnWidths(QTableView& table, std::span<const char* const> widestTexts, int stretched);

/// A page that says `text` in its middle, with `button` (may be nullptr) below; it owns both.
[[nodiscard]] QWidget* makeMessagePage(QLabel* text, QPushButton* button);

} // namespace belljar::ui
