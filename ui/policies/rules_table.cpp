// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/policies/rules_table.h"

#include "engine/base/text.h"
#include "ui/policies/form_fields.h"
#include "ui/policies/shadow.h"
#include "ui/shell/theme.h"

#include <QComboBox>
#include <QHBoxLayout>
#include <QHeaderView>
#include <QKeyEvent>
#include <QLabel>
#include <QMimeData>
#include <QPushButton>
#include <QStyledItemDelegate>
#include <QTableView>
#include <QVBoxLayout>

#include <algorithm>
#include <array>

namespace belljar::ui {

namespace {

constexpr const char* kRules = "/approval/rules";
constexpr const char* kMimeType = "application/x-belljar-rule";
const std::array kVerdicts{"allow", "ask", "deny"};

QString shown(const std::string& text)
{
    return QString::fromStdString(escapeForLine(text));
}

QString shown(const Json& value)
{
    if (value.is_string())
        return shown(value.get<std::string>());
    if (!value.is_array())
        return shown(value.dump());
    QStringList all;
    for (const Json& one : value)
        all << shown(one);
    return all.join(QStringLiteral(", "));
}

QString memberText(const Json& object, const char* key)
{
    return object.is_object() && object.contains(key) ? shown(object[key]) : QString();
}

/// A condition in words, in the order of the schema.
QString conditionText(const Json& when)
{
    if (!when.is_object() || when.empty())
        return RulesModel::tr("always");
    QStringList parts;
    for (const auto& [key, value] : when.items())
        parts << QString::fromStdString(escapeForLine(key)).replace('_', ' ') +
                     QStringLiteral(": ") + shown(value);
    return parts.join(QStringLiteral("; "));
}

std::string ruleAt(int row)
{
    return std::string(kRules) + "/" + std::to_string(row);
}

/// A combo box for the verdict.
class VerdictDelegate : public QStyledItemDelegate {
public:
    using QStyledItemDelegate::QStyledItemDelegate;

    QWidget*
    createEditor(QWidget* parent, const QStyleOptionViewItem&, const QModelIndex&) const override
    {
        auto* combo = new QComboBox(parent);
        for (const char* verdict : kVerdicts)
            combo->addItem(QLatin1String(verdict));
        return combo;
    }
    void setEditorData(QWidget* editor, const QModelIndex& index) const override
    {
        static_cast<QComboBox*>(editor)->setCurrentText(index.data(Qt::EditRole).toString());
    }
    void setModelData(QWidget* editor, QAbstractItemModel* model, const QModelIndex& index)
        const override
    {
        model->setData(index, static_cast<QComboBox*>(editor)->currentText());
    }
};

} // namespace

RulesModel::RulesModel(QObject* parent)
    : QAbstractTableModel(parent)
    , m_rows(readRows())
{}

void RulesModel::setDocument(PolicyDocument* document)
{
    beginResetModel();
    m_document = document;
    m_rows = readRows();
    endResetModel();
}

std::vector<RulesModel::Row> RulesModel::readRows() const
{
    std::vector<Row> rows;
    const Json* rules = m_document ? m_document->value(kRules) : nullptr;
    const auto& policy = m_document ? m_document->checked().policy : std::nullopt;
    for (std::size_t at = 0; rules && rules->is_array() && at < rules->size(); ++at) {
        const Json& rule = (*rules)[at];
        Row row{
            memberText(rule, "name"),
            conditionText(rule.is_object() ? rule.value("when", Json::object()) : Json::object()),
            memberText(rule, "then"),
            memberText(rule, "why"),
            {}};
        // Of the policy as it was checked last; while it says something else no mark is better.
        if (policy && policy->rules.size() == rules->size()) {
            if (const auto above = coveredBy(policy->rules, at))
                row.note = tr("never reached: rule %1 covers it").arg(*above + 1);
        }
        rows.push_back(row);
    }
    const Json* otherwise = m_document ? m_document->value("/approval/otherwise") : nullptr;
    rows.push_back(
        {tr("otherwise"),
         tr("when no rule matches"),
         otherwise ? shown(*otherwise) : QStringLiteral("ask"),
         {},
         {}}
    );
    return rows;
}

void RulesModel::refresh()
{
    std::vector<Row> now = readRows();
    const auto old = static_cast<int>(m_rows.size());
    const auto count = static_cast<int>(now.size());
    const auto [mine, its] = std::mismatch(m_rows.begin(), m_rows.end(), now.begin(), now.end());
    const int first = std::min(static_cast<int>(mine - m_rows.begin()), std::min(old, count) - 1);
    if (count > old) {
        beginInsertRows({}, first, first + count - old - 1);
        m_rows = std::move(now);
        endInsertRows();
    } else if (count < old) {
        beginRemoveRows({}, first, first + old - count - 1);
        m_rows = std::move(now);
        endRemoveRows();
    } else if (m_rows != now) {
        m_rows = std::move(now);
    } else {
        return;
    }
    emit dataChanged(index(0, 0), index(count - 1, ColumnCount - 1));
}

bool RulesModel::move(int from, int to)
{
    if (!m_document || from < 0 || from >= ruleCount() || to < 0 || to >= ruleCount())
        return false;
    if (!m_document->moveElement(
            kRules, static_cast<std::size_t>(from), static_cast<std::size_t>(to)
        ))
        return false;
    emit moved(to);
    return true;
}

int RulesModel::rowCount(const QModelIndex& parent) const
{
    return parent.isValid() ? 0 : static_cast<int>(m_rows.size());
}

int RulesModel::columnCount(const QModelIndex& parent) const
{
    return parent.isValid() ? 0 : ColumnCount;
}

QVariant RulesModel::data(const QModelIndex& index, int role) const
{
    const Row& row = m_rows[static_cast<std::size_t>(index.row())];
    const QString text = index.column() == Name   ? row.name
                         : index.column() == When ? row.when
                         : index.column() == Then ? row.then
                                                  : row.why;
    switch (role) {
    case Qt::EditRole: return text;
    case Qt::DisplayRole:
        return index.column() == Name && !row.note.isEmpty()
                   ? QStringLiteral("⚠ %1 (%2)").arg(text, row.note)
                   : text;
    case Qt::ToolTipRole:
        return (row.note.isEmpty() ? text : text + QLatin1Char('\n') + row.note).toHtmlEscaped();
    case Qt::ForegroundRole:
        if (!row.note.isEmpty() || index.row() == ruleCount())
            return currentColors().muted;
        return {};
    default: return {};
    }
}

QVariant RulesModel::headerData(int section, Qt::Orientation orientation, int role) const
{
    if (role != Qt::DisplayRole)
        return {};
    if (orientation == Qt::Vertical)
        return section == ruleCount() ? QStringLiteral("…") : QString::number(section + 1);
    const QString titles[] = {tr("Rule"), tr("When"), tr("Then"), tr("Why")};
    return titles[section];
}

bool RulesModel::setData(const QModelIndex& index, const QVariant& value, int role)
{
    if (role != Qt::EditRole || !m_document)
        return false;
    const Json text = value.toString().toStdString();
    if (index.row() == ruleCount())
        return m_document->setValue("/approval/otherwise", text);
    const char* key = index.column() == Name ? "/name" : index.column() == Then ? "/then" : "/why";
    return m_document->setValue(ruleAt(index.row()) + key, text);
}

Qt::ItemFlags RulesModel::flags(const QModelIndex& index) const
{
    if (!index.isValid())
        return Qt::ItemIsDropEnabled; // between rows
    const bool isRule = index.row() < ruleCount();
    Qt::ItemFlags all = Qt::ItemIsEnabled | Qt::ItemIsSelectable;
    if (isRule)
        all |= Qt::ItemIsDragEnabled;
    if (index.column() == Then || (isRule && index.column() != When))
        all |= Qt::ItemIsEditable;
    return all;
}

QStringList RulesModel::mimeTypes() const
{
    return {QLatin1String(kMimeType)};
}

QMimeData* RulesModel::mimeData(const QModelIndexList& indexes) const
{
    if (indexes.isEmpty())
        return nullptr;
    auto* data = new QMimeData;
    data->setData(QLatin1String(kMimeType), QByteArray::number(indexes.front().row()));
    return data;
}

bool RulesModel::dropMimeData(
    const QMimeData* data, Qt::DropAction action, int row, int, const QModelIndex& parent
)
{
    if (action != Qt::MoveAction || !data->hasFormat(QLatin1String(kMimeType)))
        return false;
    const int from = data->data(QLatin1String(kMimeType)).toInt();
    int to = row >= 0 ? row : parent.isValid() ? parent.row() : ruleCount();
    if (to > from)
        --to; // what is above moves up
    // Always no: the view must not take out a row that has moved already.
    move(from, std::min(to, ruleCount() - 1));
    return false;
}

RulesTable::RulesTable(const SchemaGuide& guide, QWidget* parent)
    : QWidget(parent)
    , m_table(new QTableView(this))
    , m_detail(new QWidget(this))
{
    m_table->setObjectName(QStringLiteral("policyRules"));
    m_table->setAccessibleName(tr("Approval rules, in order"));
    m_table->setModel(&m_model);
    m_table->setItemDelegateForColumn(RulesModel::Then, new VerdictDelegate(m_table));
    m_table->setSelectionBehavior(QAbstractItemView::SelectRows);
    m_table->setSelectionMode(QAbstractItemView::SingleSelection);
    m_table->setDragDropMode(QAbstractItemView::InternalMove);
    m_table->setDragDropOverwriteMode(false);
    m_table->setDropIndicatorShown(true);
    m_table->setWordWrap(false);
    m_table->setTabKeyNavigation(false);
    m_table->verticalHeader()->setDefaultSectionSize(fontMetrics().lineSpacing() + 8);
    m_table->horizontalHeader()->setStretchLastSection(true);
    m_table->horizontalHeader()->setHighlightSections(false);
    const int letter = fontMetrics().averageCharWidth();
    m_table->setColumnWidth(RulesModel::Name, letter * 24);
    m_table->setColumnWidth(RulesModel::When, letter * 34);
    m_table->setColumnWidth(RulesModel::Then, letter * 9);
    m_table->setMinimumHeight((fontMetrics().lineSpacing() + 8) * 8);
    m_table->installEventFilter(this);

    auto* buttons = new QHBoxLayout;
    const auto button = [&](const QString& text, const char* name, auto pressed) {
        auto* made = new QPushButton(text, this);
        made->setObjectName(QLatin1String(name));
        made->setAutoDefault(false);
        connect(made, &QPushButton::clicked, this, pressed);
        buttons->addWidget(made);
        return made;
    };
    button(tr("Add rule"), "ruleAdd", [this] { addRule(); });
    m_duplicate = button(tr("Duplicate"), "ruleDuplicate", [this] { duplicateRule(); });
    m_remove = button(tr("Remove"), "ruleRemove", [this] { removeRule(); });
    m_up = button(tr("Up"), "ruleUp", [this] { moveBy(-1); });
    m_up->setToolTip(tr("Alt+Up"));
    m_down = button(tr("Down"), "ruleDown", [this] { moveBy(1); });
    m_down->setToolTip(tr("Alt+Down"));
    buttons->addStretch(1);

    auto* detail = new QVBoxLayout(m_detail);
    detail->setContentsMargins(12, 4, 0, 0);
    const auto field = [&](const std::string& path) {
        auto* made = new FormField(
            guide, std::string(kRules) + "/0" + path, FormField::Style::Compact, m_detail
        );
        detail->addWidget(made);
        m_fields.push_back(made);
        m_paths.push_back(path);
    };
    for (const char* path : {"/name", "/then", "/why"})
        field(path);
    detail->addWidget(makeNote(
        tr("It applies when everything that is given here holds; nothing given always holds."),
        true,
        m_detail
    ));
    const Json* when = guide.at(std::string(kRules) + "/0/when");
    if (when && when->contains("properties")) {
        for (const std::string& key : propertiesOf(*when))
            field("/when/" + key);
    }
    auto* layout = new QVBoxLayout(this);
    layout->setContentsMargins(0, 0, 0, 0);
    layout->addWidget(m_table);
    layout->addLayout(buttons);
    layout->addWidget(m_detail);
    connect(&m_model, &RulesModel::moved, this, &RulesTable::selectRule);
    connect(
        m_table->selectionModel(),
        &QItemSelectionModel::currentRowChanged,
        this,
        &RulesTable::showDetail
    );
    showDetail();
}

void RulesTable::setDocument(PolicyDocument* document)
{
    m_document = document;
    m_model.setDocument(document);
    m_shown = -1;
    showDetail();
}

void RulesTable::refresh()
{
    m_model.refresh();
    showDetail();
}

void RulesTable::selectRule(int row)
{
    m_table->setCurrentIndex(m_model.index(row, RulesModel::Name));
    m_table->scrollTo(m_table->currentIndex());
}

int RulesTable::currentRow() const
{
    return m_table->currentIndex().isValid() ? m_table->currentIndex().row() : -1;
}

void RulesTable::showDetail()
{
    const int row = currentRow();
    const bool isRule = m_document && row >= 0 && row < m_model.ruleCount();
    m_detail->setVisible(isRule);
    for (QPushButton* button : {m_duplicate, m_remove})
        button->setEnabled(isRule);
    m_up->setEnabled(isRule && row > 0);
    m_down->setEnabled(isRule && row + 1 < m_model.ruleCount());
    if (!isRule)
        return;
    for (std::size_t at = 0; at < m_fields.size(); ++at) {
        if (row != m_shown)
            m_fields[at]->setPlace(m_document, ruleAt(row) + m_paths[at]);
        else
            m_fields[at]->refresh();
    }
    m_shown = row;
}

void RulesTable::addRule()
{
    if (!m_document)
        return;
    const int row =
        currentRow() < 0 ? m_model.ruleCount() : std::min(currentRow() + 1, m_model.ruleCount());
    Json rule = Json::object();
    rule["name"] = tr("rule %1").arg(m_model.ruleCount() + 1).toStdString();
    rule["then"] = "ask";
    rule["when"] = Json::object();
    if (m_document->insertElement(kRules, static_cast<std::size_t>(row), rule))
        selectRule(row);
}

void RulesTable::duplicateRule()
{
    const int row = currentRow();
    const Json* rule = m_document ? m_document->value(ruleAt(row)) : nullptr;
    if (!rule || !rule->is_object())
        return;
    Json copy = *rule;
    copy["name"] = tr("%1 (copy)").arg(memberText(copy, "name")).toStdString();
    if (m_document->insertElement(kRules, static_cast<std::size_t>(row) + 1, copy))
        selectRule(row + 1);
}

void RulesTable::removeRule()
{
    const int row = currentRow();
    if (m_document && row >= 0 && row < m_model.ruleCount() && m_document->removeValue(ruleAt(row)))
        selectRule(std::min(row, m_model.ruleCount()));
}

void RulesTable::moveBy(int step)
{
    m_model.move(currentRow(), currentRow() + step);
}

bool RulesTable::eventFilter(QObject* watched, QEvent* event)
{
    const bool isKey =
        event->type() == QEvent::KeyPress || event->type() == QEvent::ShortcutOverride;
    if (watched != m_table || !isKey)
        return QWidget::eventFilter(watched, event);
    const auto& key = static_cast<const QKeyEvent&>(*event);
    const bool alt = key.modifiers() == Qt::AltModifier;
    const bool moves = alt && (key.key() == Qt::Key_Up || key.key() == Qt::Key_Down);
    const bool removes = key.key() == Qt::Key_Delete && key.modifiers() == Qt::NoModifier;
    if (!moves && !removes)
        return QWidget::eventFilter(watched, event);
    if (event->type() == QEvent::ShortcutOverride) {
        event->accept();
        return true;
    }
    if (moves)
        moveBy(key.key() == Qt::Key_Up ? -1 : 1);
    else
        removeRule();
    return true;
}

} // namespace belljar::ui
