// SPDX-License-Identifier: GPL-3.0-or-later
// What has to be seen to be used is seen in both schemes (WCAG 2.2, 1.4.11: 3:1).
#include "tests/support/gui_test.h"
#include "ui/shell/style.h"
#include "ui/shell/theme.h"

#include <QCheckBox>
#include <QImage>
#include <QListWidget>
#include <QPainter>
#include <QPushButton>
#include <QRadioButton>
#include <QStyleOption>
#include <QTest>

#include <algorithm>

using namespace belljar::ui;

namespace {

constexpr int kSide = 40; // pixels
constexpr double kShapeContrast = 3;

QImage draw(QStyle::PrimitiveElement element, QStyle::State state, const QColor& around)
{
    QImage image(kSide, kSide, QImage::Format_RGB32);
    image.fill(around);
    QStyleOptionButton button;
    QStyleOptionFocusRect focus;
    QStyleOption& option = element == QStyle::PE_FrameFocusRect
                               ? static_cast<QStyleOption&>(focus)
                               : static_cast<QStyleOption&>(button);
    option.rect = QRect(10, 10, 16, 16);
    option.state = state;
    option.palette = QApplication::palette();
    QPainter painter(&image);
    QApplication::style()->drawPrimitive(element, &option, &painter);
    return image;
}

/// The best contrast that a pixel of `image` has to `around`.
double bestContrast(const QImage& image, const QColor& around)
{
    double best = 1;
    for (int y = 0; y < image.height(); ++y) {
        for (int x = 0; x < image.width(); ++x)
            best = std::max(best, contrast(image.pixelColor(x, y), around));
    }
    return best;
}

} // namespace

class TestStyle : public QObject {
    Q_OBJECT

private slots:
    void initTestCase() { QApplication::setStyle(new Style); }

    void indicatorsAreSeen_data()
    {
        QTest::addColumn<int>("element");
        QTest::addColumn<bool>("dark");
        QTest::addColumn<int>("state");
        struct Row {
            const char* name;
            QStyle::PrimitiveElement element;
        };
        for (const Row& row :
             {Row{"check box", QStyle::PE_IndicatorCheckBox},
              Row{"radio button", QStyle::PE_IndicatorRadioButton},
              Row{"check box of an item", QStyle::PE_IndicatorItemViewItemCheck}}) {
            for (const bool dark : {false, true}) {
                for (const auto state :
                     {QStyle::State_Off, QStyle::State_On, QStyle::State_NoChange})
                    QTest::addRow("%s %s %x", row.name, dark ? "dark" : "light", state)
                        << static_cast<int>(row.element) << dark << static_cast<int>(state);
            }
        }
    }
    void indicatorsAreSeen()
    {
        QFETCH(int, element);
        QFETCH(bool, dark);
        QFETCH(int, state);
        Theme theme;
        theme.apply(dark ? Scheme::Dark : Scheme::Light);
        const auto primitive = static_cast<QStyle::PrimitiveElement>(element);
        const QPalette::ColorRole behind =
            primitive == QStyle::PE_IndicatorItemViewItemCheck ? QPalette::Base : QPalette::Window;
        const QColor around = QApplication::palette().color(behind);
        for (const QStyle::State enabled :
             {QStyle::State(QStyle::State_Enabled), QStyle::State()}) {
            const QImage image = draw(primitive, enabled | QStyle::State(QFlag(state)), around);
            QVERIFY(bestContrast(image, around) >= kShapeContrast);
        }
    }

    void onAndOffLookDifferent()
    {
        for (const auto element : {QStyle::PE_IndicatorCheckBox, QStyle::PE_IndicatorRadioButton}) {
            const QImage off = draw(element, QStyle::State_Enabled | QStyle::State_Off, Qt::white);
            const QImage on = draw(element, QStyle::State_Enabled | QStyle::State_On, Qt::white);
            const QImage partly =
                draw(element, QStyle::State_Enabled | QStyle::State_NoChange, Qt::white);
            QVERIFY(off != on);
            QVERIFY(on != partly);
            QVERIFY(off != partly);
        }
    }

    void theFocusIsSeen()
    {
        Theme theme;
        for (const Scheme scheme : {Scheme::Light, Scheme::Dark}) {
            theme.apply(scheme);
            const QPalette palette = QApplication::palette();
            const QStyle::State keys = QStyle::State_Enabled | QStyle::State_KeyboardFocusChange;
            const QColor window = palette.color(QPalette::Window);
            const QColor chosen = palette.color(QPalette::Highlight);
            QVERIFY(
                bestContrast(draw(QStyle::PE_FrameFocusRect, keys, window), window) >=
                kShapeContrast
            );
            QVERIFY(
                bestContrast(
                    draw(QStyle::PE_FrameFocusRect, keys | QStyle::State_Selected, chosen), chosen
                ) >= kShapeContrast
            );
            // With the mouse there is nothing to point out.
            QCOMPARE(
                bestContrast(
                    draw(QStyle::PE_FrameFocusRect, QStyle::State_Enabled, window), window
                ),
                1.0
            );
        }
    }

    void aButtonWithTheFocusIsSeen()
    {
        Theme theme;
        for (const Scheme scheme : {Scheme::Light, Scheme::Dark}) {
            theme.apply(scheme);
            QStyleOptionButton option;
            option.rect = QRect(4, 4, 80, 26);
            option.palette = QApplication::palette();
            option.state = QStyle::State_Enabled | QStyle::State_Raised;
            const auto render = [&option] {
                QImage image(90, 34, QImage::Format_RGB32);
                image.fill(option.palette.color(QPalette::Window));
                QPainter painter(&image);
                QApplication::style()->drawControl(QStyle::CE_PushButton, &option, &painter);
                return image;
            };
            const QImage without = render();
            option.state |= QStyle::State_HasFocus | QStyle::State_KeyboardFocusChange;
            const QImage with = render();
            double most = 1;
            for (int y = 0; y < with.height(); ++y) {
                for (int x = 0; x < with.width(); ++x)
                    most =
                        std::max(most, contrast(with.pixelColor(x, y), without.pixelColor(x, y)));
            }
            QVERIFY2(most >= kShapeContrast, qPrintable(QString::number(most)));
        }
    }
};

BELLJAR_GUI_TEST_MAIN(TestStyle)
#include "tst_style.moc"
