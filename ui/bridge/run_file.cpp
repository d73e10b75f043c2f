// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/bridge/run_file.h"

#include "engine/base/text.h"

#include <QBuffer>
#include <QCoreApplication>
#include <QImageReader>

#include <array>
#include <string_view>

namespace belljar::ui {

namespace {

using execution::FileKind;

class Words {
    Q_DECLARE_TR_FUNCTIONS(belljar::ui::FilesView)
};

constexpr int kLongestSide = 16'384;           ///< of a picture that is decoded
constexpr qint64 kMostPixels = 40'000'000;     ///< likewise: 160 MB
constexpr int kShownSide = 2048;               ///< what is larger is made smaller
constexpr std::size_t kTextBytes = 64U * 1024; ///< of a text that is shown

struct Format {
    FileKind kind;
    const char* name;
};
constexpr std::array kFormats{
    Format{FileKind::Png, "png"},
    Format{FileKind::Jpeg, "jpeg"},
    Format{FileKind::Gif, "gif"},
    Format{FileKind::Webp, "webp"},
};

FilePreview decode(const char* format, const std::string& bytes)
{
    FilePreview preview;
    QByteArray data = QByteArray::fromRawData(bytes.data(), static_cast<qsizetype>(bytes.size()));
    QBuffer buffer(&data);
    buffer.open(QIODevice::ReadOnly);
    // By the decoder that its first bytes ask for and no other.
    QImageReader reader(&buffer, format);
    reader.setAutoDetectImageFormat(false);
    const QSize size = reader.size();
    if (!size.isValid()) {
        preview.problem = Words::tr("This picture can't be read: it is damaged, or there is no "
                                    "decoder for it on this machine.");
        return preview;
    }
    if (size.width() > kLongestSide || size.height() > kLongestSide ||
        qint64(size.width()) * size.height() > kMostPixels) {
        preview.problem = Words::tr("This picture is too large to be shown: %1 × %2 pixels.")
                              .arg(size.width())
                              .arg(size.height());
        return preview;
    }
    if (size.width() > kShownSide || size.height() > kShownSide)
        reader.setScaledSize(size.scaled(kShownSide, kShownSide, Qt::KeepAspectRatio));
    preview.picture = reader.read(); // of an animation the first picture
    if (preview.picture.isNull())
        preview.problem = Words::tr("This picture is damaged.");
    return preview;
}

} // namespace

FilePreview previewOf(FileKind kind, const std::string& bytes)
{
    for (const Format& format : kFormats) {
        if (format.kind == kind)
            return decode(format.name, bytes);
    }
    FilePreview preview;
    if (kind == FileKind::Other) {
        preview.problem = Words::tr("There is no preview of such a file.");
        return preview;
    }
    const std::string_view shown = prefixWithin(bytes, kTextBytes);
    preview.text = QString::fromStdString(escapeUnusual(toValidUtf8(shown)));
    preview.isCut = shown.size() < bytes.size();
    return preview;
}

} // namespace belljar::ui
