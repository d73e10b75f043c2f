// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/approvals/approval_card.h"

#include "engine/base/sha256.h"
#include "engine/base/text.h"
#include "ui/approvals/diff_view.h"
#include "ui/shell/theme.h"

#include <Qsci/qscilexerbash.h>
#include <Qsci/qscilexerjavascript.h>
#include <Qsci/qscilexerpython.h>
#include <Qsci/qsciscintilla.h>

#include <QApplication>
#include <QDateTime>
#include <QFontDatabase>
#include <QHBoxLayout>
#include <QKeyEvent>
#include <QLabel>
#include <QLineEdit>
#include <QListWidget>
#include <QMenu>
#include <QMessageBox>
#include <QPushButton>
#include <QScrollBar>
#include <QTabWidget>
#include <QToolButton>
#include <QVBoxLayout>

#include <algorithm>
#include <array>
#include <chrono>
#include <utility>

namespace belljar::ui {

namespace {

using analysis::Severity;
using execution::Verdict;

constexpr int kDraftDelayMs = 300;
constexpr int kHoldForMs = 60'000;
constexpr int kStyles = 128;
constexpr int kFindingIndicator = 8;
constexpr int kWrittenOutIndicator = 9;
constexpr int kFindingMarker = 8;
constexpr std::size_t kMostLabelBytes = 160;
constexpr int kMostFindingRows = 4;

QString safe(std::string_view text)
{
    return QString::fromStdString(escapeForLine(prefixWithin(text, kMostLabelBytes)));
}

QString number(std::uint64_t value)
{
    return QString::fromStdString(groupedDigits(value));
}

QLabel* plainLabel(const QString& name)
{
    auto* label = new QLabel;
    label->setObjectName(name);
    label->setTextFormat(Qt::PlainText);
    label->setWordWrap(true);
    label->setTextInteractionFlags(Qt::TextSelectableByMouse);
    return label;
}

QPushButton* button(const QString& name, const QString& text)
{
    auto* made = new QPushButton(text);
    made->setObjectName(name);
    made->setAutoDefault(false); // Return never presses one of them
    made->setDefault(false);
    return made;
}

/// Shape and word, never colour alone.
QString severityMark(Severity severity)
{
    constexpr std::array<const char*, 5> kMarks{"i", "i", "!", "!!", "!!!"};
    return QLatin1String(kMarks.at(static_cast<std::size_t>(severity)));
}

QString severityWord(Severity severity)
{
    switch (severity) {
    case Severity::Info: return ApprovalCard::tr("info");
    case Severity::Low: return ApprovalCard::tr("low");
    case Severity::Medium: return ApprovalCard::tr("medium");
    case Severity::High: return ApprovalCard::tr("high");
    case Severity::Critical: return ApprovalCard::tr("critical");
    }
    return {};
}

std::unique_ptr<QsciLexer> lexerFor(const std::string& language)
{
    if (language == "python")
        return std::make_unique<QsciLexerPython>();
    if (language == "javascript")
        return std::make_unique<QsciLexerJavaScript>();
    if (language == "bash")
        return std::make_unique<QsciLexerBash>();
    return nullptr;
}

} // namespace

ApprovalCard::ApprovalCard(AnswerGuard::Clock clock, QWidget* parent)
    : QWidget(parent)
    , m_guard(std::move(clock))
    , m_place(plainLabel(QStringLiteral("approvalPlace")))
    , m_clock(plainLabel(QStringLiteral("approvalClock")))
    , m_hold(button(QStringLiteral("holdButton"), tr("&Hold")))
    , m_title(plainLabel(QStringLiteral("approvalTitle")))
    , m_who(plainLabel(QStringLiteral("approvalWho")))
    , m_why(plainLabel(QStringLiteral("approvalWhy")))
    , m_findings(new QListWidget)
    , m_notice(plainLabel(QStringLiteral("approvalNotice")))
    , m_tabs(new QTabWidget)
    , m_code(new QsciScintilla)
    , m_precedentDiff(new DiffView)
    , m_editDiff(new DiffView)
    , m_facts(plainLabel(QStringLiteral("approvalFacts")))
    , m_precedent(plainLabel(QStringLiteral("approvalPrecedent")))
    , m_comment(new QLineEdit)
    , m_obstacle(plainLabel(QStringLiteral("approvalObstacle")))
    , m_deny(button(QStringLiteral("denyButton"), tr("Deny  (Ctrl+Backspace)")))
    , m_stop(button(QStringLiteral("stopSessionButton"), tr("Deny and stop this session…")))
    , m_edit(button(QStringLiteral("editButton"), tr("&Edit before running")))
    , m_allowMore(new QToolButton)
    , m_offers(new QMenu(this))
    , m_allow(button(QStringLiteral("allowButton"), tr("Allow once  (Ctrl+Return)")))
    , m_outcome(plainLabel(QStringLiteral("approvalOutcome")))
    , m_answers(new QWidget)
{
    makeLayout();
    m_second.setInterval(1000);
    connect(&m_second, &QTimer::timeout, this, &ApprovalCard::updateClock);
    m_draftDelay.setSingleShot(true);
    m_draftDelay.setInterval(kDraftDelayMs);
    connect(&m_draftDelay, &QTimer::timeout, this, &ApprovalCard::sendDraft);
    m_holdEnd.setSingleShot(true);
    m_holdEnd.setInterval(kHoldForMs);
    connect(&m_holdEnd, &QTimer::timeout, this, [this] { m_hold->setChecked(false); });
    connect(m_hold, &QPushButton::toggled, this, [this](bool held) {
        m_held = held;
        if (m_approval && !m_settled)
            emit commandWanted(HoldApproval{m_approval->id, held});
        updateClock();
    });
    connect(m_findings, &QListWidget::itemActivated, this, [this](QListWidgetItem* item) {
        const int line = item->data(Qt::UserRole).toInt();
        m_tabs->setCurrentIndex(0);
        m_code->setCursorPosition(line, 0);
        m_code->ensureLineVisible(line);
        m_code->setFocus();
    });
    connect(m_code->verticalScrollBar(), &QScrollBar::valueChanged, this, [this] {
        touched();
        updateAnswers();
    });
    connect(m_code->verticalScrollBar(), &QScrollBar::rangeChanged, this, [this] {
        updateAnswers();
    });
    connect(m_code, &QsciScintilla::textChanged, this, [this] {
        if (!m_editing)
            return;
        m_draftIsCurrent = false;
        m_draftDelay.start();
        touched();
        updateAnswers();
    });
    connect(m_comment, &QLineEdit::textEdited, this, [this] { touched(); });
    connect(m_edit, &QPushButton::clicked, this, [this] { setEditing(!m_editing); });
    connect(m_deny, &QPushButton::clicked, this, [this] { answer(Verdict::Deny, {}, false); });
    connect(m_stop, &QPushButton::clicked, this, [this] {
        if (!m_approval || !m_guard.isSettled())
            return;
        const ExecutionId asked = m_approval->id;
        QMessageBox ask(
            QMessageBox::Warning,
            tr("Stop this session"),
            tr("Everything that this client sends from now on is rejected, until you lift that "
               "under Remembered."),
            QMessageBox::NoButton,
            this
        );
        ask.setTextFormat(Qt::PlainText);
        auto* stop = ask.addButton(tr("Deny and stop"), QMessageBox::DestructiveRole);
        ask.setDefaultButton(ask.addButton(QMessageBox::Cancel));
        ask.exec();
        // The question may have been settled, and another one shown, behind the box.
        if (ask.clickedButton() == stop && m_approval && m_approval->id == asked)
            send(Verdict::Deny, {}, true);
    });
    connect(m_allow, &QPushButton::clicked, this, [this] { answer(Verdict::Allow, {}, false); });
    for (QWidget* one : std::initializer_list<QWidget*>{m_allow, m_allowMore})
        one->setProperty("allows", true);
    clear();
}

ApprovalCard::~ApprovalCard()
{
    m_code->setLexer(nullptr); // it goes before the editor does
}

void ApprovalCard::makeLayout()
{
    QFont large = font();
    large.setPointSizeF(large.pointSizeF() * 1.3);
    large.setBold(true);
    m_title->setFont(large);
    m_title->setFocusPolicy(Qt::StrongFocus); // where reading begins, not on an answer
    m_title->setTextInteractionFlags(Qt::TextSelectableByMouse | Qt::TextSelectableByKeyboard);
    m_clock->setAlignment(Qt::AlignRight | Qt::AlignVCenter);
    m_hold->setCheckable(true);
    m_hold->setToolTip(tr("Stops the clock while you read"));
    m_findings->setObjectName(QStringLiteral("approvalFindings"));
    m_findings->setAccessibleName(tr("What analysis found"));
    m_findings->setTextElideMode(Qt::ElideRight);
    m_findings->setHorizontalScrollBarPolicy(Qt::ScrollBarAlwaysOff);
    m_code->setObjectName(QStringLiteral("approvalCode"));
    m_code->setAccessibleName(tr("Code that waits"));
    m_code->setUtf8(true);
    m_code->setReadOnly(true);
    m_code->setEolMode(QsciScintilla::EolUnix);
    m_code->setFrameShape(QFrame::NoFrame);
    m_code->setWrapMode(QsciScintilla::WrapCharacter); // nothing hides to the right
    m_code->setWrapVisualFlags(QsciScintilla::WrapFlagByBorder);
    m_code->setMarginType(0, QsciScintilla::NumberMargin);
    m_code->setMarginType(1, QsciScintilla::SymbolMargin);
    m_code->setMarginMarkerMask(1, 1 << kFindingMarker);
    m_code->setMarginWidth(1, fontMetrics().height());
    m_code->markerDefine(QsciScintilla::RightTriangle, kFindingMarker);
    m_code->indicatorDefine(QsciScintilla::SquiggleIndicator, kFindingIndicator);
    m_code->indicatorDefine(QsciScintilla::StraightBoxIndicator, kWrittenOutIndicator);
    m_code->SendScintilla(QsciScintilla::SCI_SETTABDRAWMODE, 1UL);
    m_tabs->setObjectName(QStringLiteral("approvalTabs"));
    m_tabs->setDocumentMode(true);
    m_comment->setObjectName(QStringLiteral("approvalComment"));
    m_comment->setMaxLength(2000);
    m_comment->setPlaceholderText(tr("The client gets it as text"));
    auto* commentLabel = new QLabel(tr("&Comment to the client"));
    commentLabel->setBuddy(m_comment);
    m_allowMore->setObjectName(QStringLiteral("allowMoreButton"));
    m_allowMore->setText(tr("Allow…"));
    m_allowMore->setAccessibleName(tr("Allow and remember"));
    m_allowMore->setToolTip(tr("Allow and remember  (Ctrl+Shift+Return)"));
    m_allowMore->setPopupMode(QToolButton::InstantPopup);
    m_allowMore->setToolButtonStyle(Qt::ToolButtonTextOnly);
    m_allowMore->setMenu(m_offers);
    m_offers->setToolTipsVisible(false);

    auto* top = new QHBoxLayout;
    top->addWidget(m_place, 1);
    top->addWidget(m_clock, 2);
    top->addWidget(m_hold);
    auto* answers = new QHBoxLayout(m_answers);
    answers->setContentsMargins(0, 0, 0, 0);
    answers->addWidget(m_deny);
    answers->addWidget(m_stop);
    answers->addStretch(1);
    answers->addWidget(m_edit);
    answers->addWidget(m_allowMore);
    answers->addWidget(m_allow);
    auto* comment = new QHBoxLayout;
    comment->addWidget(commentLabel);
    comment->addWidget(m_comment, 1);
    auto* layout = new QVBoxLayout(this);
    layout->addLayout(top);
    for (QWidget* one :
         std::initializer_list<QWidget*>{m_title, m_who, m_why, m_findings, m_notice})
        layout->addWidget(one);
    layout->addWidget(m_tabs, 1);
    for (QWidget* one : std::initializer_list<QWidget*>{m_facts, m_precedent})
        layout->addWidget(one);
    layout->addLayout(comment);
    layout->addWidget(m_obstacle);
    layout->addWidget(m_outcome);
    layout->addWidget(m_answers);
    m_tabs->addTab(m_code, tr("Code"));
    m_tabs->addTab(m_precedentDiff, tr("Since the last allowed run"));
    m_tabs->addTab(m_editDiff, tr("Your changes"));
    applyColors();
}

void ApprovalCard::show(const Approval& approval, int place, int count, const AnswerDraft& draft)
{
    const bool same = m_approval && m_approval->id == approval.id && !m_settled &&
                      m_approval->codeSha256 == approval.codeSha256;
    m_place->setText(tr("Waiting for you (%1 of %2)").arg(place).arg(count));
    m_approval = approval;
    if (same) {
        fill();
        updateClock();
        return;
    }
    m_settled = false;
    m_editing = false;
    m_seenEnd = false;
    m_draftIsCurrent = true;
    m_decision = approval.decision;
    m_held = false;
    const QSignalBlocker quiet(m_hold);
    m_hold->setChecked(false);
    m_holdEnd.stop();
    m_guard.cardChanged();
    setEnabled(true);
    m_answers->show();
    m_outcome->hide();
    m_comment->setText(draft.comment);
    fill();
    fillPrecedent();
    fillCode();
    fillOffers();
    if (draft.edited) {
        setEditing(true);
        m_code->setText(*draft.edited);
    }
    m_tabs->setCurrentIndex(0);
    m_title->setFocus();
    m_second.start();
    updateClock();
    updateAnswers();
}

void ApprovalCard::fill()
{
    const Approval& asked = *m_approval;
    const std::string& code = *asked.code;
    const auto lines = static_cast<std::uint64_t>(std::count(code.begin(), code.end(), '\n')) +
                       (code.empty() || code.back() == '\n' ? 0U : 1U);
    const QString name =
        asked.client.name.empty() ? tr("A client without a name") : safe(asked.client.name);
    QString title = tr("%1 wants to run %2, %3 lines, %4 bytes")
                        .arg(name, safe(asked.languageTitle), number(lines), number(code.size()));
    if (!asked.alike.empty())
        title += tr(" (asked %1 times)").arg(asked.alike.size() + 1);
    m_title->setText(title);
    QString who =
        tr("It calls itself that. Process: %1, pid %2. Policy: %3, version %4.")
            // All at once: a name may hold "%2" itself.
            .arg(
                asked.client.executable.empty() ? tr("unknown") : safe(asked.client.executable),
                QString::number(asked.client.pid),
                safe(asked.policyName),
                QString::number(asked.policyVersion)
            );
    if (!asked.args.empty())
        who += ' ' + tr("Arguments: %1.").arg(asked.args.size());
    if (asked.standardInputBytes > 0)
        who += ' ' + tr("It gets %1 bytes of input.").arg(number(asked.standardInputBytes));
    m_who->setText(who);
    QStringList reasons;
    for (const policy::Reason& reason : asked.decision.reasons)
        reasons << QString::fromStdString(escapeForLine(prefixWithin(reason.words, 600)));
    m_why->setText(tr("Asked because: %1").arg(reasons.join(QStringLiteral("; "))));
    const execution::Limits& limits = asked.decision.limits;
    QString facts = tr("Sandbox: %1, %2 memory, %3 processors, %4 s, %5 processes, no network.")
                        .arg(
                            safe(asked.image),
                            QString::fromStdString(humanBytes(limits.memoryBytes)),
                            QString::number(limits.cpuMillis / 1000.0),
                            QString::number(static_cast<double>(limits.timeout.count()) / 1000),
                            QString::number(limits.pids)
                        );
    for (const std::string& weaker : asked.decision.weakened)
        facts += '\n' + tr("Weakened: %1").arg(QString::fromStdString(escapeForLine(weaker)));
    m_facts->setText(facts);
    const Precedent& before = asked.precedent;
    QString precedent = before.runs == 0
                            ? tr("This client has run nothing before.")
                            : tr("This client: %1 earlier runs, %2 allowed, last %3.")
                                  .arg(number(before.runs), number(before.allowed))
                                  .arg(QDateTime::fromMSecsSinceEpoch(before.lastAt)
                                           .toString(QStringLiteral("yyyy-MM-dd HH:mm")));
    precedent += ' ' + (before.sameCodeRuns == 0
                            ? tr("This code: never before.")
                            : tr("This code: %1 times before.").arg(number(before.sameCodeRuns)));
    m_precedent->setText(precedent);
    fillFindings(m_decision.report);
}

void ApprovalCard::fillPrecedent()
{
    const Precedent& before = m_approval->precedent;
    const bool hasPrecedent = before.previousCode != nullptr;
    m_tabs->setTabVisible(1, hasPrecedent);
    if (!hasPrecedent)
        return;
    m_precedentDiff->setTitles(
        tr("Last allowed run (%1)").arg(safe(before.previous.text())), tr("This one")
    );
    m_precedentDiff->setTexts(*before.previousCode, *m_approval->code);
}

void ApprovalCard::fillFindings(const analysis::Report& report)
{
    m_findings->clear();
    std::vector<const analysis::Finding*> sorted;
    for (const analysis::Finding& finding : report.findings)
        sorted.push_back(&finding);
    std::stable_sort(sorted.begin(), sorted.end(), [](const auto* one, const auto* other) {
        return one->severity > other->severity;
    });
    for (const analysis::Finding* finding : sorted) {
        auto* item = new QListWidgetItem(
            tr("%1  %2  line %3:  %4  (%5)")
                .arg(severityMark(finding->severity), severityWord(finding->severity))
                .arg(finding->range.beginLine)
                .arg(
                    QString::fromStdString(escapeForLine(prefixWithin(finding->message, 300))),
                    safe(finding->rule)
                )
        );
        const std::size_t line = finding->range.beginLine - 1;
        const auto shown = line < m_shown.firstShownLine.size() ? m_shown.firstShownLine[line] : 0U;
        item->setData(Qt::UserRole, static_cast<int>(shown));
        m_findings->addItem(item);
    }
    if (!report.complete)
        m_findings->addItem(tr("!!  static analysis could not look at the whole program"));
    const int rows = std::min(m_findings->count(), kMostFindingRows);
    m_findings->setVisible(rows > 0);
    m_findings->setFixedHeight(
        rows * (fontMetrics().lineSpacing() + 6) + 2 * m_findings->frameWidth()
    );
}

void ApprovalCard::fillCode()
{
    m_shown = showCode(*m_approval->code);
    QStringList notices;
    if (m_shown.unusual > 0)
        notices << tr(
            "%n invisible or unusual character(s), written as \\u{…}",
            nullptr,
            static_cast<int>(m_shown.unusual)
        );
    if (m_shown.lookalikes > 0)
        notices << tr(
            "%n letter(s), quote(s) or blank(s) that look like others, written as \\u{…}",
            nullptr,
            static_cast<int>(m_shown.lookalikes)
        );
    if (m_shown.blankRuns > 0)
        notices << tr(
            "%n long run(s) of blank lines, shown counted",
            nullptr,
            static_cast<int>(m_shown.blankRuns)
        );
    if (m_shown.gaps > 0)
        notices << tr(
            "%n long gap(s) in lines, shown counted", nullptr, static_cast<int>(m_shown.gaps)
        );
    if (m_shown.longLines > 0)
        notices << tr(
            "%n line(s) of over 2,000 characters, broken with ↩",
            nullptr,
            static_cast<int>(m_shown.longLines)
        );
    m_notice->setText(notices.join(QStringLiteral("; ")));
    m_notice->setVisible(!notices.isEmpty());
    m_code->setLexer(nullptr);
    m_lexer = lexerFor(m_approval->language);
    m_code->setReadOnly(false);
    m_code->setText(QString::fromStdString(m_shown.text));
    m_code->SendScintilla(QsciScintilla::SCI_SETINDICATORCURRENT, kWrittenOutIndicator);
    for (const ShownCode::Mark& mark : m_shown.marks)
        m_code->SendScintilla(
            QsciScintilla::SCI_INDICATORFILLRANGE,
            mark.begin,
            static_cast<long>(mark.end - mark.begin)
        );
    m_code->setReadOnly(true);
    applyColors();
    m_code->setMarginWidth(0, QString::number(m_code->lines()) + QStringLiteral("00"));
    m_code->setCursorPosition(0, 0);
    m_tabs->setTabVisible(2, false);
    markFindings();
    fillFindings(m_decision.report);
}

void ApprovalCard::markFindings()
{
    m_code->markerDeleteAll(kFindingMarker);
    for (const analysis::Finding& finding : m_decision.report.findings) {
        const auto shownLine = [&](std::uint32_t line) {
            const std::size_t at = line - 1;
            if (m_editing)
                return static_cast<int>(at);
            return static_cast<int>(
                at < m_shown.firstShownLine.size() ? m_shown.firstShownLine[at] : 0U
            );
        };
        const int line = shownLine(finding.range.beginLine);
        m_code->markerAdd(line, kFindingMarker);
        m_code->fillIndicatorRange(line, 0, line, m_code->lineLength(line) - 1, kFindingIndicator);
    }
}

void ApprovalCard::fillOffers()
{
    m_offers->clear();
    struct Span {
        QString words;
        bool sessionOnly;
        std::optional<std::chrono::seconds> lasts;
    };
    const std::array spans{
        Span{tr("for this session"), true, {}},
        Span{tr("for an hour"), false, std::chrono::hours(1)},
        Span{tr("always"), false, {}}};
    for (const ScopeOffer& offer : m_approval->offers) {
        // What can't be shown in full can't be remembered.
        if (!m_shown.isShownAsItIs() && offer.scope == policy::Scope::RuleCase)
            continue;
        m_offers->addSection(
            QString::fromStdString(escapeForLine(offer.words)).replace('&', QStringLiteral("&&"))
        );
        for (const Span& span : spans) {
            QAction* action = m_offers->addAction(
                tr("%1 — would have matched %2 of the last %3 runs")
                    .arg(span.words, number(offer.wouldHaveMatched), number(offer.of))
            );
            connect(action, &QAction::triggered, this, [this, offer, span] {
                answer(Verdict::Allow, Remember{offer.scope, span.sessionOnly, span.lasts}, false);
            });
        }
    }
    m_allowMore->setVisible(!m_offers->isEmpty());
}

void ApprovalCard::applyColors()
{
    const Colors& colors = currentColors();
    const QFont fixed = QFontDatabase::systemFont(QFontDatabase::FixedFont);
    if (m_lexer) {
        m_lexer->setDefaultFont(fixed);
        m_lexer->setFont(fixed);
        m_lexer->setPaper(colors.base);
        m_lexer->setDefaultPaper(colors.base);
        m_lexer->setDefaultColor(colors.text);
        for (int style = 0; style < kStyles; ++style)
            m_lexer->setColor(readableOn(m_lexer->defaultColor(style), colors.base), style);
        m_code->setLexer(m_lexer.get());
    } else {
        m_code->setFont(fixed);
        m_code->setColor(colors.text);
        m_code->setPaper(colors.base);
    }
    m_code->setMarginsFont(fixed);
    m_code->setMarginsForegroundColor(colors.muted);
    m_code->setMarginsBackgroundColor(colors.window);
    m_code->setCaretForegroundColor(colors.text);
    const QColor warning = colors.status(StatusGroup::Waiting);
    m_code->setMarkerForegroundColor(warning, kFindingMarker);
    m_code->setMarkerBackgroundColor(warning, kFindingMarker);
    m_code->setIndicatorForegroundColor(warning, kFindingIndicator);
    m_code->setIndicatorForegroundColor(warning, kWrittenOutIndicator);
    QPalette strong = palette();
    strong.setColor(QPalette::WindowText, readableOn(warning, colors.window));
    m_why->setPalette(strong);
    m_notice->setPalette(strong);
    m_obstacle->setPalette(strong);
}

void ApprovalCard::updateClock()
{
    if (!m_approval || m_settled)
        return;
    QString text;
    const qint64 now = QDateTime::currentMSecsSinceEpoch();
    const auto left = [now](qint64 until) {
        const qint64 seconds = std::max<qint64>(0, (until - now + 999) / 1000);
        return QStringLiteral("%1:%2").arg(seconds / 60).arg(seconds % 60, 2, 10, QLatin1Char('0'));
    };
    if (m_approval->rejectedAt)
        text = tr("denied by itself in %1").arg(left(*m_approval->rejectedAt));
    else
        text = tr("the clock stands");
    if (m_approval->clientWaitsUntil && *m_approval->clientWaitsUntil > now)
        text += '\n' +
                tr("the client stops waiting in %1; you can still allow, the result is kept for it")
                    .arg(left(*m_approval->clientWaitsUntil));
    m_clock->setText(text);
}

/// Somebody reads: the clock stands, and goes on a minute after the last sign of it.
void ApprovalCard::touched()
{
    if (!m_approval || m_settled || !isVisible() || !m_guard.isSettled())
        return;
    m_holdEnd.start();
    if (!m_held)
        m_hold->setChecked(true);
}

bool ApprovalCard::hasEdit() const
{
    // Against what was sent, not against what the editor began with: what is shown is what runs.
    return m_editing && m_code->text().toStdString() != *m_approval->code;
}

std::string ApprovalCard::editedCode() const
{
    return m_code->text().toStdString();
}

QString ApprovalCard::allowObstacle() const
{
    if (!m_approval || m_settled)
        return tr("Nothing waits here.");
    if (m_editing && !m_draftIsCurrent)
        return tr("Looking at your changes…");
    if (m_editing && showCode(editedCode()).unusual > 0)
        return tr("Your version holds invisible or unusual characters; take them out.");
    if (m_decision.verdict == Verdict::Deny && m_editing)
        return tr("The policy denies your version: %1")
            .arg(m_decision.reasons.empty() ? QString() : safe(m_decision.reasons.front().words));
    if (!m_seenEnd) // whatever analysis says: nobody allows what they can't have seen
        return tr("Scroll to the end of the code first.");
    return {};
}

void ApprovalCard::updateAnswers()
{
    if (!m_approval || m_settled)
        return;
    const QScrollBar* bar = m_code->verticalScrollBar();
    if (m_tabs->currentIndex() == 0 && m_code->isVisible() && bar->value() >= bar->maximum())
        m_seenEnd = true;
    const QString obstacle = allowObstacle();
    m_obstacle->setText(obstacle);
    m_obstacle->setVisible(!obstacle.isEmpty());
    const bool edited = hasEdit();
    m_allow->setEnabled(obstacle.isEmpty());
    m_allow->setText(
        edited ? tr("Allow the edited code  (Ctrl+Return)") : tr("Allow once  (Ctrl+Return)")
    );
    m_allowMore->setEnabled(obstacle.isEmpty() && !edited);
    m_edit->setText(m_editing ? tr("&Discard my changes") : tr("&Edit before running"));
    m_tabs->setTabVisible(2, edited);
    if (edited && m_draftIsCurrent) { // not at every key
        m_editDiff->setTitles(tr("As it was sent"), tr("Your version"));
        m_editDiff->setTexts(*m_approval->code, editedCode());
    }
}

void ApprovalCard::setEditing(bool editing)
{
    if (!m_approval || m_settled || m_editing == editing)
        return;
    touched();
    m_editing = editing;
    if (!editing) {
        m_decision = m_approval->decision;
        m_draftIsCurrent = true;
        fillCode();
        updateAnswers();
        return;
    }
    m_code->setReadOnly(false);
    // What can't be seen isn't taken into the edited version.
    m_code->setText(QString::fromStdString(withoutUnusual(*m_approval->code)));
    m_code->setFocus();
    m_draftIsCurrent = false;
    m_draftDelay.start();
    updateAnswers();
}

void ApprovalCard::sendDraft()
{
    if (m_approval && m_editing && !m_settled)
        emit commandWanted(AnalyseDraft{++m_draftToken, m_approval->id, editedCode()});
}

void ApprovalCard::showDraft(const DraftAnalysed& analysed)
{
    if (!m_approval || !m_editing || analysed.id != m_approval->id ||
        analysed.token != m_draftToken || m_draftDelay.isActive())
        return;
    m_decision = analysed.decision;
    m_draftIsCurrent = true;
    fillFindings(m_decision.report);
    markFindings();
    updateAnswers();
}

AnswerDraft ApprovalCard::draft() const
{
    AnswerDraft draft;
    draft.comment = m_comment->text();
    if (m_approval && hasEdit())
        draft.edited = m_code->text();
    return draft;
}

void ApprovalCard::answer(Verdict verdict, std::optional<Remember> remember, bool stopSession)
{
    if (m_guard.isSettled())
        send(verdict, std::move(remember), stopSession);
}

/// The answer, when the guard has agreed: a box that asked again brings the window up when it goes.
void ApprovalCard::send(Verdict verdict, std::optional<Remember> remember, bool stopSession)
{
    if (!m_approval || m_settled)
        return;
    if (verdict == Verdict::Allow && !allowObstacle().isEmpty())
        return;
    AnswerApproval command;
    command.id = m_approval->id;
    command.verdict = verdict;
    command.comment = m_comment->text().toStdString();
    command.remember = std::move(remember);
    command.stopSession = stopSession;
    command.shown = m_approval->codeSha256;
    if (verdict == Verdict::Allow && hasEdit()) {
        command.editedCode = editedCode();
        command.shown = sha256Hex(*command.editedCode);
    }
    // A button that went down over another question or other code than it came up over answers
    // nothing.
    if (const auto pressed = std::exchange(m_pressed, std::nullopt);
        pressed && (pressed->id != command.id ||
                    (verdict == Verdict::Allow && pressed->sha256 != command.shown)))
        return;
    emit commandWanted(std::move(command));
    emit answered();
}

void ApprovalCard::showSettled(const QString& what)
{
    m_settled = true;
    m_second.stop();
    m_holdEnd.stop();
    m_clock->clear();
    m_outcome->setText(what);
    m_outcome->show();
    m_obstacle->hide();
    m_answers->hide();
    m_code->setReadOnly(true);
    setEnabled(false);
}

void ApprovalCard::clear()
{
    m_approval.reset();
    m_settled = false;
    m_second.stop();
    m_holdEnd.stop();
    m_draftDelay.stop();
}

bool ApprovalCard::isAllowButton(const QObject* object) const
{
    return object == m_allow || object == m_allowMore;
}

bool ApprovalCard::isAnswerButton(const QObject* object) const
{
    return isAllowButton(object) || object == m_deny || object == m_stop;
}

/// The menu is a window of its own. What would choose from it has to be the chord.
bool ApprovalCard::mayReachOffers(const QKeyEvent& key)
{
    constexpr std::array kModifiers{Qt::Key_Control, Qt::Key_Shift, Qt::Key_Alt, Qt::Key_Meta};
    if (std::find(kModifiers.begin(), kModifiers.end(), key.key()) != kModifiers.end())
        return true;
    const bool meant = m_guard.keyPressed(key.isAutoRepeat());
    if (key.key() == Qt::Key_Space || key.key() == Qt::Key_Select)
        return false;
    if (key.key() == Qt::Key_Return || key.key() == Qt::Key_Enter)
        return meant && key.modifiers().testFlag(Qt::ControlModifier);
    return true;
}

bool ApprovalCard::eventFilter(QObject* watched, QEvent* event)
{
    if (!isVisible() || !m_approval || m_settled)
        return QWidget::eventFilter(watched, event);
    if (watched == window() && event->type() == QEvent::WindowActivate)
        m_guard.windowActivated();
    if (watched == m_offers && event->type() == QEvent::KeyPress)
        return !mayReachOffers(*static_cast<QKeyEvent*>(event));
    auto* widget = qobject_cast<QWidget*>(watched);
    if (!widget || widget->window() != window())
        return QWidget::eventFilter(watched, event);
    if (event->type() == QEvent::MouseButtonPress) {
        const bool meant = m_guard.pointerPressed();
        if (isAnswerButton(widget)) {
            if (!meant || !m_guard.isSettled())
                return true;
            m_pressed = Pressed{
                m_approval->id, hasEdit() ? sha256Hex(editedCode()) : m_approval->codeSha256};
        }
        return QWidget::eventFilter(watched, event);
    }
    if (event->type() != QEvent::KeyPress && event->type() != QEvent::KeyRelease)
        return QWidget::eventFilter(watched, event);
    auto* key = static_cast<QKeyEvent*>(event);
    const bool enter = key->key() == Qt::Key_Return || key->key() == Qt::Key_Enter;
    m_pressed.reset(); // what a key answers has no press to agree with
    // Neither Space nor Return on a button that allows does anything.
    if (isAllowButton(widget) &&
        (enter || key->key() == Qt::Key_Space || key->key() == Qt::Key_Select) &&
        key->modifiers() == Qt::NoModifier)
        return true;
    if (event->type() == QEvent::KeyRelease)
        return QWidget::eventFilter(watched, event);
    // One key press visits every parent that its widget leaves it to: only the first visit counts.
    const QWidget* focus = window()->focusWidget();
    if (widget != (focus ? focus : window()))
        return QWidget::eventFilter(watched, event);
    constexpr std::array kModifiers{
        Qt::Key_Control, Qt::Key_Shift, Qt::Key_Alt, Qt::Key_AltGr, Qt::Key_Meta};
    if (std::find(kModifiers.begin(), kModifiers.end(), key->key()) != kModifiers.end())
        return QWidget::eventFilter(watched, event); // the first half of a chord
    const bool meant = m_guard.keyPressed(key->isAutoRepeat());
    // Space presses the focused button when it comes up again: not when it was typed or held.
    if (isAnswerButton(widget) && key->key() == Qt::Key_Space && !meant)
        return true;
    if (enter && key->modifiers() == (Qt::ControlModifier | Qt::ShiftModifier)) {
        if (meant && m_allowMore->isVisible() && m_allowMore->isEnabled())
            m_allowMore->showMenu();
        return true;
    }
    if (enter && key->modifiers() == Qt::ControlModifier) {
        if (meant)
            answer(Verdict::Allow, {}, false);
        return true;
    }
    // In a text it deletes a word, as everywhere.
    const bool typing = widget == m_comment || (m_editing && m_code->isAncestorOf(widget)) ||
                        (m_editing && widget == m_code);
    if (key->key() == Qt::Key_Backspace && key->modifiers() == Qt::ControlModifier && !typing) {
        if (meant)
            answer(Verdict::Deny, {}, false);
        return true;
    }
    if (key->key() == Qt::Key_Escape && key->modifiers() == Qt::NoModifier) {
        emit later();
        return true;
    }
    if (key->key() == Qt::Key_E && key->modifiers() == Qt::ControlModifier) {
        setEditing(!m_editing);
        return true;
    }
    touched();
    return QWidget::eventFilter(watched, event);
}

void ApprovalCard::showEvent(QShowEvent* event)
{
    QWidget::showEvent(event);
    m_guard.cardChanged();
    qApp->installEventFilter(this);
    updateAnswers();
}

void ApprovalCard::hideEvent(QHideEvent* event)
{
    QWidget::hideEvent(event);
    qApp->removeEventFilter(this);
    if (m_held)
        m_hold->setChecked(false);
}

void ApprovalCard::changeEvent(QEvent* event)
{
    QWidget::changeEvent(event);
    if (event->type() == QEvent::PaletteChange)
        applyColors();
}

} // namespace belljar::ui
