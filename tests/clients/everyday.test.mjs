// SPDX-License-Identifier: GPL-3.0-or-later
// What people use it for, through a real client.

import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import { jobs } from '../lib/jobs.mjs';
import { Belljar } from './sdk.mjs';

describe('everyday programs', () => {
  let belljar;
  before(async () => { belljar = await Belljar.connect(); });
  after(() => belljar.end());

  for (const { name, language, code, prints } of jobs) {
    test(`${name} in ${language}`, async () => {
      const result = await belljar.execute(language, code);

      assert.equal(result.stdout, prints);
      assert.equal(result.stderr, '');
      assert.equal(result.exit_code, 0);
      assert.equal(result.success, true);
      assert.equal(result.status, 'succeeded');
    });
  }

  test('a plot is saved without a word on stderr', async () => {
    const result = await belljar.execute('python', `
import matplotlib.pyplot as plt, os
plt.plot(range(10), [x * x for x in range(10)], label="x²")
plt.legend()
plt.savefig("plot.png")
with open("plot.png", "rb") as file:
    print(file.read(8) == b"\\x89PNG\\r\\n\\x1a\\n", os.path.getsize("plot.png") > 5000)
`);

    assert.equal(result.stdout, 'True True\n');
    assert.equal(result.stderr, '');
    assert.equal(result.exit_code, 0);
  });

  test('numpy and pandas work on 100,000 rows', async () => {
    const result = await belljar.execute('python', `
import numpy as np, pandas as pd
rows = 100_000
frame = pd.DataFrame({"group": np.arange(rows) % 4, "value": np.arange(rows, dtype=float)})
print(len(frame), frame["value"].sum())
print(frame.groupby("group")["value"].mean().to_list())
print(float(np.linalg.norm(np.ones(10_000))))
`);

    assert.equal(result.stdout, '100000 4999950000.0\n[49998.0, 49999.0, 50000.0, 50001.0]\n100.0\n');
    assert.equal(result.stderr, '');
  });

  test('the result carries every published member', async () => {
    const result = await belljar.execute('python', 'x = bytearray(30_000_000)\nprint(len(x))');

    for (const name of ['success', 'stdout', 'stderr', 'exit_code', 'execution_time_ms', 'memory_used_mb', 'execution_id', 'status',
      'timed_out', 'oom_killed', 'output_truncated', 'cpu_time_ms', 'queue_ms', 'approval_ms', 'findings', 'files', 'error']) {
      assert.ok(name in result, `${name} is missing`);
    }
    assert.ok(result.memory_used_mb >= 28 && result.memory_used_mb < 512, `memory_used_mb is ${result.memory_used_mb}`);
    assert.ok(result.execution_time_ms > 0 && result.execution_time_ms < 5000, `execution_time_ms is ${result.execution_time_ms}`);
  });

  test('get_execution gives the same result again', async () => {
    const first = await belljar.execute('bash', 'echo once; echo twice >&2; exit 3');
    const again = await belljar.client.callTool({ name: 'get_execution', arguments: { execution_id: first.execution_id } });

    for (const name of ['status', 'exit_code', 'stdout', 'stderr', 'execution_id']) {
      assert.deepEqual(again.structuredContent[name], first[name], name);
    }
  });

  test('arguments and standard input reach the program', async () => {
    const result = await belljar.execute('python', 'import sys\nprint(sys.argv[1:], sys.stdin.read())', { args: ['a b', 'é"$HOME'], stdin: 'line 1\nзима' });

    assert.equal(result.stdout, "['a b', 'é\"$HOME'] line 1\nзима\n");
  });

  test('standard input is at its end when none is given', async () => {
    const results = await Promise.all([
      belljar.execute('python', 'import sys\nprint(repr(sys.stdin.read()))'),
      belljar.execute('javascript', 'console.log(JSON.stringify(require("fs").readFileSync(0, "utf8")))'),
      belljar.execute('bash', 'read -r line; echo "$? [$line]"'),
    ]);

    assert.deepEqual(results.map((result) => result.stdout), ["''\n", '""\n', '1 []\n']);
  });

  test('non-ASCII code and output come through whole', async () => {
    const text = 'naïve ✓ 测试 🙂 é עברית';
    const results = await Promise.all([
      belljar.execute('python', `größe = "${text}"\nprint(größe)`),
      belljar.execute('javascript', `const größe = "${text}";\nconsole.log(größe)`),
      belljar.execute('bash', `echo "${text}"`),
    ]);

    assert.deepEqual(results.map((result) => result.stdout), Array(3).fill(`${text}\n`));
  });
});
