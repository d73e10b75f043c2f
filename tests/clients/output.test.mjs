// SPDX-License-Identifier: GPL-3.0-or-later
// What programs print: much of it, and bytes that are no text.

import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import { memoryOf } from '../lib/surroundings.mjs';
import { Belljar } from './sdk.mjs';

const MiB = 1024 * 1024;

describe('what programs print', () => {
  let belljar;
  before(async () => { belljar = await Belljar.connect(); });
  after(() => belljar.end());

  test('G4: a long output keeps its head and tail and tells how much there was', async () => {
    const { result, text, answer } = await belljar.timed('python',
      'for i in range(200_000):\n    print(i)\nimport sys\nprint("finished", file=sys.stderr)');

    assert.equal(result.exit_code, 0);
    assert.equal(result.stderr, 'finished\n');
    assert.equal(result.output_truncated, true);
    assert.ok(result.stdout.startsWith('0\n1\n2\n'), 'begins with the first lines');
    assert.ok(result.stdout.endsWith('199998\n199999\n'), 'ends with the last lines');
    assert.match(text, /1,?288,?890/);
    assert.match(JSON.stringify(result), /1,?288,?890/);
    assert.ok(JSON.stringify(answer).length < 1_500_000, 'the answer is bounded');
  });

  test('G5: a hundred megabytes leave the engine small and exact', async () => {
    await belljar.execute('python', 'print(1)');
    const engine = belljar.home.enginePid();
    assert.ok(engine, 'an engine runs');
    const before = memoryOf(engine, 'VmHWM');
    const { result, text } = await belljar.timed('python',
      'import sys\nchunk = "x" * 1_000_000\nfor _ in range(100):\n    sys.stdout.write(chunk)', { timeout: 60 });

    assert.equal(result.exit_code, 0);
    assert.equal(result.timed_out, false);
    assert.equal(result.output_truncated, true);
    assert.match(text, /100,?000,?000/);
    const grown = memoryOf(engine, 'VmHWM') - before;
    assert.ok(grown < 64 * MiB, `the engine grew by ${Math.round(grown / MiB)} MiB`);
    assert.equal(belljar.home.enginePid(), engine);
  });

  test('a flood of one-byte writes on both streams is bounded too', async () => {
    const { result } = await belljar.timed('python',
      'import os\nfor _ in range(100_000):\n    os.write(1, b"a")\n    os.write(2, b"b")', { timeout: 30 });

    assert.equal(result.exit_code, 0);
    assert.match(result.stdout, /^a+/);
    assert.match(result.stderr, /^b+/);
  });

  test('G6: characters that arrive byte by byte stay whole', async () => {
    const result = await belljar.execute('python', `
import sys, time
for b in "测试🙂é\\n".encode():
    sys.stdout.buffer.write(bytes([b])); sys.stdout.buffer.flush(); time.sleep(0.005)
print("naïve ✓", open("/tmp/отчёт №1.txt", "w").name)
`, { timeout: 10 });

    assert.equal(result.stdout, '测试🙂é\nnaïve ✓ /tmp/отчёт №1.txt\n');
  });

  test('G7: bytes that are no text become visible, text after NUL stays', async () => {
    const { result } = await belljar.timed('python',
      'import sys\nsys.stdout.buffer.write(b"ok\\xff\\xfe\\x00end\\n\\x1b[31mred\\x1b[0m\\x07\\n")', { timeout: 10 });

    assert.equal(result.stdout, 'ok\uFFFD\uFFFD\0end\n\x1b[31mred\x1b[0m\x07\n');
    assert.match(JSON.stringify(result), /"[^"]*(not_text|invalid|undecodable)[^"]*":\s*2\b|2 bytes/);
  });

  test('output without a newline at its end stays so', async () => {
    const result = await belljar.execute('bash', 'printf out; printf err >&2');

    assert.equal(result.stdout, 'out');
    assert.equal(result.stderr, 'err');
  });

  test('G9: quotes, backslashes, heredoc words, CRLF and a BOM come through', async () => {
    const code = "\ufeffprint('''a\r\n\"b\"''')\r\ns = r'\\n'\r\n" +
      "print(s, 'EOF', '$HOME `id` %s {x} ' + chr(92) + '0')\r\nif s:\r\n    print(\"\"\"ok\"\"\")\r\n";
    const python = await belljar.execute('python', code, { timeout: 10 });

    assert.equal(python.stdout, 'a\n"b"\n\\n EOF $HOME `id` %s {x} \\0\nok\n');
    assert.equal(python.stderr, '');

    const javascript = await belljar.execute('javascript', "// \"'` $HOME EOF `id` %s \\0 */\r\nconsole.log('EOF $HOME `id` %s {x} ' + String.fromCharCode(92) + '0')\r\n");
    assert.equal(javascript.stdout, 'EOF $HOME `id` %s {x} \\0\n');

    const bash = await belljar.execute('bash', "# \"'` $HOME\ncat <<'EOF'\n$HOME `id` %s {x} \\0 \"'\nEOF\n");
    assert.equal(bash.stdout, '$HOME `id` %s {x} \\0 "\'\n');
  });

  test('a traceback counts lines as the code was sent', async () => {
    const result = await belljar.execute('python', '\n\n# third line\nraise ValueError("here")\n');

    assert.match(result.stderr, /line 4\b/);
    assert.match(result.stderr, /ValueError: here/);
  });
});
