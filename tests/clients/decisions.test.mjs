// SPDX-License-Identifier: GPL-3.0-or-later
// Policy, analysis, elicitation and audit as a client meets them, without a window.

import assert from 'node:assert/strict';
import { execFileSync, spawnSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import fs from 'node:fs';
import path from 'node:path';
import { after, describe, test } from 'node:test';
import { belljar as program, eventually, Home } from '../lib/surroundings.mjs';
import { Belljar } from './sdk.mjs';

const risky = 'import os\nos.system("echo reached")\n';
const sha256 = (text) => createHash('sha256').update(text).digest('hex');

async function session(policy, elicit) {
  const home = new Home({ policy });
  return Belljar.connect({ home, elicit });
}

describe('under the shipped policies', () => {
  const sessions = [];
  const open = async (...args) => { const one = await session(...args); sessions.push(one); return one; };
  after(async () => { for (const one of sessions) await one.end(); });

  test('balanced runs what is harmless and says what decided', async () => {
    const belljar = await open('balanced');
    const result = await belljar.execute('python', 'import statistics\nprint(statistics.mean([1, 2]))');

    assert.equal(result.stdout, '1.5\n');
    assert.deepEqual(result.findings, []);
    assert.equal(result.decision.policy, 'balanced');
    assert.equal(result.decision.verdict, 'allow');
    assert.equal(result.decision.by, 'policy');
  });

  test('a client that can ask is asked, and its yes runs exactly that code', async () => {
    const asked = [];
    const belljar = await open('balanced', (params) => { asked.push(params); return { action: 'accept', content: { comment: 'go on' } }; });
    const result = await belljar.execute('python', risky);

    assert.equal(result.stdout, 'reached\n');
    assert.equal(result.decision.verdict, 'ask');
    assert.equal(result.decision.by, 'client');
    assert.equal(result.findings[0].rule, 'python.process');
    assert.equal(asked.length, 1);
    assert.match(asked[0].message, /os\.system\("echo reached"\)/);
    assert.match(asked[0].message, new RegExp(sha256(risky)));
    const rows = await belljar.home.history("SELECT type, detail FROM audit WHERE type IN ('approval_answered', 'execution_started')");
    for (const { detail } of rows) assert.equal(JSON.parse(detail).code_sha256, sha256(risky), 'what was approved is what ran');
    assert.equal(rows.length, 2);
  });

  test('no, closing the question and an odd answer all reject', async () => {
    const answers = [{ action: 'decline' }, { action: 'cancel' }];
    const belljar = await open('balanced', () => answers.shift());
    for (const words of [/declined/, /closed/]) {
      const { result, isError, text } = await belljar.timed('python', risky + `# ${words}\n`);
      assert.equal(result.status, 'rejected');
      assert.equal(isError, false, 'a rejection is a result');
      assert.equal(result.stdout, '');
      assert.match(text, words);
      assert.match(text, /Nothing was run\. Rule: serious finding \(policy balanced\)/);
    }
  });

  test('a client that can not ask is told why nothing ran', async () => {
    const belljar = await open('balanced');
    const { result, text } = await belljar.timed('python', risky);

    assert.equal(result.status, 'rejected');
    assert.equal(result.decision.rule, 'serious finding');
    assert.match(text, /no Belljar window is open, and this client can't ask/);
    assert.match(text, /high python\.process, line 2/);
    assert.equal((await belljar.home.history("SELECT * FROM executions WHERE started_at IS NOT NULL")).length, 0);
  });

  test('strict refuses what the issue names, asks for imports that are not listed, and says what it allows', async () => {
    const belljar = await open('strict');
    const refused = await belljar.timed('python', 'print(eval("1"))');
    assert.equal(refused.result.status, 'rejected');
    assert.equal(refused.result.decision.verdict, 'deny');
    assert.equal(refused.result.decision.rule, 'blocked calls');
    assert.match(refused.text, /What would be allowed: policy strict runs/);
    const asked = await belljar.timed('python', 'import requests');
    assert.equal(asked.result.decision.verdict, 'ask');
    assert.equal(asked.result.decision.rule, 'import not listed');
    const tooLong = await belljar.timed('python', 'print(1)', { timeout: 3600 });
    assert.match(tooLong.text, /timeout of 1 h is more than the 60 s that policy strict allows/);
    assert.equal((await belljar.execute('python', 'import math\nprint(math.pi)')).success, true);
  });

  test('what breaks the parser is asked about, and the engine goes on', async () => {
    const belljar = await open('balanced');
    const { result } = await belljar.timed('python', '('.repeat(100_000));
    assert.equal(result.status, 'rejected');
    assert.equal((await belljar.execute('python', 'print(1)')).stdout, '1\n');
  });

  test('a policy that is loosened on disk does not take effect, one that is tightened does', async () => {
    const belljar = await open('balanced');
    const file = path.join(belljar.home.folder, 'config/belljar/policies/balanced.json');
    const policy = JSON.parse(fs.readFileSync(file, 'utf8'));
    belljar.home.writePolicy('balanced', { ...policy, approval: { ...policy.approval, rules: [] } });
    await eventually('the change is noticed', async () =>
      (await belljar.home.history("SELECT * FROM audit WHERE type = 'policy_refused'")).length > 0);
    assert.equal((await belljar.execute('python', risky)).status, 'rejected');
    belljar.home.writePolicy('balanced', { ...policy, languages: { allow: ['bash'] } });
    await eventually('the change is in force', async () => (await belljar.execute('python', 'print(1)')).status === 'rejected');
  });
});

describe('the audit log', () => {
  test('holds every step of a run, verifies, and tells when it was changed', async () => {
    const belljar = await session('balanced');
    const { home } = belljar;
    await belljar.execute('python', 'print(1)');
    await belljar.close();
    await eventually('the engine has ended', () => !home.enginePid());
    const audit = (...args) => execFileSync(program, ['audit', ...args], { env: home.environment(), encoding: 'utf8' });
    const rows = audit('export').trim().split('\n').map((line) => JSON.parse(line));
    const types = rows.map((row) => row.type);
    for (const type of ['engine_started', 'policy_changed', 'client_connected', 'request_received', 'decided', 'execution_started', 'execution_ended', 'engine_stopped'])
      assert.ok(types.includes(type), `${type} in ${types}`);
    assert.match(audit('verify'), /intact/);

    execFileSync('sqlite3', [home.historyFile, "UPDATE audit SET detail = replace(detail, 'allow', 'deny ') WHERE type = 'decided'"]);
    assert.throws(() => audit('verify'), (error) => error.status === 1);
    await home.remove();
  });
});

describe('belljar policy', () => {
  const policy = (args, input, home = new Home({ policy: 'balanced' })) => {
    const ran = spawnSync(program, ['policy', ...args], { env: home.environment(), input, encoding: 'utf8' });
    return { code: ran.status, out: ran.stdout, said: ran.stderr };
  };

  test('explains what would be decided', () => {
    const asked = policy(['explain', '--language', 'python', '-'], risky);
    assert.equal(asked.code, 0);
    assert.match(asked.out, /^ask \(policy balanced/);
    assert.match(asked.out, /rule "serious finding"/);
    assert.match(policy(['explain', '-l', 'python', '--policy', 'strict', '-'], 'print(eval("1"))').out, /^deny .*\n {2}rule "blocked calls"/);
    assert.match(policy(['explain', '-l', 'cobol', '-'], 'x').said, /expected one of .*python/);
    assert.match(policy(['explain', '-l', 'python', '--policy', 'no', '-'], 'x').said, /there are balanced, strict, trusted/);
  });

  test('checks files with places', () => {
    const good = policy(['check', new URL('../../resources/policies/strict.json', import.meta.url).pathname]);
    assert.deepEqual([good.code, good.said], [0, '']);
    assert.match(good.out, /strict\.json: 0 errors, 0 warnings: it is a policy$/m);
    const broken = policy(['check', '-'], '{\n  "languages": 3\n}');
    assert.equal(broken.code, 1);
    assert.match(broken.out, /^-:2:16: error: \/languages: expected an object$/m);
  });

  test('shows what is in force', () => {
    const { out } = policy(['show']);
    assert.match(out, /^balanced .*\(default\)$/m);
    assert.equal(JSON.parse(policy(['show', 'strict']).out).title, 'Strict');
  });
});
