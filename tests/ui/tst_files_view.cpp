// SPDX-License-Identifier: GPL-3.0-or-later
// The files of a run in the window: what a program wrote is foreign, names and bytes alike.
#include <QBuffer>
#include <QImage>
#include <QLabel>
#include <QPlainTextEdit>
#include <QPushButton>
#include <QSignalSpy>
#include <QTableWidget>
#include <QTest>

#ifndef Q_MOC_RUN // moc 6.4 stumbles over <concepts>
#include "tests/support/gui_test.h"
#include "ui/execution/files_view.h"

using namespace belljar;
using namespace belljar::ui;
using execution::FileFate;
using execution::FileKind;
using execution::RunFile;
using execution::RunFiles;

namespace {

std::string pictureOf(int width, int height, const char* format)
{
    QImage image(width, height, QImage::Format_RGB32);
    image.fill(Qt::darkGreen);
    QBuffer buffer;
    buffer.open(QIODevice::WriteOnly);
    image.save(&buffer, format);
    return buffer.data().toStdString();
}

RunFile kept(std::string name, FileKind kind, std::uint64_t size)
{
    RunFile file;
    file.name = std::move(name);
    file.kind = kind;
    file.size = size;
    return file;
}

RunFiles several()
{
    RunFiles files;
    files.files = {
        kept("plot.png", FileKind::Png, 900),
        kept("notes.txt", FileKind::Text, 12),
        kept("../../<img src=x>\xe2\x80\xae\n.png", FileKind::Png, 700),
    };
    RunFile link;
    link.name = "passwd";
    link.fate = FileFate::Link;
    files.files.push_back(link);
    files.counts[0] = 3;
    files.counts[static_cast<std::size_t>(FileFate::Link)] = 1;
    files.counts[static_cast<std::size_t>(FileFate::TooMany)] = 40;
    return files;
}

} // namespace
#endif

class TestFilesView : public QObject {
    Q_OBJECT

private:
    template <class T>
    static T* find(const FilesView& view, const char* name)
    {
        return view.findChild<T*>(QLatin1String(name));
    }

private slots:
    void saysThatThereAreNone()
    {
        FilesView view;
        view.show();
        QVERIFY(find<QLabel>(view, "filesSummary")->text().contains("once the program has ended"));
        view.setFiles({}, true);
        QCOMPARE(find<QLabel>(view, "filesSummary")->text(), QStringLiteral("It left no files."));
        QVERIFY(find<QTableWidget>(view, "filesTable")->isHidden());
        QVERIFY(find<QPushButton>(view, "saveFile")->isHidden());
    }

    void listsWhatIsKeptAndWhatIsNot()
    {
        FilesView view;
        QSignalSpy wanted(&view, &FilesView::previewWanted);
        view.setFiles(several(), true);
        QCOMPARE(
            find<QLabel>(view, "filesSummary")->text(), QStringLiteral("3 file(s) kept; 41 not")
        );
        auto* table = find<QTableWidget>(view, "filesTable");
        QCOMPARE(table->rowCount(), 4);
        QCOMPARE(table->item(0, 2)->text(), QStringLiteral("PNG"));
        QCOMPARE(table->item(3, 2)->text(), QStringLiteral("not kept: a link"));
        QCOMPARE(wanted.count(), 2); // the two pictures, for the list
        // One that isn't kept can't be looked at or saved.
        table->selectRow(3);
        QCOMPARE(wanted.count(), 2);
        QVERIFY(!find<QPushButton>(view, "saveFile")->isEnabled());
        QCOMPARE(
            find<QLabel>(view, "filePreviewWords")->text(), QStringLiteral("not kept: a link")
        );
    }

    void hostileNamesStayText()
    {
        FilesView view;
        view.setFiles(several(), true);
        auto* table = find<QTableWidget>(view, "filesTable");
        const QString name = table->item(2, 0)->text();
        QVERIFY(name.contains(QStringLiteral("<img src=x>")));
        QVERIFY(!name.contains(QChar(0x202e)) && !name.contains(QLatin1Char('\n')));
        QVERIFY(table->item(2, 0)->toolTip().contains(QStringLiteral("&lt;img src=x&gt;")));
        QSignalSpy save(&view, &FilesView::saveWanted);
        table->selectRow(2);
        find<QPushButton>(view, "saveFile")->click();
        QCOMPARE(save.count(), 1);
        QCOMPARE(save.first().at(0).value<std::size_t>(), std::size_t(2));
        const QString suggested = save.first().at(1).toString();
        QVERIFY2(!suggested.contains(QLatin1Char('/')), qPrintable(suggested));
        QVERIFY(!suggested.startsWith(QLatin1Char('.')));
        for (const QLabel* label : view.findChildren<QLabel*>()) {
            if (!label->text().isEmpty())
                QCOMPARE(label->textFormat(), Qt::PlainText);
        }
    }

    void showsPicturesAndTexts()
    {
        FilesView view;
        view.resize(400, 600);
        view.show();
        view.setFiles(several(), true);
        auto* table = find<QTableWidget>(view, "filesTable");
        table->selectRow(0);
        view.setPreview(0, previewOf(FileKind::Png, pictureOf(3000, 1500, "png")));
        QVERIFY(!table->item(0, 0)->icon().isNull());
        auto* picture = find<QLabel>(view, "filePicture");
        QVERIFY(picture->isVisible());
        QVERIFY(picture->accessibleName().contains(QStringLiteral("plot.png")));
        // Not larger than its place, and in its shape.
        QVERIFY(picture->pixmap().width() <= view.width());
        QVERIFY(qAbs(picture->pixmap().width() - 2 * picture->pixmap().height()) <= 2);
        table->selectRow(1);
        view.setPreview(1, previewOf(FileKind::Text, "a <b>bold</b>\x1b[31m word"));
        auto* text = find<QPlainTextEdit>(view, "fileText");
        QVERIFY(text->isVisible());
        QVERIFY(text->toPlainText().startsWith(QStringLiteral("a <b>bold</b>")));
        QVERIFY(!text->toPlainText().contains(QChar(0x1b)));
        table->selectRow(0); // known already
        QVERIFY(picture->isVisible());
    }

    void decodesNothingThatIsNotWhatItSays()
    {
        const std::string png = pictureOf(20, 10, "png");
        QCOMPARE(previewOf(FileKind::Png, png).picture.size(), QSize(20, 10));
        QVERIFY(previewOf(FileKind::Gif, png).picture.isNull());
        QVERIFY(!previewOf(FileKind::Gif, png).problem.isEmpty());
        const auto cut = previewOf(FileKind::Png, png.substr(0, 20));
        QVERIFY(cut.picture.isNull() && !cut.problem.isEmpty());
        // An SVG may name files of this machine; it stays text.
        const std::string svg = "<svg><image href=\"file:///etc/passwd\"/></svg>";
        const auto drawing = previewOf(FileKind::Svg, svg);
        QVERIFY(drawing.picture.isNull());
        QCOMPARE(drawing.text, QString::fromStdString(svg));
        QVERIFY(!previewOf(FileKind::Other, std::string("\0\1\2", 3)).problem.isEmpty());
    }

    void decodesNothingThatIsTooLarge()
    {
        // The header of a PNG of 60,000 by 60,000 pixels: 14 GB.
        std::string bomb = pictureOf(1, 1, "png");
        const char side[] = {0, 0, static_cast<char>(0xea), 0x60};
        for (std::size_t at = 0; at < 4; ++at)
            bomb[16 + at] = bomb[20 + at] = side[at];
        const auto preview = previewOf(FileKind::Png, bomb);
        QVERIFY(preview.picture.isNull());
        QVERIFY(!preview.problem.isEmpty());
    }

    void cutsALongText()
    {
        const auto preview = previewOf(FileKind::Text, std::string(200'000, 'x'));
        QVERIFY(preview.isCut);
        QVERIFY(preview.text.size() < 70'000);
    }

    void allAreSavedWhereThereAreSeveral()
    {
        FilesView view;
        QSignalSpy all(&view, &FilesView::saveAllWanted);
        view.setFiles(several(), true);
        find<QPushButton>(view, "saveAllFiles")->click();
        QCOMPARE(all.count(), 1);
        RunFiles one;
        one.files = {kept("a.txt", FileKind::Text, 1)};
        one.counts[0] = 1;
        view.setFiles(one, true);
        QVERIFY(find<QPushButton>(view, "saveAllFiles")->isHidden());
    }
};

BELLJAR_GUI_TEST_MAIN(TestFilesView)
#include "tst_files_view.moc"
