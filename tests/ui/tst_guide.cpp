// SPDX-License-Identifier: GPL-3.0-or-later
#include <QLabel>
#include <QPlainTextEdit>
#include <QPushButton>
#include <QSignalSpy>
#include <QTest>

#ifndef Q_MOC_RUN // moc 6.4 stumbles over <concepts>
#include "tests/support/gui_test.h"
#include "tests/ui/sample_sandboxes.h"
#include "ui/guide/guide.h"

using namespace belljar;
using namespace belljar::ui;

namespace {

const std::string kHostile = "<img src=x onerror=alert(1)><b>bold</b>\x1b[31m\u202e\n</style>";

DockerChanged docker(DockerState state)
{
    DockerStatus status;
    status.state = state;
    status.endpoint = "/var/run/docker.sock";
    status.version = "20.10.24";
    status.message = "Docker is not running";
    status.advice = "start it: sudo systemctl start docker";
    return {status};
}

ImagesChanged images(const std::string& language, bool present)
{
    ImageStatus image;
    image.language = language;
    image.title = "Python";
    image.present = present;
    image.description = "Python 3 with numpy";
    image.bytes = 396'000'000;
    return {{image}};
}

} // namespace
#endif

class TestGuide : public QObject {
    Q_OBJECT

private:
    void make()
    {
        m_commands.clear();
        m_guide = std::make_unique<Guide>(Situation{});
        connect(m_guide.get(), &Guide::commandWanted, this, [this](const Command& command) {
            m_commands.push_back(command);
        });
        m_guide->resize(900, 700);
        m_guide->show();
    }
    [[nodiscard]] const Step& step(StepName name) const
    {
        return m_guide->steps().at(static_cast<std::size_t>(name));
    }
    QPushButton* button(const char* name)
    {
        return m_guide->findChild<QPushButton*>(QLatin1String(name));
    }

    std::unique_ptr<Guide> m_guide;
    std::vector<Command> m_commands;

private slots:
    void init() { make(); }
    void cleanup() { m_guide.reset(); }

    void beginsByLookingForDocker()
    {
        QCOMPARE(step(StepName::Docker).state, StepState::Working);
        QCOMPARE(step(StepName::Image).state, StepState::Blocked);
        QCOMPARE(step(StepName::Client).state, StepState::ToDo);
        QCOMPARE(step(StepName::Example).state, StepState::Blocked);
        QVERIFY(button("exampleButton")->isHidden());
        QVERIFY(!button("guideClient")->isHidden()); // needs no Docker
    }

    void tellsWhatToDoAboutDocker()
    {
        m_guide->apply({docker(DockerState::Unreachable)});
        QCOMPARE(step(StepName::Docker).state, StepState::Problem);
        QVERIFY(step(StepName::Docker).text.contains(QStringLiteral("systemctl start docker")));
        button("guideDocker")->click();
        QVERIFY(m_commands.size() == 1 && std::get_if<RetryDocker>(&m_commands.front()));
        m_guide->apply({docker(DockerState::Ready)});
        QCOMPARE(step(StepName::Docker).state, StepState::Done);
        QVERIFY(button("guideDocker")->isHidden());
    }

    void buildsTheImageAndShowsHow()
    {
        auto* log = m_guide->findChild<QPlainTextEdit*>(QStringLiteral("guideLog"));
        m_guide->apply({docker(DockerState::Ready), images("python", false)});
        QCOMPARE(step(StepName::Image).state, StepState::ToDo);
        QVERIFY(!log->isVisible());
        button("guideImage")->click();
        const auto* build =
            m_commands.empty() ? nullptr : std::get_if<BuildImage>(&m_commands.front());
        QVERIFY(build && build->language == "python");
        QCOMPARE(step(StepName::Image).state, StepState::Working);
        m_guide->apply({ImageBuildProgress{"bash", "other"}, ImageBuildProgress{"python", kHostile}}
        );
        QVERIFY(log->isVisible());
        QVERIFY(log->toPlainText().startsWith(QStringLiteral("<img src=x")));
        QVERIFY(!log->toPlainText().contains(QStringLiteral("other")));
        QVERIFY(!log->toPlainText().contains(QChar(0x202e)));

        m_guide->apply({ImageBuildEnded{"python", Error(Errc::IoFailed, "no space left")}});
        QCOMPARE(step(StepName::Image).state, StepState::Problem);
        QVERIFY(step(StepName::Image).text.contains(QStringLiteral("no space left")));
        QVERIFY(log->isVisible()); // it says why
        button("guideImage")->click();
        m_guide->apply({ImageBuildEnded{"python", {}}, images("python", true)});
        QCOMPARE(step(StepName::Image).state, StepState::Done);
        QVERIFY(!log->isVisible());
    }

    void runsTheExampleOnceItCan()
    {
        QSignalSpy wanted(m_guide.get(), &Guide::exampleWanted);
        m_guide->apply({docker(DockerState::Ready), images("bash", true)});
        QCOMPARE(step(StepName::Example).state, StepState::Blocked);
        m_guide->apply({images("python", true)});
        QCOMPARE(step(StepName::Example).state, StepState::ToDo);
        button("exampleButton")->click();
        QCOMPARE(wanted.count(), 1);
        m_guide->apply({docker(DockerState::Unreachable)});
        QCOMPARE(step(StepName::Example).state, StepState::Blocked);
    }

    void anImageOfOnesOwnWillDo()
    {
        ImagesChanged changed = images("python", false);
        changed.images.front().chosen = ChosenImage{};
        m_guide->apply({docker(DockerState::Ready), changed});
        QCOMPARE(step(StepName::Image).state, StepState::Done);
        QCOMPARE(step(StepName::Example).state, StepState::ToDo);
    }

    void aClientIsThere()
    {
        QSignalSpy wanted(m_guide.get(), &Guide::clientsWanted);
        execution::Client client;
        client.id = ClientId("cl_1");
        client.name = kHostile;
        m_guide->apply({ClientConnected{client}});
        QCOMPARE(step(StepName::Client).state, StepState::Done);
        QVERIFY(step(StepName::Client).text.contains(QStringLiteral("<b>bold</b>")));
        for (const QLabel* label : m_guide->findChildren<QLabel*>())
            QCOMPARE(label->textFormat(), label->pixmap().isNull() ? Qt::PlainText : Qt::AutoText);
        button("guideClient")->click();
        QCOMPARE(wanted.count(), 1);
        m_guide->apply({ClientDisconnected{client.id}});
        QCOMPARE(step(StepName::Client).state, StepState::ToDo);
    }

    void statesAreWordsToo()
    {
        m_guide->apply({docker(DockerState::Ready)});
        QStringList texts;
        for (const QLabel* label : m_guide->findChildren<QLabel*>())
            texts << label->text();
        QVERIFY(texts.contains(QStringLiteral("1. Docker: done")));
        QVERIFY(texts.contains(QStringLiteral("4. A program: later")));
    }
};

BELLJAR_GUI_TEST_MAIN(TestGuide)
#include "tst_guide.moc"
