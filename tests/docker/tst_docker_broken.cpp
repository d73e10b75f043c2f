// SPDX-License-Identifier: GPL-3.0-or-later
#include <QTest>
class TestDockerBroken : public QObject { Q_OBJECT };
QTEST_GUILESS_MAIN(TestDockerBroken)
#include "tst_docker_broken.moc"
