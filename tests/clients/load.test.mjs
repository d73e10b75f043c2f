// SPDX-License-Identifier: GPL-3.0-or-later
// Many runs: none is lost, none gets another's result, nothing is left.

import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import { Belljar } from './sdk.mjs';

describe('many runs', () => {
  let belljar;
  before(async () => { belljar = await Belljar.connect(); });
  after(() => belljar.end());

  test('G14: three at once answer A, B and C, in files of their own', async () => {
    const program = (word) => `import os, time\nassert not os.listdir("/tmp")\nopen("/tmp/${word}", "w").close()\ntime.sleep(0.4)\nprint("${word}", os.listdir("/tmp"))`;
    const results = await Promise.all(['A', 'B', 'C'].map((word) => belljar.execute('python', program(word))));

    assert.deepEqual(results.map((result) => result.stdout), ["A ['A']\n", "B ['B']\n", "C ['C']\n"]);
  });

  test('200 one after another', async () => {
    const ids = new Set();
    for (let i = 0; i < 200; i++) {
      const result = await belljar.execute('python', `print(${i} * 7)`);
      assert.equal(result.stdout, `${i * 7}\n`);
      assert.equal(result.exit_code, 0);
      ids.add(result.execution_id);
    }
    assert.equal(ids.size, 200);
    const [{ rows }] = await belljar.home.history(`SELECT count(*) AS rows FROM executions WHERE id IN (${[...ids].map((id) => `'${id}'`)})`);
    assert.equal(rows, 200);
  });

  test('32 at once', async () => {
    const languages = ['python', 'javascript', 'bash'];
    const codes = { python: (i) => `print(${i} + 1000)`, javascript: (i) => `console.log(${i} + 1000)`, bash: (i) => `echo $((${i} + 1000))` };
    const results = await Promise.all(Array.from({ length: 32 }, (_, i) => belljar.execute(languages[i % 3], codes[languages[i % 3]](i))));

    assert.deepEqual(results.map((result) => result.stdout), results.map((_, i) => `${i + 1000}\n`));
    assert.equal(new Set(results.map((result) => result.execution_id)).size, 32);
  });

  test('a run that is killed does not touch the one beside it', async () => {
    const [calm, bomb] = await Promise.all([
      belljar.execute('python', 'import time; time.sleep(2); print("calm")'),
      belljar.execute('python', 'x = bytearray(2 * 1024**3)'),
    ]);

    assert.equal(calm.stdout, 'calm\n');
    assert.equal(bomb.oom_killed, true);
  });

  test('no container is left but the warm ones', async () => {
    const left = await belljar.home.containers();

    assert.ok(left.length <= 3 + 3, `${left.length} containers`); // one warm a language, and its successor on the way
  });
});
