// SPDX-License-Identifier: GPL-3.0-or-later
// How programs end: by themselves, by a signal, by a limit. The cases are those of ../shared/cases.

import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import { processesWith } from '../lib/surroundings.mjs';
import { Belljar } from './sdk.mjs';

describe('how programs end', () => {
  let belljar;
  before(async () => { belljar = await Belljar.connect(); });
  after(() => belljar.end());

  const endings = [
    ['python', 'pass', 0], ['python', 'raise SystemExit(1)', 1], ['python', 'import sys; sys.exit(3)', 3],
    ['python', '1 / 0', 1, /ZeroDivisionError/], ['python', 'def f(:', 1, /SyntaxError/],
    ['javascript', 'process.exit(3)', 3], ['javascript', 'throw new Error("boom")', 1, /boom/],
    ['bash', 'true', 0], ['bash', 'exit 3', 3], ['bash', 'no_such_program', 127, /no_such_program/],
    ['python', 'import os, signal; os.kill(os.getpid(), signal.SIGSEGV)', 139],
    ['python', 'import os, signal; os.kill(os.getpid(), signal.SIGKILL)', 137],
    ['bash', 'kill -TERM $$', 143],
  ];
  for (const [language, code, exitCode, stderr = /^/] of endings) {
    test(`${language}: ${code.slice(0, 50)} ends with ${exitCode}`, async () => {
      const { result, isError } = await belljar.timed(language, code);

      assert.equal(result.exit_code, exitCode);
      assert.equal(result.success, exitCode === 0);
      assert.equal(result.status, exitCode === 0 ? 'succeeded' : 'failed');
      assert.match(result.stderr, stderr);
      assert.equal(isError, false, 'a failing program is a normal result');
    });
  }

  test('G1: children that hold the output open do not hold the answer back', async () => {
    const { ms, result, text } = await belljar.timed('python', `
import subprocess
subprocess.Popen(["sleep", "300.125"])
subprocess.Popen(["sleep", "300.125"], stdout=subprocess.DEVNULL, start_new_session=True)
print("done")
`);

    assert.equal(result.stdout, 'done\n');
    assert.equal(result.exit_code, 0);
    assert.ok(result.execution_time_ms < 2000, `ran ${result.execution_time_ms} ms`);
    assert.ok(ms < 4000, `answered after ${ms} ms`);
    assert.match(text, /2 processes|two processes/i);
    assert.deepEqual(processesWith('300.125'), []);
  });

  test('G2: output before the time-out is kept', async () => {
    const { ms, result, text } = await belljar.timed('python',
      'import time, sys\nprint("step 1", flush=True)\nprint("step 2")\nprint("warn", file=sys.stderr)\ntime.sleep(60)', { timeout: 2 });

    assert.equal(result.stdout, 'step 1\nstep 2\n');
    assert.equal(result.stderr, 'warn\n');
    assert.equal(result.timed_out, true);
    assert.equal(result.status, 'timed_out');
    assert.equal(result.success, false);
    assert.match(text, /timed.out|time limit/i);
    assert.match(text, /2 s/);
    assert.ok(ms >= 2000 && ms < 3900, `answered after ${ms} ms`);
  });

  test('a 30 s loop ends at its time-out of 2 s', async () => {
    const { ms, result } = await belljar.timed('javascript',
      'const end = Date.now() + 30000; let n = 0; console.log("begun"); while (Date.now() < end) n++; console.log("end")', { timeout: 2 });

    assert.equal(result.timed_out, true);
    assert.equal(result.stdout, 'begun\n');
    assert.ok(ms < 4500, `answered after ${ms} ms`);
  });

  test('G3: a program and its child that ignore SIGTERM are ended', async () => {
    const { ms, result } = await belljar.timed('python', `
import os, signal, time
signal.signal(signal.SIGTERM, signal.SIG_IGN)
if os.fork() == 0:
    signal.signal(signal.SIGTERM, signal.SIG_IGN)
    os.setsid()
while True:
    time.sleep(1)
`, { timeout: 2 });

    assert.equal(result.timed_out, true);
    assert.ok(ms < 4500, `answered after ${ms} ms`);
  });

  test('G13: a memory bomb is named, with the limit', async () => {
    const { result, text } = await belljar.timed('python', 'x = bytearray(2 * 1024**3)', { timeout: 20 });

    assert.equal(result.oom_killed, true);
    assert.equal(result.status, 'out_of_memory');
    assert.equal(result.exit_code, 137);
    assert.match(text, /512 MB/);
  });

  test('G13: a child killed for memory is told although the program succeeded', async () => {
    const { result, text } = await belljar.timed('python',
      'import subprocess, sys\nr = subprocess.run([sys.executable, "-c", "bytearray(2 * 1024**3)"])\nprint("child", r.returncode)', { timeout: 20 });

    assert.equal(result.stdout, 'child -9\n');
    assert.equal(result.exit_code, 0);
    assert.equal(result.success, true);
    assert.equal(result.oom_killed, true);
    assert.match(text, /memory limit/i);
  });

  test('a fork bomb ends and the next program runs', async () => {
    const bomb = await belljar.timed('python', 'import os\nwhile True:\n    try:\n        os.fork()\n    except OSError:\n        pass', { timeout: 3 });
    const next = await belljar.execute('python', 'print(6 * 7)');

    assert.equal(bomb.result.timed_out, true);
    assert.ok(bomb.ms < 9000, `answered after ${bomb.ms} ms`);
    assert.equal(next.stdout, '42\n');
  });
});
