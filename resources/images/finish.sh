#!/bin/sh
# SPDX-License-Identifier: GPL-3.0-or-later
# Runs as root inside the image's root file system, as the last step of both ways to build it: takes out
# what code in a sandbox has no use for and what could be abused, then checks that it is out.
set -eu

# Package manager: lists, archives, logs and the stores of debconf. The list of packages itself stays, so
# that scanners know what is in the image.
rm -rf /var/lib/apt/lists/* /var/cache/apt/* /var/cache/debconf/* /var/log/* /var/cache/ldconfig/* \
    /var/lib/dpkg/*-old /var/backups/* /etc/apt/sources.list /etc/apt/sources.list.d/* \
    /usr/share/doc /usr/share/man /usr/share/info /usr/share/lintian /usr/share/doc-base \
    /usr/share/bug /usr/share/javascript /usr/share/pixmaps /usr/share/applications /usr/share/menu
find /usr/share/locale -mindepth 1 -maxdepth 1 ! -name locale.alias -exec rm -rf {} + 2>/dev/null || true
rm -rf /root/.[!.]* /tmp/* /tmp/.[!.]* /var/tmp/* /run/* 2>/dev/null || true

# Names that belong to the machine that built the image.
: > /etc/machine-id
rm -f /var/lib/dbus/machine-id /etc/hostname /etc/resolv.conf

# The sandbox has one account that matters, and nobody logs in to any.
if ! grep -q '^sandbox:' /etc/passwd; then
    echo 'sandbox:x:65532:65532:sandbox:/workspace:/usr/sbin/nologin' >> /etc/passwd
    echo 'sandbox:x:65532:' >> /etc/group
fi
sed -i -E 's#^(([^:]*:){6}).*#\1/usr/sbin/nologin#' /etc/passwd
sed -i -E 's#^([^:]*):[^:]*:#\1:!*:#' /etc/shadow 2>/dev/null || true

# Mount points of the sandbox, so that the read-only root has them.
mkdir -p /workspace /belljar
chown 65532:65532 /workspace
chmod 0755 /workspace /belljar

# Nothing set-uid or set-gid, nothing anyone may write outside the sandbox's own tmpfs mounts.
find / -xdev -type f -perm /6000 -exec chmod u-s,g-s {} +
find / -xdev -type d -perm /6000 -exec chmod u-s,g-s {} +
find / -xdev ! -type l ! -path '/proc/*' ! -path '/sys/*' ! -path '/dev/*' ! -path /tmp \
    -perm -0002 -exec chmod o-w {} +

left=$(find / -xdev ! -type l ! -path '/proc/*' ! -path '/sys/*' ! -path '/dev/*' ! -path /tmp \
    \( -perm /6000 -o -perm -0002 \) -print)
if [ -n "$left" ]; then
    echo "finish.sh: still set-uid, set-gid or writable for all:" >&2
    echo "$left" >&2
    exit 1
fi
