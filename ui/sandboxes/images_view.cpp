// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/sandboxes/images_view.h"

#include "engine/base/text.h"
#include "ui/sandboxes/image_dialog.h"
#include "ui/sandboxes/sandboxes_model.h"
#include "ui/shell/screen_parts.h"
#include "ui/shell/theme.h"

#include <QDateTime>
#include <QFontDatabase>
#include <QHeaderView>
#include <QLabel>
#include <QLocale>
#include <QMessageBox>
#include <QPlainTextEdit>
#include <QProgressBar>
#include <QPushButton>
#include <QTableWidget>
#include <QVBoxLayout>

#include <algorithm>

namespace belljar::ui {

namespace {

using execution::Status;

constexpr int kLogLines = 2000;
constexpr std::size_t kShortDigest = 19; // "sha256:" and twelve digits

enum Column {
    LanguageColumn,
    StateColumn,
    ImageColumn,
    IdColumn,
    SizeColumn,
    MadeColumn,
    InItColumn,
    ColumnCount
};

struct StateLook {
    QString text;
    Status shape;
};

StateLook lookOf(const ImageStatus& image)
{
    if (image.building)
        return {ImagesView::tr("Being built"), Status::Running};
    if (image.chosen)
        return image.chosen->present ? StateLook{ImagesView::tr("Chosen"), Status::Succeeded}
                                     : StateLook{ImagesView::tr("Chosen, missing"), Status::Failed};
    if (!image.present)
        return {ImagesView::tr("Not built"), Status::Failed};
    if (!image.upToDate)
        return {ImagesView::tr("Outdated"), Status::AwaitingApproval};
    return {ImagesView::tr("Ready"), Status::Succeeded};
}

QIcon iconOf(Status shape, const QWidget& widget)
{
    return statusIcon(
        shape,
        widget.fontMetrics().height(),
        widget.devicePixelRatioF(),
        widget.palette().color(QPalette::HighlightedText)
    );
}

} // namespace

ImagesView::ImagesView(QWidget* parent)
    : QWidget(parent)
    , m_table(new QTableWidget(0, ColumnCount))
    , m_build(new QPushButton)
    , m_remove(new QPushButton(tr("&Remove…")))
    , m_use(new QPushButton(tr("&Use another image…")))
    , m_shipped(new QPushButton(tr("Use Belljar's &own")))
    , m_outcome(new QLabel)
    , m_progress(new QProgressBar)
    , m_log(new QPlainTextEdit)
{
    makeTable();
    m_build->setObjectName(QStringLiteral("imageBuild"));
    m_remove->setObjectName(QStringLiteral("imageRemove"));
    m_use->setObjectName(QStringLiteral("imageOther"));
    m_shipped->setObjectName(QStringLiteral("imageShipped"));
    m_outcome->setObjectName(QStringLiteral("imageOutcome"));
    m_outcome->setTextFormat(Qt::PlainText);
    m_outcome->setWordWrap(true);
    m_outcome->setTextInteractionFlags(Qt::TextSelectableByMouse | Qt::TextSelectableByKeyboard);
    m_outcome->hide();
    m_progress->setObjectName(QStringLiteral("imageProgress"));
    m_progress->setAccessibleName(tr("An image is being built"));
    m_progress->setRange(0, 0); // nobody knows how long it takes
    m_progress->hide();
    m_log->setObjectName(QStringLiteral("imageLog"));
    m_log->setAccessibleName(tr("Log of the image build"));
    m_log->setReadOnly(true);
    m_log->setTabChangesFocus(true);
    m_log->setMaximumBlockCount(kLogLines);
    m_log->setLineWrapMode(QPlainTextEdit::NoWrap);
    m_log->setFont(QFontDatabase::systemFont(QFontDatabase::FixedFont));
    m_log->setFixedHeight(fontMetrics().lineSpacing() * 11);
    m_log->hide();

    auto* buttons = new QHBoxLayout;
    for (QPushButton* button : {m_build, m_remove, m_use, m_shipped}) {
        button->setAutoDefault(false);
        buttons->addWidget(button);
    }
    buttons->addStretch(1);
    auto* layout = new QVBoxLayout(this);
    layout->setContentsMargins(0, 0, 0, 0);
    layout->addWidget(m_table);
    layout->addLayout(buttons);
    layout->addWidget(m_outcome);
    layout->addWidget(m_progress);
    layout->addWidget(m_log);

    connect(m_build, &QPushButton::clicked, this, &ImagesView::build);
    connect(m_remove, &QPushButton::clicked, this, &ImagesView::askToRemove);
    connect(m_use, &QPushButton::clicked, this, &ImagesView::askForImage);
    connect(m_shipped, &QPushButton::clicked, this, &ImagesView::useShipped);
    connect(m_table, &QTableWidget::itemSelectionChanged, this, &ImagesView::updateButtons);
    updateButtons();
}

void ImagesView::makeTable()
{
    m_table->setObjectName(QStringLiteral("imagesTable"));
    m_table->setAccessibleName(tr("Sandbox images"));
    m_table->setHorizontalHeaderLabels(
        {tr("Language"), tr("State"), tr("Image"), tr("Id"), tr("Size"), tr("Made"), tr("In it")}
    );
    m_table->setEditTriggers(QAbstractItemView::NoEditTriggers);
    setUpRows(*m_table, 1.6);
    QHeaderView* header = m_table->horizontalHeader();
    header->setDefaultAlignment(Qt::AlignLeft | Qt::AlignVCenter);
    header->setSectionResizeMode(QHeaderView::ResizeToContents);
    header->setSectionResizeMode(InItColumn, QHeaderView::Stretch);
}

void ImagesView::setImages(const std::vector<ImageStatus>& images)
{
    m_images = images;
    m_table->setRowCount(static_cast<int>(images.size()));
    for (int row = 0; row < m_table->rowCount(); ++row)
        fillRow(row, images[static_cast<std::size_t>(row)]);
    const int rows = std::max(1, m_table->rowCount());
    const int height = m_table->horizontalHeader()->sizeHint().height() +
                       m_table->verticalHeader()->defaultSectionSize() * rows +
                       m_table->style()->pixelMetric(QStyle::PM_ScrollBarExtent) + 2;
    m_table->setMinimumHeight(height);
    m_table->setMaximumHeight(height);
    const bool building =
        std::any_of(images.begin(), images.end(), [](const auto& one) { return one.building; });
    m_progress->setVisible(building);
    if (!selected() && m_table->rowCount() > 0)
        m_table->selectRow(0);
    updateButtons();
}

void ImagesView::fillRow(int row, const ImageStatus& image)
{
    const StateLook look = lookOf(image);
    // What programs run in.
    ChosenImage shown{
        image.reference,
        image.present,
        image.digest,
        image.bytes,
        image.createdAt,
        image.description};
    QString name = safe(image.reference);
    if (image.chosen) {
        shown = *image.chosen;
        name = tr("%1 instead of %2").arg(safe(shown.reference), name);
    }
    const QString made = shown.createdAt == 0 ? QString()
                                              : QLocale().toString(
                                                    QDateTime::fromMSecsSinceEpoch(shown.createdAt),
                                                    QLocale::ShortFormat
                                                );
    const QString texts[ColumnCount] = {
        safe(image.title),
        look.text,
        name,
        safe(std::string(prefixWithin(shown.digest, kShortDigest))),
        shown.present ? sizeText(shown.bytes) : QString(),
        made,
        safe(shown.description),
    };
    for (int column = 0; column < ColumnCount; ++column) {
        if (!m_table->item(row, column))
            m_table->setItem(row, column, new QTableWidgetItem);
        m_table->item(row, column)->setText(texts[column]);
    }
    m_table->item(row, StateColumn)->setIcon(iconOf(look.shape, *m_table));
}

const ImageStatus* ImagesView::selected() const
{
    const auto rows = m_table->selectionModel()->selectedRows();
    const auto row = rows.isEmpty() ? m_images.size() : static_cast<std::size_t>(rows[0].row());
    return row < m_images.size() ? &m_images[row] : nullptr;
}

QString ImagesView::titleOf(const std::string& language) const
{
    const auto image = std::find_if(m_images.begin(), m_images.end(), [&](const auto& one) {
        return one.language == language;
    });
    return safe(image == m_images.end() ? language : image->title);
}

void ImagesView::updateButtons()
{
    const ImageStatus* image = selected();
    m_build->setText(image && image->present ? tr("Re&build") : tr("&Build"));
    m_build->setEnabled(image && !image->building);
    m_remove->setEnabled(image && image->present && !image->building);
    m_use->setEnabled(image && m_used.empty());
    m_shipped->setEnabled(image && image->chosen && m_used.empty());
}

void ImagesView::build()
{
    const ImageStatus* image = selected();
    if (!image)
        return;
    const std::string language = image->language;
    m_build->setEnabled(false); // until the engine says that it builds
    emit buildWanted(language);
}

void ImagesView::askToRemove()
{
    const ImageStatus* image = selected();
    if (!image)
        return;
    auto* box = new QMessageBox(this);
    box->setAttribute(Qt::WA_DeleteOnClose);
    box->setObjectName(QStringLiteral("removeImageBox"));
    box->setTextFormat(Qt::PlainText);
    box->setWindowTitle(tr("Remove an image"));
    const QString what = tr("Remove %1 (%2)?").arg(safe(image->reference), sizeText(image->bytes));
    box->setText(
        image->chosen ? what
                      : tr("%1 Programs in %2 can't run until it is built again.")
                            .arg(what, safe(image->title))
    );
    // Whatever stands here is taken for rich text where it looks like it: nothing foreign.
    box->setInformativeText(tr("Building takes a minute or two and may need the network."));
    QPushButton* yes = box->addButton(tr("&Remove"), QMessageBox::DestructiveRole);
    box->setDefaultButton(box->addButton(QMessageBox::Cancel));
    const std::string language = image->language;
    connect(yes, &QPushButton::clicked, this, [this, language] { emit removeWanted(language); });
    box->open();
}

void ImagesView::askForImage()
{
    const ImageStatus* image = selected();
    if (!image)
        return;
    const std::string& now = image->chosen ? image->chosen->reference : image->reference;
    m_dialog = new ImageDialog(safe(image->title), safe(now), this);
    connect(
        m_dialog,
        &ImageDialog::tryWanted,
        this,
        [this, language = image->language](const QString& reference) {
            use(language, reference.toStdString());
        }
    );
    m_dialog->open();
}

void ImagesView::useShipped()
{
    if (const ImageStatus* image = selected())
        use(image->language, {});
}

void ImagesView::use(const std::string& language, const std::string& reference)
{
    m_used = language;
    updateButtons();
    emit useWanted(language, reference);
}

void ImagesView::endUse(const std::optional<Error>& error)
{
    if (m_used.empty())
        return;
    const QString title = titleOf(m_used);
    m_used.clear();
    updateButtons();
    if (error && m_dialog && m_dialog->isVisible())
        return m_dialog->showFailure(safe(error->message()));
    if (error)
        m_outcome->setText(
            tr("The image for %1 stays as it is: %2").arg(title, safe(error->message()))
        );
    else
        m_outcome->setText(tr("Programs in %1 run in the image shown above from now on.").arg(title)
        );
    m_outcome->show();
    if (m_dialog)
        m_dialog->accept();
}

void ImagesView::addProgress(const std::string& language, const QStringList& lines)
{
    if (m_logged != language || m_log->isHidden()) {
        m_log->clear();
        m_logged = language;
    }
    m_outcome->setText(
        tr("Building the image for %1. This takes a minute or two.").arg(titleOf(language))
    );
    m_outcome->show();
    m_log->show();
    m_log->appendPlainText(lines.join(QLatin1Char('\n')));
}

void ImagesView::endBuild(const ImageBuildEnded& ended)
{
    const QString title = titleOf(ended.language);
    if (ended.error)
        m_outcome->setText(
            tr("The image for %1 was not built: %2\nIn a terminal: belljar images build --force %3")
                .arg(title, safe(ended.error->message()), safe(ended.language))
        );
    else
        m_outcome->setText(tr("The image for %1 is ready.").arg(title));
    m_outcome->show();
    m_log->setVisible(ended.error && m_logged == ended.language);
    updateButtons();
}

} // namespace belljar::ui
