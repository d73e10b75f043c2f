// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/policies/policy_form.h"

#include "engine/base/text.h"
#include "ui/policies/form_fields.h"
#include "ui/policies/rules_table.h"

#include <QCoreApplication>
#include <QHBoxLayout>
#include <QLabel>
#include <QLineEdit>
#include <QPushButton>
#include <QScrollArea>
#include <QTableView>
#include <QTimer>
#include <QVBoxLayout>

#include <array>

namespace belljar::ui {

namespace {

/// What comes first; what the schema has beside these follows.
constexpr std::array kOrder{
    "title", "description", "languages", "limits", "container", "network", "analysis", "approval"};

} // namespace

PolicyForm::PolicyForm(const SchemaGuide& guide, QWidget* parent)
    : QWidget(parent)
    , m_guide(guide)
    , m_search(new QLineEdit(this))
    , m_nothing(makeNote(tr("No field matches."), true, this))
    , m_broken(new QWidget(this))
    , m_brokenText(new QLabel(m_broken))
    , m_area(new QScrollArea(this))
    , m_content(new QWidget)
    , m_rules(new RulesTable(guide))
{
    m_search->setObjectName(QStringLiteral("policySearch"));
    m_search->setPlaceholderText(tr("Search fields"));
    m_search->setAccessibleName(tr("Search fields"));
    m_search->setClearButtonEnabled(true);
    m_brokenText->setObjectName(QStringLiteral("policyBroken"));
    m_brokenText->setTextFormat(Qt::PlainText);
    m_brokenText->setWordWrap(true);
    auto* show = new QPushButton(tr("Show"), m_broken);
    show->setAutoDefault(false);
    auto* broken = new QHBoxLayout(m_broken);
    broken->setContentsMargins(6, 4, 6, 4);
    broken->addWidget(m_brokenText, 1);
    broken->addWidget(show);

    auto* groups = new QVBoxLayout(m_content);
    const Json none = Json::object();
    const Json& properties =
        guide.root().contains("properties") ? guide.root()["properties"] : none;
    auto* general = new QWidget(m_content);
    auto* generalLayout = new QVBoxLayout(general);
    generalLayout->setContentsMargins(0, 0, 0, 0);
    groups->addWidget(general);
    m_groups.push_back({general, {}, {}});
    for (const char* key : kOrder) {
        if (!properties.contains(key))
            continue;
        if (properties[key].contains("properties"))
            addGroup(key, properties[key], groups);
        else
            addField(m_groups.front(), std::string("/") + key, properties[key], generalLayout);
    }
    for (const std::string& key : propertiesOf(guide.root())) {
        const Json& schema = properties[key];
        const bool known = std::find(kOrder.begin(), kOrder.end(), key) != kOrder.end();
        if (!known && schema.contains("properties"))
            addGroup(key, schema, groups);
    }
    groups->addStretch(1);
    m_content->setObjectName(QStringLiteral("policyFields"));
    m_area->setWidgetResizable(true);
    m_area->setFrameShape(QFrame::NoFrame);
    m_area->setHorizontalScrollBarPolicy(Qt::ScrollBarAlwaysOff);
    m_area->setWidget(m_content);
    auto* layout = new QVBoxLayout(this);
    layout->setContentsMargins(0, 0, 0, 0);
    layout->addWidget(m_search);
    layout->addWidget(m_broken);
    layout->addWidget(m_nothing);
    layout->addWidget(m_area, 1);
    m_nothing->hide();
    connect(m_search, &QLineEdit::textChanged, this, &PolicyForm::filter);
    connect(show, &QPushButton::clicked, this, [this] {
        if (!m_document || !m_document->broken())
            return;
        const LineColumn place = lineColumnAt(m_document->text(), m_document->broken()->at);
        emit problemActivated(place.line, place.column);
    });
    setDocument(nullptr);
}

void PolicyForm::showRule(int row)
{
    m_rules->selectRule(row);
    // Once the fields of the rule have their place: until then there is no room to scroll.
    QTimer::singleShot(0, this, [this] {
        QCoreApplication::sendPostedEvents(nullptr, QEvent::LayoutRequest);
        m_area->ensureWidgetVisible(m_rules->table(), 0, m_area->viewport()->height() / 4);
    });
}

void PolicyForm::addGroup(const std::string& key, const Json& schema, QVBoxLayout* into)
{
    auto* box = new QWidget(m_content);
    auto* layout = new QVBoxLayout(box);
    layout->setContentsMargins(0, 10, 0, 6);
    auto* title = new QLabel(QString::fromStdString(titleOf(schema, key)), box);
    title->setTextFormat(Qt::PlainText);
    QFont large = title->font();
    large.setBold(true);
    large.setPointSizeF(large.pointSizeF() * 1.2);
    title->setFont(large);
    layout->addWidget(title);
    layout->addWidget(makeNote(QString::fromStdString(textOf(schema, "description")), true, box));
    Group group{box, {}, {}};
    for (const std::string& name : propertiesOf(schema)) {
        const Json& property = schema["properties"][name];
        const std::string place = "/" + key + "/" + name;
        if (place == "/approval/otherwise")
            continue; // the last row of the rules
        if (place == "/approval/rules")
            group.hasRules = true;
        else
            addField(group, place, property, layout);
    }
    if (group.hasRules)
        layout->insertWidget(2, m_rules);
    into->addWidget(box);
    m_groups.push_back(std::move(group));
}

void PolicyForm::addField(
    Group& group, const std::string& place, const Json& schema, QVBoxLayout* into
)
{
    if (!schema.contains("properties")) {
        auto* field = new FormField(m_guide, place, FormField::Style::Full, group.box);
        into->addWidget(field);
        group.fields.push_back(field);
        group.cards.push_back(field);
        return;
    }
    // A pair, such as default and most: one heading over both.
    auto* card = new QWidget(group.box);
    auto* layout = new QVBoxLayout(card);
    layout->setContentsMargins(0, 2, 0, 8);
    layout->setSpacing(2);
    auto* title = new QLabel(QString::fromStdString(titleOf(schema, place)), card);
    title->setTextFormat(Qt::PlainText);
    QFont bold = title->font();
    bold.setWeight(QFont::DemiBold);
    title->setFont(bold);
    layout->addWidget(title);
    layout->addWidget(makeNote(QString::fromStdString(textOf(schema, "description")), true, card));
    auto* row = new QHBoxLayout;
    row->setSpacing(16);
    for (const std::string& name : propertiesOf(schema)) {
        auto* field = new FormField(m_guide, place + "/" + name, FormField::Style::Compact, card);
        field->setProperty("heading", title->text());
        row->addWidget(field, 1);
        group.fields.push_back(field);
        group.cards.push_back(card);
    }
    layout->addLayout(row);
    into->addWidget(card);
}

void PolicyForm::setDocument(PolicyDocument* document)
{
    if (m_document)
        disconnect(m_document, nullptr, this, nullptr);
    m_document = document;
    for (const Group& group : m_groups) {
        for (FormField* field : group.fields)
            field->setPlace(document, field->pointer());
    }
    m_rules->setDocument(document);
    if (document) {
        connect(document, &PolicyDocument::changed, this, &PolicyForm::refresh);
        connect(document, &PolicyDocument::problemsChanged, this, &PolicyForm::refresh);
    }
    refresh();
}

void PolicyForm::refresh()
{
    const bool broken = m_document && m_document->broken();
    m_broken->setVisible(broken);
    m_content->setEnabled(m_document && !broken);
    if (broken) {
        const LineColumn place = lineColumnAt(m_document->text(), m_document->broken()->at);
        QString message = QString::fromStdString(escapeForLine(m_document->broken()->message));
        // The check knows more of what people do wrong, but comes a little later.
        for (const policy::Problem& problem : m_document->checked().problems) {
            if (static_cast<int>(problem.line) == place.line)
                message = QString::fromStdString(escapeForLine(problem.message));
        }
        m_brokenText->setText(
            tr("Fix line %1 first: %2. The form shows what was last readable.")
                .arg(place.line)
                .arg(QString::fromStdString(escapeForLine(m_document->broken()->message)))
        );
        return;
    }
    for (const Group& group : m_groups) {
        for (FormField* field : group.fields)
            field->refresh();
    }
    m_rules->refresh();
}

void PolicyForm::filter(const QString& words)
{
    bool any = false;
    const bool all = words.trimmed().isEmpty();
    for (const Group& group : m_groups) {
        bool shown = false;
        for (QWidget* card : group.cards)
            card->hide();
        for (std::size_t at = 0; at < group.fields.size(); ++at) {
            const QString heading = group.fields[at]->property("heading").toString();
            if (!all && !group.fields[at]->matches(words) &&
                !heading.contains(words.trimmed(), Qt::CaseInsensitive))
                continue;
            group.cards[at]->show();
            shown = true;
        }
        if (group.hasRules) {
            const bool rules =
                all || tr("approval rules").contains(words.trimmed(), Qt::CaseInsensitive);
            m_rules->setVisible(rules);
            shown = shown || rules;
        }
        group.box->setVisible(shown);
        any = any || shown;
    }
    m_nothing->setVisible(!any);
}

void PolicyForm::focusSearch()
{
    m_search->setFocus();
    m_search->selectAll();
}

} // namespace belljar::ui
