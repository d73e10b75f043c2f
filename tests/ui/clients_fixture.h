// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#ifndef Q_MOC_RUN // moc 6.4 stumbles over <concepts>
#include "engine/base/file.h"
#include "engine/events.h"
#include "tests/unit/private_folder.h"
#include "ui/clients/clients_screen.h"

#include <filesystem>
#include <memory>
#include <stdexcept>
#include <string>
#include <vector>
#endif

namespace belljar::test {

/// A home folder with clients in it, and the screen over it.
struct ClientsBench {
    PrivateFolder folder;
    std::filesystem::path home = folder.path() / "home";
    std::filesystem::path program = folder.path() / "bin/belljar";
    std::filesystem::path cursor = home / ".cursor/mcp.json";
    std::unique_ptr<ui::ClientsScreen> screen;

    ClientsBench() { put(program, "#!/bin/sh\n", 0755); }

    static void
    put(const std::filesystem::path& file, const std::string& text, unsigned mode = 0600)
    {
        std::filesystem::create_directories(file.parent_path());
        if (!writeFile(file, text, mode))
            throw std::runtime_error("can't write " + file.string());
    }
    static std::string get(const std::filesystem::path& file)
    {
        return readFile(file).value_or("(none)");
    }
    /// What the screen finds clients with.
    [[nodiscard]] ui::ClientsLoader::Open opener() const
    {
        clients::Configurations::Place place;
        place.home = home;
        place.environment = [](const std::string&) { return std::optional<std::string>(); };
        place.program = program;
        place.ledger = folder.path() / "ledger.json";
        return [place]() -> Result<clients::Configurations> {
            auto known = clients::loadKnownClients(BELLJAR_CLIENT_ROWS);
            if (!known)
                return fail(known.error());
            return clients::Configurations(std::move(*known), place);
        };
    }
    void show()
    {
        screen = std::make_unique<ui::ClientsScreen>(folder.path() / "history.db", opener());
        screen->resize(1240, 760);
        screen->show();
    }
    static execution::Client makeClient(const std::string& name, const std::string& executable)
    {
        execution::Client client;
        client.id = ClientId::make();
        client.name = name;
        client.version = "1.4.2";
        client.transport = "socket";
        client.protocolRevision = "2025-11-25";
        client.pid = 4711;
        client.executable = executable;
        client.connectedAt = execution::unixNow();
        return client;
    }
    execution::Client connectClient(const std::string& name, const std::string& executable) const
    {
        execution::Client client = makeClient(name, executable);
        screen->apply({ClientConnected{client}});
        return client;
    }
};

} // namespace belljar::test
