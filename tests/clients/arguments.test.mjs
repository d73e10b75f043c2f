// SPDX-License-Identifier: GPL-3.0-or-later
// What execute_code accepts and what it refuses, and that a refusal says what is allowed.

import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import { Belljar } from './sdk.mjs';

describe('arguments of execute_code', () => {
  let belljar;
  before(async () => { belljar = await Belljar.connect(); });
  after(() => belljar.end());

  const refusals = [
    ['empty code', { language: 'python', code: '' }, /code/],
    ['no code', { language: 'python' }, /code/],
    ['code that is a number', { language: 'python', code: 5 }, /code/],
    ['no language', { code: 'print(1)' }, /language/],
    ['an unknown language', { language: 'cobol', code: 'x' }, /bash.*javascript.*python/s],
    ['a language with a control character', { language: 'py\u0007thon', code: 'x' }, /language/],
    ['timeout 0', { language: 'python', code: 'print(1)', timeout: 0 }, /timeout/],
    ['timeout -1', { language: 'python', code: 'print(1)', timeout: -1 }, /timeout/],
    ['timeout that is text', { language: 'python', code: 'print(1)', timeout: 'abc' }, /timeout/],
    ['args that are a text', { language: 'python', code: 'print(1)', args: '-x' }, /args/],
    ['stdin that is a list', { language: 'python', code: 'print(1)', stdin: [] }, /stdin/],
  ];
  for (const [name, args, says] of refusals) {
    test(`${name} is refused with what is allowed`, async () => {
      const answer = await belljar.call(args);
      const text = answer.content.map((block) => block.text).join('\n');

      assert.equal(answer.isError, true);
      assert.match(text, says);
      assert.ok(text.length < 2000 && !/[\x00-\x08\x0b-\x1f\x7f]/.test(text), JSON.stringify(text));
    });
  }

  test('a timeout of null is the default', async () => {
    const { result } = await belljar.timed('python', 'print(1)', { timeout: null });

    assert.equal(result.stdout, '1\n');
  });

  test('a timeout of 10^9 is lowered to the maximum, and the result says so (R-71)', async () => {
    const result = await belljar.execute('python', 'print(1)', { timeout: 1e9 });

    assert.equal(result.stdout, '1\n');
    assert.match(result.notes.join(' '), /timeout was lowered .*5 min, the most that policy tests allows/);
  });

  test('a timeout may be a fraction', async () => {
    const { ms, result } = await belljar.timed('python', 'import time; time.sleep(20)', { timeout: 0.5 });

    assert.equal(result.timed_out, true);
    assert.ok(ms < 3500, `answered after ${ms} ms`);
  });

  test('languages go by their other names, whatever the case', async () => {
    const results = await Promise.all([belljar.execute('Python3', 'print(1)'), belljar.execute('js', 'console.log(1)'), belljar.execute('JavaScript', 'console.log(1)')]);

    assert.deepEqual(results.map((result) => result.stdout), ['1\n', '1\n', '1\n']);
  });

  for (const bytes of [131_000, 131_200, 2_000_000]) {
    test(`G8: ${bytes} bytes of code run`, async () => {
      const frame = "x = ''\nprint(len(x))\n";
      const length = bytes - frame.length;
      const result = await belljar.execute('python', `x = '${'a'.repeat(length)}'\nprint(len(x))\n`);

      assert.equal(result.stdout, `${length}\n`);
      assert.equal(result.exit_code, 0);
    });
  }

  test('code over the limit is refused with the limit and the size', async () => {
    const answer = await belljar.call({ language: 'python', code: '#'.repeat(12_000_000) }).catch((error) => error);
    const text = answer instanceof Error ? answer.message : answer.content[0].text;

    assert.ok(answer instanceof Error || answer.isError);
    assert.match(text, /12,?000,?\d{3}|larger|too long|at most/i);
    assert.equal((await belljar.execute('python', 'print("still here")')).stdout, 'still here\n');
  });

  test('an unknown execution id is an error that names it', async () => {
    const answer = await belljar.client.callTool({ name: 'get_execution', arguments: { execution_id: 'ex_none' } });

    assert.equal(answer.isError, true);
    assert.match(answer.content[0].text, /ex_none|execution_id/);
  });
});
