// SPDX-License-Identifier: GPL-3.0-or-later
// Renders the clients' screen in its states, light and dark, to PNG files that a person looks at:
// clients_shots FOLDER
#include "tests/ui/clients_fixture.h"
#include "tests/ui/shots_program.h"
#include "ui/shell/theme.h"

#include <QEventLoop>
#include <QLabel>
#include <QPushButton>
#include <QTableView>
#include <QTimer>

namespace {

using namespace belljar;

void wait(int ms)
{
    QEventLoop loop;
    QTimer::singleShot(ms, &loop, &QEventLoop::quit);
    loop.exec();
}

struct Shots : test::ClientsBench {
    QString folderName;
    QString scheme;

    void select(const char* title) const
    {
        auto* table = screen->findChild<QTableView*>(QStringLiteral("clientsTable"));
        for (int row = 0; row < table->model()->rowCount(); ++row) {
            if (table->model()->index(row, 0).data().toString().startsWith(QLatin1String(title)))
                table->selectRow(row);
        }
        wait(30);
    }
    void press(const char* name) const
    {
        screen->findChild<QPushButton*>(QLatin1String(name))->click();
        wait(150);
    }
    void shoot(const char* name) const
    {
        wait(50);
        const QString file =
            QStringLiteral("%1/clients-%2-%3.png").arg(folderName, QLatin1String(name), scheme);
        screen->grab().save(file);
    }

    void all()
    {
        put(cursor,
            "{\n  // mine\n  \"mcpServers\": {\n    \"github\": {\n      \"url\": "
            "\"https://example.org/mcp\"\n    }\n  }\n}\n");
        put(home / ".config/zed/settings.json",
            "{\n  \"theme\": \"One Dark\"\n  \"vim\": true\n}\n");
        put(home / ".kiro/settings/mcp.json",
            "{\"mcpServers\": {\"belljar\": {\"command\": \"/opt/old/belljar\"}}}\n");
        put(home / ".codex/config.toml",
            "model = \"o\"\n\n[mcp_servers.belljar]\ncommand = \"" + program.string() +
                "\"\nargs = [\"stdio\"]\n"
                "env_vars = [\"XDG_RUNTIME_DIR\", \"DBUS_SESSION_BUS_ADDRESS\", \"DOCKER_HOST\"]\n"
        );
        show();
        shoot("loading");
        wait(200);
        PoliciesChanged policies;
        policies.defaultPolicy = "balanced";
        policies.assignments.push_back({"codex-mcp-client", "", "strict"});
        screen->apply({policies});
        select("Cursor");
        shoot("not_set_up");
        press("clientConnect");
        shoot("diff");
        press("changeWrite");
        shoot("waiting");
        connectClient("cursor-vscode", "/usr/share/cursor/cursor");
        shoot("connected");
        connectClient("codex-mcp-client", "/usr/bin/codex");
        connectClient("codex-mcp-client", "/usr/bin/codex");
        const auto odd = connectClient("<b>evil</b> \u202egnp.exe", "/tmp/evil");
        screen->apply({BlockedClientsChanged{{{odd.name, odd.executable, 1}}}});
        select("Codex");
        shoot("two_connections");
        select("<b>evil");
        shoot("blocked");
        select("Zed");
        shoot("unreadable");
        select("Kiro");
        press("clientConnect");
        shoot("replaces_other");
        select("Windsurf");
        shoot("not_found");
        screen->resize(760, 900);
        select("Cursor");
        shoot("narrow");
        screen.reset();
    }
};

} // namespace

int main(int argc, char** argv)
{
    const test::ShotsProgram program(argc, argv);
    program.inBothSchemes(
        [&program](ui::Theme& /*theme*/, ui::Scheme scheme, const QString& /*prefix*/) {
            Shots shots;
            shots.folderName = program.folder();
            shots.scheme = QLatin1String(scheme == ui::Scheme::Dark ? "dark" : "light");
            shots.all();
        }
    );
    return 0;
}
