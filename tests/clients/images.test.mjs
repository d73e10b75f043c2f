// SPDX-License-Identifier: GPL-3.0-or-later
// The sandbox images as they were built: nothing in them to abuse, and belljar knows them.

import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { describe, test } from 'node:test';
import { belljar, Home, output } from '../lib/surroundings.mjs';

const inImage = (image, script) => execFileSync('docker',
  ['run', '--rm', '--network', 'none', '--read-only', '--tmpfs', '/tmp', image, 'sh', '-c', script], { encoding: 'utf8' });
const everything = "find / -xdev -not -path '/proc/*' -not -path '/sys/*' -not -path '/dev/*'";

for (const language of ['python', 'javascript', 'bash']) {
  describe(`image belljar/${language}`, () => {
    const image = `belljar/${language}`;

    test('has no set-uid or set-gid file', () => assert.equal(inImage(image, `${everything} -perm /6000`), ''));

    test('has nothing that everyone may write', () => {
      assert.equal(inImage(image, `${everything} ! -type l -perm -0002 ! -path /tmp`), '');
    });

    test('has no login shell, no caches of a package manager and no trace of who built it', () => {
      assert.equal(inImage(image, "grep -v ':/usr/sbin/nologin$' /etc/passwd"+ ' || true'), '');
      assert.equal(inImage(image, 'ls -A /var/lib/apt/lists /var/cache/apt /root /home 2>/dev/null | grep -v : || true').trim(), '');
      assert.equal(inImage(image, 'cat /etc/machine-id'), '');
    });

    test('is of a sane size', () => {
      const bytes = Number(execFileSync('docker', ['image', 'inspect', '--format', '{{.Size}}', image], { encoding: 'utf8' }));
      assert.ok(bytes < 450e6, `${bytes} bytes`);
    });
  });
}

describe('belljar images', () => {
  test('lists all of them with their digests', async () => {
    const home = new Home();
    const { code, stdout } = await output(belljar, ['images', 'list'], { env: home.environment() });

    assert.equal(code, 0);
    for (const language of ['python', 'javascript', 'bash']) assert.match(stdout, new RegExp(`belljar/${language} .*sha256:[0-9a-f]+`));
    await home.remove();
  });

  test('builds nothing again that is up to date', async () => {
    const home = new Home();
    const started = performance.now();
    const { code, stdout, stderr } = await output(belljar, ['images', 'build'], { env: home.environment() });

    assert.equal(code, 0);
    assert.equal((stdout + stderr).match(/up to date/g).length, 3);
    assert.ok(performance.now() - started < 10_000);
    await home.remove();
  });

  test('a language without a recipe is refused with those there are', async () => {
    const home = new Home();
    const { code, stderr } = await output(belljar, ['images', 'build', 'cobol'], { env: home.environment() });

    assert.notEqual(code, 0);
    assert.match(stderr, /cobol.*bash javascript python|bash.*javascript.*python/s);
    await home.remove();
  });
});
