// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/settings/engine_rows.h"

#include "ui/settings/setting_rows.h"
#include "ui/shell/screen_parts.h"

#include <QApplication>
#include <QCheckBox>
#include <QClipboard>
#include <QDesktopServices>
#include <QHBoxLayout>
#include <QLabel>
#include <QLineEdit>
#include <QLocale>
#include <QMessageBox>
#include <QPushButton>
#include <QSignalBlocker>
#include <QSpinBox>
#include <QUrl>

#include <utility>
#include <variant>

namespace belljar::ui {

namespace {

constexpr int kTextLetters = 32;
constexpr int kHighestPort = 65'535;

QLabel* plainLabel(const char* name)
{
    auto* label = new QLabel;
    label->setObjectName(QLatin1String(name));
    label->setTextFormat(Qt::PlainText);
    label->setTextInteractionFlags(Qt::TextSelectableByMouse | Qt::TextSelectableByKeyboard);
    return label;
}

QPushButton* makeButton(const char* name, const QString& text)
{
    auto* button = new QPushButton(text);
    button->setObjectName(QLatin1String(name));
    button->setAutoDefault(false);
    return button;
}

QWidget* inARow(std::initializer_list<QWidget*> widgets)
{
    auto* row = new QWidget;
    auto* layout = new QHBoxLayout(row);
    layout->setContentsMargins(0, 0, 0, 0);
    for (QWidget* widget : widgets)
        layout->addWidget(widget);
    return row;
}

QString sizeText(std::uint64_t bytes)
{
    return QLocale().formattedDataSize(static_cast<qint64>(bytes), 1, QLocale::DataSizeSIFormat);
}

} // namespace

EngineRows::EngineRows(SettingRows& rows, QObject* parent)
    : QObject(parent)
    , m_rows(rows)
{
    addEngine();
    addHttp();
    addHistory();
    addData();
    setKnown(false, tr("not there yet"));
}

void EngineRows::addEngine()
{
    m_rows.addGroup(tr("Engine"));
    m_state = plainLabel("engineState");
    m_state->setWordWrap(true);
    m_rows.addRow(
        tr("State"), tr("The engine keeps its settings in settings.json, for people too."), m_state
    );
    addText(
        "docker_host",
        tr("Docker"),
        tr("Address of the container engine, as unix:///run/user/1000/docker.sock. Empty: it is "
           "found. Takes effect when Belljar is started again."),
        &EngineSettings::dockerHost
    );
    addNumber(
        "max_running",
        tr("Programs at once"),
        tr("More wait for their turn."),
        &EngineSettings::maxRunning,
        1,
        static_cast<int>(kMostRunning)
    );
}

void EngineRows::addHttp()
{
    m_rows.addGroup(tr("MCP over HTTP"));
    addSwitch(
        "http_on",
        tr("Serve MCP over HTTP"),
        tr("For clients that can't start a program. Who has the token can run programs."),
        &EngineSettings::httpOn
    );
    addText(
        "http_address",
        tr("Address"),
        tr("127.0.0.1 is for this machine alone. Another needs a certificate."),
        &EngineSettings::httpAddress
    );
    addNumber("http_port", tr("Port"), {}, &EngineSettings::httpPort, 1, kHighestPort);
    addText(
        "http_certificate_file",
        tr("TLS certificate"),
        tr("A PEM file with its chain."),
        &EngineSettings::httpCertificateFile
    );
    addText("http_key_file", tr("TLS key"), tr("A PEM file."), &EngineSettings::httpKeyFile);
    m_url = plainLabel("httpUrl");
    m_url->setWordWrap(true);
    m_copyUrl = makeButton("copyUrl", tr("&Copy"));
    m_copyUrl->setAccessibleName(tr("Copy the URL"));
    connect(m_copyUrl, &QPushButton::clicked, this, [this] {
        QApplication::clipboard()->setText(m_url->text());
    });
    m_rows.addRow(tr("URL"), tr("What an HTTP client is told."), inARow({m_url, m_copyUrl}));
    m_secret = new QLineEdit;
    m_secret->setObjectName(QStringLiteral("httpToken"));
    m_secret->setAccessibleName(tr("Token"));
    m_secret->setReadOnly(true);
    m_secret->setPlaceholderText(tr("hidden"));
    m_secret->setMinimumWidth(m_secret->fontMetrics().averageCharWidth() * kTextLetters / 2);
    auto* reveal = makeButton("revealToken", tr("S&how"));
    reveal->setAccessibleName(tr("Show the token"));
    auto* rotate = makeButton("rotateToken", tr("&New…"));
    rotate->setAccessibleName(tr("Make a new token"));
    connect(reveal, &QPushButton::clicked, this, &EngineRows::askForToken);
    connect(rotate, &QPushButton::clicked, this, &EngineRows::askToRotate);
    m_rows.addRow(
        tr("Token"),
        tr("HTTP clients show it with every request. A new one ends the old one at once."),
        inARow({m_secret, reveal, rotate})
    );
    m_controls << reveal << rotate;
}

void EngineRows::addHistory()
{
    m_rows.addGroup(tr("History"));
    addNumber(
        "keep_days",
        tr("Keep runs for"),
        tr("Older ones are deleted, with code and output. Pinned runs stay, and the audit log "
           "keeps that they ran."),
        &EngineSettings::keepDays,
        0,
        static_cast<int>(kMostKeptDays),
        tr(" days"),
        tr("ever")
    );
    addNumber(
        "keep_megabytes",
        tr("Keep runs up to"),
        tr("Where they take more, the oldest are deleted. Pinned runs stay."),
        &EngineSettings::keepMegabytes,
        0,
        static_cast<int>(kMostKeptMegabytes),
        tr(" MB"),
        tr("any size")
    );
}

void EngineRows::addData()
{
    m_rows.addGroup(tr("Data"));
    m_folder = plainLabel("dataFolder");
    auto* open = makeButton("openFolder", tr("&Open"));
    open->setAccessibleName(tr("Open the folder"));
    connect(open, &QPushButton::clicked, this, [this] {
        QDesktopServices::openUrl(QUrl::fromLocalFile(m_folder->text()));
    });
    m_rows.addRow(
        tr("Folder"), tr("History, audit log and token are here."), inARow({m_folder, open})
    );
    m_sizes = plainLabel("dataSizes");
    m_rows.addRow(
        tr("Size"),
        tr("The file of the history keeps its size; what is deleted in it "
           "makes room for what comes."),
        m_sizes
    );
    m_cleanUp = makeButton("cleanUp", tr("Clean &up…"));
    connect(m_cleanUp, &QPushButton::clicked, this, &EngineRows::askToCleanUp);
    m_rows.addRow(
        tr("Clean up now"),
        tr("Deletes what is to go by the settings of the history; else that is done every hour."),
        m_cleanUp
    );
    m_controls << open << m_cleanUp;
}

void EngineRows::addText(
    const char* name, const QString& title, const QString& help, std::string EngineSettings::*member
)
{
    auto* line = new QLineEdit;
    line->setMinimumWidth(line->fontMetrics().averageCharWidth() * kTextLetters);
    line->setMaxLength(4096);
    const auto show = [this, line, member] {
        // What is being typed stays.
        if (!(line->hasFocus() && line->isModified()))
            line->setText(safe(m_settings.*member));
    };
    connect(line, &QLineEdit::editingFinished, this, [this, line, member] {
        if (!line->isModified())
            return;
        line->setModified(false);
        want([&](EngineSettings& to) { to.*member = line->text().trimmed().toStdString(); });
    });
    add(
        {name, title, line, show},
        help,
        [this, member] { return m_settings.*member == EngineSettings().*member; },
        [this, member] {
            want([member](EngineSettings& to) { to.*member = EngineSettings().*member; });
        }
    );
}

void EngineRows::addSwitch(
    const char* name, const QString& title, const QString& help, bool EngineSettings::*member
)
{
    auto* box = new QCheckBox;
    connect(box, &QCheckBox::toggled, this, [this, member](bool on) {
        want([&](EngineSettings& to) { to.*member = on; });
    });
    const auto show = [this, box, member] {
        const QSignalBlocker quiet(box);
        box->setChecked(m_settings.*member);
    };
    add(
        {name, title, box, show},
        help,
        [this, member] { return m_settings.*member == EngineSettings().*member; },
        [box, member] { box->setChecked(EngineSettings().*member); }
    );
}

template <class T>
void EngineRows::addNumber(
    const char* name,
    const QString& title,
    const QString& help,
    T EngineSettings::*member,
    int low,
    int high,
    const QString& unit,
    const QString& zero
)
{
    auto* box = new QSpinBox;
    box->setRange(low, high);
    box->setSuffix(unit);
    box->setSpecialValueText(zero);
    box->setKeyboardTracking(false); // not a setting for every digit
    connect(box, &QSpinBox::valueChanged, this, [this, member](int value) {
        want([&](EngineSettings& to) { to.*member = static_cast<T>(value); });
    });
    const auto show = [this, box, member] {
        const QSignalBlocker quiet(box);
        box->setValue(static_cast<int>(m_settings.*member));
    };
    add(
        {name, title, box, show},
        help,
        [this, member] { return m_settings.*member == EngineSettings().*member; },
        [box, member] { box->setValue(static_cast<int>(EngineSettings().*member)); }
    );
}

void EngineRows::add(
    Field field, const QString& help, std::function<bool()> isDefault, std::function<void()> reset
)
{
    field.control->setObjectName(QLatin1String(field.name));
    m_rows.addRow(field.title, help, field.control, std::move(isDefault), std::move(reset));
    m_controls << field.control;
    field.show();
    m_fields << std::move(field);
}

void EngineRows::want(const std::function<void(EngineSettings&)>& change)
{
    EngineSettings wanted = m_settings;
    change(wanted);
    m_change = ++m_lastToken;
    emit commandWanted(ChangeSettings{m_change, std::move(wanted)});
}

void EngineRows::measure()
{
    emit commandWanted(MeasureData{});
}

void EngineRows::apply(const std::vector<Event>& events)
{
    for (const Event& event : events)
        std::visit([this](const auto& one) { take(one); }, event);
}

void EngineRows::take(const SettingsChanged& changed)
{
    m_settings = changed.settings;
    setKnown(
        true,
        changed.problem.empty()
            ? tr("runs")
            : tr("runs with the defaults: %1. What is changed here takes the file's place; it is "
                 "kept as settings.json.broken.")
                  .arg(safe(changed.problem))
    );
    showHttp(changed.http);
    m_rows.updateResets();
}

void EngineRows::take(const SettingsCommandDone& done)
{
    if (done.token != m_change)
        return;
    QString problem;
    if (done.error) {
        problem = safe(done.error->message());
        for (const Field& field : std::as_const(m_fields)) {
            const QString named = QLatin1String(field.name) + QStringLiteral(": ");
            if (problem.startsWith(named))
                problem = tr("%1: %2").arg(field.title, problem.mid(named.size()));
        }
        problem = tr("Not changed. %1").arg(problem);
        for (const Field& field : std::as_const(m_fields))
            field.show();
    }
    emit problemChanged(problem);
}

void EngineRows::take(const TokenRevealed& revealed)
{
    if (revealed.token != m_reveal)
        return;
    if (revealed.secret)
        m_secret->setText(QString::fromStdString(*revealed.secret));
    else
        emit problemChanged(safe(revealed.secret.error().message()));
}

void EngineRows::take(const DataMeasured& measured)
{
    m_folder->setText(safe(measured.folder));
    m_sizes->setText(tr("%1 for %2 runs, of which %3 are in use; log %4")
                         .arg(
                             sizeText(measured.historyBytes),
                             QLocale().toString(static_cast<qulonglong>(measured.executions)),
                             sizeText(measured.historyUsed),
                             sizeText(measured.logBytes)
                         ));
    m_expired = measured.expired;
}

void EngineRows::take(const EngineFailed& /*failed*/)
{
    setKnown(false, tr("does not run, so nothing can be set"));
}

void EngineRows::setKnown(bool known, const QString& state)
{
    m_state->setText(state);
    for (QWidget* control : std::as_const(m_controls))
        control->setEnabled(known);
    for (const Field& field : std::as_const(m_fields))
        field.show();
}

void EngineRows::showHttp(const HttpState& http)
{
    m_copyUrl->setVisible(!http.url.empty());
    if (!http.on)
        m_url->setText(tr("It is off."));
    else if (!http.problem.empty())
        m_url->setText(tr("Not served: %1").arg(safe(http.problem)));
    else
        m_url->setText(safe(http.url));
}

void EngineRows::askForToken()
{
    m_reveal = ++m_lastToken;
    emit commandWanted(RevealToken{m_reveal});
}

QWidget* EngineRows::window() const
{
    return m_rows.window();
}

void EngineRows::askToRotate()
{
    auto* box = new QMessageBox(window());
    box->setAttribute(Qt::WA_DeleteOnClose);
    box->setObjectName(QStringLiteral("rotateBox"));
    box->setTextFormat(Qt::PlainText);
    box->setWindowTitle(tr("New token"));
    box->setText(tr("Make a new token?"));
    box->setInformativeText(
        tr("HTTP clients that show the old one are cut off at once. Connect them again, so that "
           "their configuration has the new one.")
    );
    auto* rotate = box->addButton(tr("Make a &new one"), QMessageBox::DestructiveRole);
    box->setDefaultButton(box->addButton(QMessageBox::Cancel));
    connect(rotate, &QPushButton::clicked, this, [this] {
        m_secret->clear();
        m_change = ++m_lastToken;
        emit commandWanted(RotateToken{m_change});
    });
    box->open();
}

void EngineRows::askToCleanUp()
{
    auto* box = new QMessageBox(window());
    box->setAttribute(Qt::WA_DeleteOnClose);
    box->setObjectName(QStringLiteral("cleanUpBox"));
    box->setTextFormat(Qt::PlainText);
    box->setWindowTitle(tr("Clean up"));
    if (m_expired == 0) {
        box->setText(tr("Nothing is to go by what is set about the history."));
        box->setStandardButtons(QMessageBox::Ok);
        box->open();
        return;
    }
    box->setText(tr("Delete %n run(s) from the history?", nullptr, static_cast<int>(m_expired)));
    box->setInformativeText(tr("Code and output go. The audit log keeps that they ran."));
    auto* remove = box->addButton(tr("&Delete"), QMessageBox::DestructiveRole);
    box->setDefaultButton(box->addButton(QMessageBox::Cancel));
    connect(remove, &QPushButton::clicked, this, [this] {
        m_change = ++m_lastToken;
        emit commandWanted(CleanUp{m_change});
    });
    box->open();
}

} // namespace belljar::ui
