#!/bin/sh
# SPDX-License-Identifier: GPL-3.0-or-later
# The registry's Node.js image brings package managers; a sandbox has no network to use them.
set -eu
rm -rf /usr/local/lib/node_modules /usr/local/bin/npm /usr/local/bin/npx /usr/local/bin/corepack \
    /usr/local/bin/yarn /usr/local/bin/yarnpkg /opt/yarn-* /usr/local/include/node
