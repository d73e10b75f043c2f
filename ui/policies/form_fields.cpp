// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/policies/form_fields.h"

#include "engine/base/text.h"
#include "ui/policies/unit_field.h"
#include "ui/shell/theme.h"

#include <QAbstractItemView>
#include <QCheckBox>
#include <QComboBox>
#include <QGridLayout>
#include <QHBoxLayout>
#include <QHeaderView>
#include <QLabel>
#include <QLineEdit>
#include <QPlainTextEdit>
#include <QPushButton>
#include <QSignalBlocker>
#include <QTableWidget>
#include <QToolButton>
#include <QVBoxLayout>

#include <algorithm>
#include <memory>
#include <utility>
#include <vector>

namespace belljar::ui {

namespace {

QString fromUtf8(const std::string& text)
{
    return QString::fromStdString(text);
}

bool isType(const Json& schema, const char* type)
{
    return textOf(schema, "type") == type;
}

QString listText(const Json& value)
{
    QStringList names;
    if (value.is_array()) {
        for (const Json& name : value)
            names << fromUtf8(name.is_string() ? name.get<std::string>() : name.dump());
    }
    return names.join(QStringLiteral(", "));
}

Json listOf(const QString& text)
{
    Json names = Json::array();
    for (const QString& part : text.split(QLatin1Char(','))) {
        if (const QString name = part.trimmed(); !name.isEmpty())
            names.push_back(name.toStdString());
    }
    return names;
}

/// A field whose text is taken when the person leaves it.
ValueEditor makeLine(
    QWidget* parent,
    std::function<QString(const Json&)> toText,
    std::function<Json(const QString&)> toValue,
    const Commit& commit
)
{
    auto* line = new QLineEdit(parent);
    QObject::connect(line, &QLineEdit::editingFinished, line, [line, toValue, commit] {
        if (!line->isModified())
            return;
        line->setModified(false);
        commit(toValue(line->text()));
    });
    return {line, [line, toText](const Json& value) {
                if (line->isModified() && line->hasFocus())
                    return;
                line->setText(toText(value));
                line->setCursorPosition(0);
                line->setModified(false);
            }};
}

ValueEditor makeText(const Json&, QWidget* parent, const Commit& commit)
{
    return makeLine(
        parent,
        [](const Json& value) {
            return value.is_string() ? fromUtf8(value.get<std::string>()) : QString();
        },
        [](const QString& text) { return Json(text.toStdString()); },
        commit
    );
}

ValueEditor makeList(const Json&, QWidget* parent, const Commit& commit)
{
    ValueEditor editor = makeLine(parent, listText, listOf, commit);
    static_cast<QLineEdit*>(editor.widget)
        ->setPlaceholderText(QObject::tr("names, with commas between"));
    return editor;
}

ValueEditor makeQuantity(const Json& schema, QWidget* parent, const Commit& commit)
{
    auto* field = new UnitField(schema, parent);
    QObject::connect(field, &UnitField::committed, field, commit);
    return {
        field,
        [field](const Json& value) { field->setValue(value); },
        [field] { return field->problem(); }};
}

ValueEditor makeSwitch(const Json& schema, QWidget* parent, const Commit& commit)
{
    if (!schema.contains("default")) {
        // Three answers: a condition that isn't given asks for nothing.
        auto* combo = new QComboBox(parent);
        combo->addItems({QObject::tr("either way"), QObject::tr("yes"), QObject::tr("no")});
        QObject::connect(combo, &QComboBox::activated, combo, [commit](int index) {
            commit(index == 0 ? Json() : Json(index == 1));
        });
        return {combo, [combo](const Json& value) {
                    combo->setCurrentIndex(!value.is_boolean() ? 0 : value.get<bool>() ? 1 : 2);
                }};
    }
    auto* box = new QCheckBox(QObject::tr("On"), parent);
    QObject::connect(box, &QCheckBox::clicked, box, [commit](bool on) { commit(on); });
    return {box, [box](const Json& value) {
                box->setChecked(value.is_boolean() && value.get<bool>());
            }};
}

ValueEditor makeChoice(const Json& schema, QWidget* parent, const Commit& commit)
{
    auto* combo = new QComboBox(parent);
    const bool optional = !schema.contains("default");
    if (optional)
        combo->addItem(QObject::tr("any"));
    for (const Json& choice : schema["enum"])
        combo->addItem(fromUtf8(choice.is_string() ? choice.get<std::string>() : choice.dump()));
    QObject::connect(combo, &QComboBox::activated, combo, [combo, commit, optional](int index) {
        commit(optional && index == 0 ? Json() : Json(combo->itemText(index).toStdString()));
    });
    return {combo, [combo](const Json& value) {
                const int index =
                    value.is_string() ? combo->findText(fromUtf8(value.get<std::string>())) : 0;
                combo->setCurrentIndex(index);
            }};
}

/// Check boxes for the schema's names and for those that are chosen already.
ValueEditor makeBoxes(const Json& schema, QWidget* parent, const Commit& commit)
{
    auto* area = new QWidget(parent);
    auto* layout = new QHBoxLayout(area);
    layout->setContentsMargins(0, 0, 0, 0);
    auto boxes = std::make_shared<std::vector<QCheckBox*>>();
    auto chosen = std::make_shared<Json>(Json::array());
    const auto add = [=](const std::string& name) {
        auto* box = new QCheckBox(area);
        box->setText(QString(fromUtf8(escapeForLine(name))).replace('&', QLatin1String("&&")));
        box->setProperty("id", fromUtf8(name));
        QObject::connect(box, &QCheckBox::clicked, box, [chosen, commit, name](bool on) {
            Json names = Json::array(); // the others keep their order
            for (const Json& one : *chosen) {
                if (one != name)
                    names.push_back(one);
            }
            if (on)
                names.push_back(name);
            commit(names);
        });
        boxes->push_back(box);
        layout->addWidget(box);
    };
    for (const Json& name : schema["default"])
        add(name.get<std::string>());
    auto* other = new QLineEdit(area);
    other->setPlaceholderText(QObject::tr("another"));
    other->setAccessibleName(QObject::tr("Another language"));
    other->setMaximumWidth(area->fontMetrics().averageCharWidth() * 14);
    QObject::connect(other, &QLineEdit::returnPressed, other, [other, chosen, commit] {
        Json names = *chosen;
        names.push_back(other->text().trimmed().toStdString());
        other->clear();
        commit(names);
    });
    layout->addStretch(1);
    layout->addWidget(other);
    return {
        area, [=](const Json& value) {
            *chosen = value.is_array() ? value : Json::array();
            for (const Json& name : *chosen) {
                const bool known =
                    std::any_of(boxes->begin(), boxes->end(), [&](const QCheckBox* box) {
                        return name.is_string() &&
                               box->property("id").toString() == fromUtf8(name.get<std::string>());
                    });
                if (!known && name.is_string()) {
                    add(name.get<std::string>());
                    layout->insertWidget(static_cast<int>(boxes->size()) - 1, boxes->back());
                }
            }
            for (QCheckBox* box : *boxes)
                box->setChecked(
                    std::find(
                        chosen->begin(), chosen->end(), box->property("id").toString().toStdString()
                    ) != chosen->end()
                );
        }};
}

/// An object with free keys: a table of keys and values, with one row more to add.
ValueEditor makeMap(const Json& schema, QWidget* parent, const Commit& commit)
{
    const Json& each = schema["additionalProperties"];
    const bool isChoice = each.contains("enum");
    const bool isList = isType(each, "array");
    auto* table = new QTableWidget(0, 2, parent);
    table->setHorizontalHeaderLabels({QObject::tr("For"), fromUtf8(titleOf(each, "Value"))});
    table->verticalHeader()->hide();
    table->horizontalHeader()->setStretchLastSection(true);
    table->horizontalHeader()->setDefaultSectionSize(table->fontMetrics().averageCharWidth() * 26);
    table->setEditTriggers(
        QAbstractItemView::DoubleClicked | QAbstractItemView::EditKeyPressed |
        QAbstractItemView::AnyKeyPressed
    );
    table->setToolTip(QObject::tr("The last row adds one; without a key a row goes away"));
    auto current = std::make_shared<Json>(Json::object());
    const auto collect = [=] {
        Json object = Json::object();
        for (int row = 0; row < table->rowCount(); ++row) {
            const auto* key = table->item(row, 0);
            const std::string name = key ? key->text().trimmed().toStdString() : std::string();
            if (name.empty())
                continue;
            QString text;
            if (const auto* combo = qobject_cast<QComboBox*>(table->cellWidget(row, 1)))
                text = combo->currentText();
            else if (const auto* item = table->item(row, 1))
                text = item->text();
            if (isList)
                object[name] = listOf(text);
            else
                object[name] = text.toStdString();
        }
        if (object == *current)
            return;
        // A row that is being typed has no value yet: it stays in the table until it has.
        const bool complete =
            isList || std::all_of(object.begin(), object.end(), [](const Json& v) {
                return !v.get<std::string>().empty();
            });
        if (complete)
            QMetaObject::invokeMethod(
                table, [commit, object] { commit(object); }, Qt::QueuedConnection
            );
    };
    QObject::connect(table, &QTableWidget::cellChanged, table, collect);
    return {table, [=](const Json& value) {
                *current = value.is_object() ? value : Json::object();
                const QSignalBlocker quiet(table);
                table->setRowCount(static_cast<int>(current->size()) + 1);
                int row = 0;
                const auto fill = [&](const std::string& key, const Json& content) {
                    table->setItem(row, 0, new QTableWidgetItem(fromUtf8(key)));
                    const QString text = content.is_array() ? listText(content)
                                         : content.is_string()
                                             ? fromUtf8(content.get<std::string>())
                                             : QString();
                    if (isChoice) {
                        auto* combo = new QComboBox(table);
                        combo->setAccessibleName(QObject::tr("Severity"));
                        for (const Json& choice : each["enum"])
                            combo->addItem(fromUtf8(choice.get<std::string>()));
                        combo->setCurrentText(text.isEmpty() ? QStringLiteral("medium") : text);
                        QObject::connect(combo, &QComboBox::activated, table, collect);
                        table->setCellWidget(row, 1, combo);
                    } else {
                        table->setItem(row, 1, new QTableWidgetItem(text));
                    }
                    ++row;
                };
                for (const auto& [key, content] : current->items())
                    fill(key, content);
                fill({}, {});
                table->resizeRowsToContents();
                const int rows = std::min(table->rowCount(), 8);
                table->setFixedHeight(
                    table->horizontalHeader()->sizeHint().height() +
                    rows * (table->rowHeight(0) + 1) + 6
                );
            }};
}

ValueEditor
makeEditor(const Json& schema, const std::string& place, QWidget* parent, const Commit& commit)
{
    using Make = ValueEditor (*)(const Json&, QWidget*, const Commit&);
    struct Row {
        bool fits;
        Make make;
    };
    const Row rows[] = {
        {schema.contains("x-unit") || isType(schema, "integer"), makeQuantity},
        {schema.contains("enum"), makeChoice},
        {isType(schema, "boolean"), makeSwitch},
        {place == "/languages/allow", makeBoxes},
        {isType(schema, "array"), makeList},
        {isType(schema, "object"), makeMap},
        {true, makeText},
    };
    const auto* row =
        std::find_if(std::begin(rows), std::end(rows), [](const Row& one) { return one.fits; });
    return row->make(schema, parent, commit);
}

QColor roleColor(StatusGroup group)
{
    return readableOn(currentColors().status(group), currentColors().window);
}

void setColor(QLabel* label, const QColor& color)
{
    QPalette colors = label->palette();
    colors.setColor(QPalette::WindowText, color);
    label->setPalette(colors);
}

} // namespace

QLabel* makeNote(const QString& text, bool muted, QWidget* parent)
{
    auto* note = new QLabel(text, parent);
    note->setTextFormat(Qt::PlainText);
    note->setWordWrap(true);
    if (muted)
        setColor(note, currentColors().muted);
    return note;
}

FormField::FormField(
    const SchemaGuide& guide, const std::string& schemaPlace, Style style, QWidget* parent
)
    : QWidget(parent)
    , m_schema(guide.at(schemaPlace) ? *guide.at(schemaPlace) : Json::object())
    , m_pointer(schemaPlace)
    , m_title(new QLabel(this))
    , m_modified(new QLabel(this))
    , m_reset(new QToolButton(this))
    , m_description(makeNote(fromUtf8(textOf(m_schema, "description")), true, this))
    , m_warning(makeNote({}, false, this))
    , m_problem(makeNote({}, false, this))
{
    const std::string key = json::steps(schemaPlace).empty() ? "" : json::steps(schemaPlace).back();
    const QString title = fromUtf8(titleOf(m_schema, key));
    setObjectName(QStringLiteral("field:") + fromUtf8(schemaPlace));
    m_title->setText(title);
    m_title->setTextFormat(Qt::PlainText);
    m_modified->setText(tr("● modified"));
    m_modified->setObjectName(QStringLiteral("modified"));
    m_modified->setToolTip(tr("Differs from the default"));
    m_reset->setText(tr("Reset"));
    m_reset->setAutoRaise(true);
    m_reset->setObjectName(QStringLiteral("reset"));
    m_reset->setAccessibleName(tr("Reset %1 to its default").arg(title));
    m_problem->setObjectName(QStringLiteral("problem"));
    m_warning->setObjectName(QStringLiteral("warning"));
    m_editor =
        makeEditor(m_schema, schemaPlace, this, [this](const Json& value) { commit(value); });
    m_editor.widget->setAccessibleName(title);
    m_editor.widget->setAccessibleDescription(m_description->text());
    m_title->setBuddy(m_editor.widget);
    if (auto* field = qobject_cast<UnitField*>(m_editor.widget))
        connect(field, &UnitField::problemChanged, this, &FormField::showProblem);
    connect(m_reset, &QToolButton::clicked, this, [this] { commit({}); });

    auto* head = new QHBoxLayout;
    head->addWidget(m_title);
    head->addWidget(m_modified);
    head->addStretch(1);
    head->addWidget(m_reset);
    auto* layout = new QVBoxLayout(this);
    layout->setContentsMargins(0, 2, 0, style == Style::Full ? 8 : 2);
    layout->setSpacing(3);
    layout->addLayout(head);
    layout->addWidget(m_editor.widget);
    layout->addWidget(m_warning);
    layout->addWidget(m_problem);
    layout->addWidget(m_description);
    if (style == Style::Compact) {
        m_description->hide();
        m_editor.widget->setToolTip(m_description->text().toHtmlEscaped());
    }
    if (style == Style::Full) {
        QFont bold = m_title->font();
        bold.setWeight(QFont::DemiBold);
        m_title->setFont(bold);
    }
}

void FormField::setPlace(PolicyDocument* document, const std::string& pointer)
{
    m_document = document;
    m_pointer = pointer;
    refresh();
}

void FormField::refresh()
{
    const Json* value = m_document ? m_document->value(m_pointer) : nullptr;
    const auto preset = m_schema.find("default");
    const bool hasPreset = preset != m_schema.end();
    const Json shown = value ? *value : hasPreset ? *preset : Json();
    m_editor.show(shown);
    const bool modified = value && (!hasPreset || *value != *preset);
    // Every policy has a name and words of its own: nothing to go back to.
    const bool resettable = hasPreset && m_pointer != "/title" && m_pointer != "/description";
    m_modified->setVisible(modified && resettable);
    m_reset->setVisible(modified && resettable);
    setColor(m_modified, readableOn(currentColors().accent, currentColors().window));
    setColor(m_description, currentColors().muted);
    const auto strongest = m_schema.find("x-strongest");
    const bool weak = strongest != m_schema.end() && shown != *strongest;
    m_warning->setText(tr("⚠ Weaker than it can be (%1). Runs under this policy say so.")
                           .arg(
                               weak ? fromUtf8(
                                          strongest->is_string()
                                              ? strongest->get<std::string>()
                                              : (*strongest == true ? "on" : "off")
                                      )
                                    : QString()
                           ));
    // Asking instead of denying is a choice, not a hole in the wall.
    m_warning->setVisible(
        weak && (m_pointer.starts_with("/container") || m_pointer.starts_with("/network"))
    );
    setColor(m_warning, roleColor(StatusGroup::Waiting));
    showProblem();
}

void FormField::showProblem()
{
    QString text = m_editor.problem();
    if (m_document && text.isEmpty()) {
        for (const policy::Problem& problem : m_document->checked().problems) {
            if (problem.place == m_pointer || problem.place.starts_with(m_pointer + "/")) {
                text = fromUtf8(escapeForLine(problem.message));
                break;
            }
        }
    }
    m_problem->setText(text);
    m_problem->setVisible(!text.isEmpty());
    setColor(m_problem, roleColor(StatusGroup::Failed));
}

bool FormField::matches(const QString& words) const
{
    const QString all = m_title->text() + QLatin1Char(' ') + m_description->text() +
                        QLatin1Char(' ') + fromUtf8(m_pointer);
    const QStringList parts = words.split(QLatin1Char(' '), Qt::SkipEmptyParts);
    return std::all_of(parts.begin(), parts.end(), [&](const QString& part) {
        return all.contains(part, Qt::CaseInsensitive);
    });
}

void FormField::commit(const Json& value)
{
    if (!m_document)
        return;
    const bool done = value.is_null() ? m_document->removeValue(m_pointer)
                                      : m_document->setValue(m_pointer, value);
    if (!done)
        refresh();
}

} // namespace belljar::ui
