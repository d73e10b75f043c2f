// SPDX-License-Identifier: GPL-3.0-or-later
// What the other tests trust in: a stall is noticed, work in pieces and waiting are none.
#include "tests/support/gui_test.h"

#include <QDialog>
#include <QTimer>

using belljar::test::StallDetector;
using belljar::test::usedProcessorTime_ms;

namespace {

void work(double length_ms)
{
    const double until = usedProcessorTime_ms() + length_ms;
    while (usedProcessorTime_ms() < until) {
    }
}

} // namespace

class TestStallDetector : public QObject {
    Q_OBJECT

private:
    static belljar::test::WatchedApplication& app()
    {
        return *dynamic_cast<belljar::test::WatchedApplication*>(QCoreApplication::instance());
    }

private slots:
    void init() { app().forget(); }

    void noticesOneLongEvent()
    {
        StallDetector stalls;
        QTimer::singleShot(5, this, [] { work(40); });
        QTest::qWait(200);
        QVERIFY(stalls.longest_ms() >= 40);
        QVERIFY(app().longest().length_ms >= 40);
    }

    void lettingTheLoopRunIsNoStall()
    {
        StallDetector stalls;
        for (int at = 0; at < 20; ++at)
            QTimer::singleShot(5 + at * 5, this, [] { work(2); });
        QTest::qWait(300);
        QVERIFY(stalls.longest_ms() < 30);
        QVERIFY(app().longest().length_ms < 30);
    }

    void aDialogIsNoStallButWhatIsDoneInItIs()
    {
        const auto inDialog = [this](double length_ms) {
            QTimer::singleShot(0, this, [this, length_ms] {
                QDialog dialog;
                for (int at = 0; at < 10; ++at)
                    QTimer::singleShot(5 + at * 5, this, [length_ms] { work(length_ms); });
                QTimer::singleShot(150, &dialog, &QDialog::accept);
                dialog.exec();
            });
            QTest::qWait(400);
        };
        inDialog(4);
        QVERIFY2(app().longest().length_ms < 30, app().longest().receiver);
        inDialog(35);
        QVERIFY(app().longest().length_ms >= 35);
    }
};

int main(int argc, char** argv)
{
    return belljar::test::runGuiTest<TestStallDetector>(argc, argv, 1000);
}
#include "tst_stall_detector.moc"
