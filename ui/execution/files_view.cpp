// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/execution/files_view.h"

#include "ui/shell/screen_parts.h"

#include <QFontDatabase>
#include <QHBoxLayout>
#include <QHeaderView>
#include <QLabel>
#include <QLocale>
#include <QPlainTextEdit>
#include <QPushButton>
#include <QResizeEvent>
#include <QSplitter>
#include <QStackedWidget>
#include <QTableWidget>
#include <QVBoxLayout>

#include <array>
#include <utility>

namespace belljar::ui {

namespace {

using execution::FileFate;
using execution::FileKind;
using execution::RunFile;

enum Column { Name, Size, Kind, ColumnCount };

constexpr int kThumbnailLines = 3;          ///< high
constexpr std::size_t kMostThumbnails = 12; ///< read without being asked for
constexpr std::uint64_t kThumbnailBytes = 2U * 1024 * 1024;

QLabel* plainLabel(const char* name)
{
    auto* label = new QLabel;
    label->setObjectName(QLatin1String(name));
    label->setTextFormat(Qt::PlainText);
    label->setWordWrap(true);
    return label;
}

QString kindText(const RunFile& file)
{
    switch (file.kind) {
    case FileKind::Other: return FilesView::tr("other");
    case FileKind::Text: return FilesView::tr("text");
    case FileKind::Svg: return QStringLiteral("SVG");
    case FileKind::Png: return QStringLiteral("PNG");
    case FileKind::Jpeg: return QStringLiteral("JPEG");
    case FileKind::Gif: return QStringLiteral("GIF");
    case FileKind::Webp: return QStringLiteral("WebP");
    }
    return {};
}

/// Why it isn't kept.
QString fateText(FileFate fate)
{
    switch (fate) {
    case FileFate::Kept: return {};
    case FileFate::TooLarge: return FilesView::tr("not kept: too large");
    case FileFate::TooMany: return FilesView::tr("not kept: too many files");
    case FileFate::NoRoom: return FilesView::tr("not kept: too much together");
    case FileFate::Link: return FilesView::tr("not kept: a link");
    case FileFate::HardLink: return FilesView::tr("not kept: a file of several names");
    case FileFate::Special: return FilesView::tr("not kept: not a plain file");
    case FileFate::LongName: return FilesView::tr("not kept: its name is too long");
    case FileFate::Unreadable: return FilesView::tr("not kept: it can't be read");
    }
    return {};
}

} // namespace

FilesView::FilesView(QWidget* parent)
    : QWidget(parent)
    , m_summary(plainLabel("filesSummary"))
    , m_table(new QTableWidget(0, ColumnCount))
    , m_preview(new QStackedWidget)
    , m_picture(new QLabel)
    , m_text(new QPlainTextEdit)
    , m_words(plainLabel("filePreviewWords"))
    , m_save(new QPushButton(tr("&Save…")))
    , m_saveAll(new QPushButton(tr("Save a&ll…")))
{
    setObjectName(QStringLiteral("filesView"));
    m_summary->setMargin(fontMetrics().height() / 3);
    makeTable();
    m_picture->setObjectName(QStringLiteral("filePicture"));
    m_picture->setTextFormat(Qt::PlainText);
    m_picture->setAlignment(Qt::AlignCenter);
    m_picture->setSizePolicy(QSizePolicy::Ignored, QSizePolicy::Ignored);
    m_text->setObjectName(QStringLiteral("fileText"));
    m_text->setAccessibleName(tr("Text of the file"));
    m_text->setReadOnly(true);
    m_text->setUndoRedoEnabled(false);
    m_text->setTabChangesFocus(true);
    m_text->setLineWrapMode(QPlainTextEdit::NoWrap);
    m_text->setFrameShape(QFrame::NoFrame);
    m_text->setFont(QFontDatabase::systemFont(QFontDatabase::FixedFont));
    m_words->setAlignment(Qt::AlignCenter);
    for (QWidget* page : std::initializer_list<QWidget*>{m_words, m_picture, m_text})
        m_preview->addWidget(page);
    m_save->setObjectName(QStringLiteral("saveFile"));
    m_saveAll->setObjectName(QStringLiteral("saveAllFiles"));
    connect(m_save, &QPushButton::clicked, this, [this] {
        if (const auto place = selected())
            emit saveWanted(*place, QString::fromStdString(m_saveNames.at(*place)));
    });
    connect(m_saveAll, &QPushButton::clicked, this, &FilesView::saveAllWanted);

    auto* splitter = new QSplitter(Qt::Vertical);
    splitter->setChildrenCollapsible(false);
    splitter->addWidget(m_table);
    splitter->addWidget(m_preview);
    splitter->setStretchFactor(0, 1);
    splitter->setStretchFactor(1, 1);
    auto* buttons = new QHBoxLayout;
    for (QPushButton* button : {m_save, m_saveAll}) {
        button->setAutoDefault(false);
        buttons->addWidget(button);
    }
    buttons->addStretch(1);
    auto* layout = new QVBoxLayout(this);
    layout->setContentsMargins(0, 0, 0, 0);
    layout->addWidget(m_summary);
    layout->addWidget(splitter, 1);
    layout->addLayout(buttons);
    setFiles({}, false);
}

void FilesView::makeTable()
{
    m_table->setObjectName(QStringLiteral("filesTable"));
    m_table->setAccessibleName(tr("Files of the run"));
    m_table->setHorizontalHeaderLabels({tr("Name"), tr("Size"), tr("Kind")});
    m_table->setEditTriggers(QAbstractItemView::NoEditTriggers);
    m_table->setSelectionBehavior(QAbstractItemView::SelectRows);
    m_table->setSelectionMode(QAbstractItemView::SingleSelection);
    m_table->setTabKeyNavigation(false);
    m_table->setFrameShape(QFrame::NoFrame);
    m_table->setTextElideMode(Qt::ElideMiddle);
    m_table->verticalHeader()->hide();
    const int side = fontMetrics().height() * kThumbnailLines;
    m_table->setIconSize({side, side});
    QHeaderView* header = m_table->horizontalHeader();
    header->setSectionResizeMode(Name, QHeaderView::Stretch);
    header->setSectionResizeMode(Size, QHeaderView::ResizeToContents);
    header->setSectionResizeMode(Kind, QHeaderView::ResizeToContents);
    connect(m_table, &QTableWidget::itemSelectionChanged, this, &FilesView::showSelected);
}

void FilesView::setFiles(const execution::RunFiles& files, bool ended)
{
    m_files = files;
    m_saveNames = execution::saveNames(files.files);
    m_previews.clear();
    m_table->setRowCount(0);
    m_table->setRowCount(static_cast<int>(files.files.size()));
    for (int row = 0; row < m_table->rowCount(); ++row)
        fillRow(row);
    QStringList said;
    if (files.isEmpty())
        said
            << (ended ? tr("It left no files.") : tr("Files are here once the program has ended."));
    else
        said << tr("%n file(s) kept", nullptr, static_cast<int>(files.kept()));
    if (files.leftOut() > 0)
        said << tr("%n not", nullptr, static_cast<int>(files.leftOut()));
    if (!files.whole)
        said << tr("not everything could be looked at");
    m_summary->setText(said.join(QStringLiteral("; ")));
    m_table->setVisible(!files.files.empty());
    m_preview->setVisible(!files.files.empty());
    m_saveAll->setVisible(files.kept() > 1);
    m_save->setVisible(files.kept() > 0);
    std::size_t thumbnails = 0;
    for (std::size_t place = 0; place < files.files.size(); ++place) {
        const RunFile& file = files.files[place];
        if (file.fate == FileFate::Kept && execution::isPicture(file.kind) &&
            file.size <= kThumbnailBytes && thumbnails++ < kMostThumbnails)
            emit previewWanted(place);
    }
    showSelected();
}

void FilesView::fillRow(int row)
{
    const RunFile& file = m_files.files[static_cast<std::size_t>(row)];
    const bool kept = file.fate == FileFate::Kept;
    const QString name = QString::fromStdString(execution::shownName(file.name));
    const QString size = QLocale().formattedDataSize(static_cast<qint64>(file.size));
    const QString kind = kept ? kindText(file) : fateText(file.fate);
    const QString texts[ColumnCount] = {name, size, kind};
    for (int column = 0; column < ColumnCount; ++column) {
        auto* item = new QTableWidgetItem(texts[column]);
        item->setToolTip(QStringLiteral("<span>%1</span>").arg(texts[column].toHtmlEscaped()));
        if (column == Size)
            item->setTextAlignment(Qt::AlignRight | Qt::AlignVCenter);
        m_table->setItem(row, column, item);
    }
    const int lines = kept && execution::isPicture(file.kind) ? kThumbnailLines + 1 : 2;
    m_table->setRowHeight(row, fontMetrics().height() * lines);
}

std::optional<std::size_t> FilesView::selected() const
{
    const QModelIndexList rows = m_table->selectionModel()->selectedRows();
    if (rows.isEmpty())
        return {};
    return static_cast<std::size_t>(rows.front().row());
}

void FilesView::showSelected()
{
    const auto place = selected();
    const bool kept = place && m_files.files.at(*place).fate == FileFate::Kept;
    m_save->setEnabled(kept);
    FilePreview words;
    if (!place) {
        words.problem = tr("Pick a file to look at it.");
    } else if (!kept) {
        words.problem = fateText(m_files.files.at(*place).fate);
    } else if (const auto known = m_previews.find(*place); known != m_previews.end()) {
        showPreview(known->second);
        return;
    } else {
        emit previewWanted(*place);
    }
    showPreview(words);
}

void FilesView::setPreview(std::size_t place, const FilePreview& preview)
{
    if (place >= m_files.files.size())
        return;
    m_previews[place] = preview;
    if (!preview.picture.isNull())
        m_table->item(static_cast<int>(place), Name)
            ->setIcon(QIcon(
                QPixmap::fromImage(preview.picture).scaled(m_table->iconSize(), Qt::KeepAspectRatio)
            ));
    if (selected() == place)
        showPreview(preview);
}

void FilesView::showPreview(const FilePreview& preview)
{
    if (!preview.picture.isNull()) {
        m_shown = QPixmap::fromImage(preview.picture);
        const auto place = selected();
        m_picture->setAccessibleName(tr("Picture %1, %2 × %3 pixels")
                                         .arg(
                                             place ? QString::fromStdString(execution::shownName(
                                                         m_files.files.at(*place).name
                                                     ))
                                                   : QString()
                                         )
                                         .arg(m_shown.width())
                                         .arg(m_shown.height()));
        scalePicture();
        m_preview->setCurrentWidget(m_picture);
        return;
    }
    if (!preview.problem.isEmpty() || preview.text.isEmpty()) {
        m_words->setText(preview.problem);
        m_preview->setCurrentWidget(m_words);
        return;
    }
    QString text = inShortLines(preview.text);
    if (preview.isCut)
        text += QLatin1Char('\n') + tr("… (the rest is in the saved file)");
    m_text->setPlainText(text);
    m_preview->setCurrentWidget(m_text);
}

void FilesView::scalePicture()
{
    const QSize room = m_preview->size() * devicePixelRatioF();
    QPixmap scaled = m_shown;
    if (m_shown.width() > room.width() || m_shown.height() > room.height())
        scaled = m_shown.scaled(room, Qt::KeepAspectRatio, Qt::SmoothTransformation);
    scaled.setDevicePixelRatio(devicePixelRatioF());
    m_picture->setPixmap(scaled);
}

void FilesView::resizeEvent(QResizeEvent* event)
{
    QWidget::resizeEvent(event);
    if (!m_shown.isNull())
        scalePicture();
}

} // namespace belljar::ui
