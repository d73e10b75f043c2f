// SPDX-License-Identifier: GPL-3.0-or-later
// Programs nobody here wrote: the sandbox agrees with the bare interpreter of the same image on every one.

import assert from 'node:assert/strict';
import { execFile } from 'node:child_process';
import fs from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { after, before, describe, test } from 'node:test';
import { promisify } from 'node:util';
import zlib from 'node:zlib';
import { sharedFile } from '../lib/surroundings.mjs';
import { Belljar } from './sdk.mjs';

const run = promisify(execFile);
const kTogether = 4;

function programsOf(file) {
  const lines = zlib.gunzipSync(fs.readFileSync(sharedFile('programs', file))).toString('utf8').trim().split('\n');
  return lines.map((line) => JSON.parse(line)).map((row) => ({
    name: row.task_id,
    code: [row.import, row.test_setup, row.prompt ?? row.declaration, row.canonical_solution, row.test].filter(Boolean).join(''),
  }));
}

/// What a person would see of an error, without what differs between a file here and a file there.
const plain = (text) => text.replace(/(file:\/\/)?\/[^\s:'")]*\/(\d+|main)\.(py|js|mjs|cjs)/g, 'PROGRAM').replace(/^\s+at .*$/gm, '')
  .replace(/^Node\.js v.*$/gm, '').replace(/requireStack: \[[^\]]*\]/g, '').replace(/\n+/g, '\n').trim();

/// Runs every program bare, all in one container of the language's image, and gives their results in order.
async function bare(image, interpreter, extension, programs) {
  const folder = fs.mkdtempSync(path.join(os.tmpdir(), 'belljar-bare-'));
  fs.chmodSync(folder, 0o777);
  programs.forEach(({ code }, index) => fs.writeFileSync(path.join(folder, `${index}.${extension}`), code));
  const script = `cd /programs; for i in $(seq 0 ${programs.length - 1}); do ${interpreter} $i.${extension} >$i.out 2>$i.err </dev/null; echo $? >$i.code; done`;
  try {
    await run('docker', ['run', '--rm', '--network', 'none', '-v', `${folder}:/programs`, image, 'sh', '-c', script], { maxBuffer: 1e8 });
    return programs.map((_, index) => {
      const read = (kind) => fs.readFileSync(path.join(folder, `${index}.${kind}`), 'utf8');
      return { exit_code: Number(read('code')), stdout: read('out'), stderr: plain(read('err')) };
    });
  } finally {
    fs.rmSync(folder, { recursive: true, force: true });
  }
}

for (const [title, language, file, image, interpreter, extension] of [
  ['Python', 'python', 'humaneval_python.jsonl.gz', 'belljar/python', 'python3', 'py'],
  ['JavaScript', 'javascript', 'humaneval_js.jsonl.gz', 'belljar/javascript', 'node', 'js'],
]) {
  describe(`${title} programs`, () => {
    const programs = programsOf(file);
    const answers = new Array(programs.length);
    let expected, belljar;
    before(async () => {
      belljar = await Belljar.connect();
      const ready = bare(image, interpreter, extension, programs);
      let next = 0;
      const worker = async () => {
        for (let index = next++; index < programs.length; index = next++) {
          answers[index] = await belljar.execute(language, programs[index].code, { timeout: 30 }).catch((error) => ({ error }));
        }
      };
      await Promise.all(Array.from({ length: kTogether }, worker));
      expected = await ready;
    });
    after(() => belljar.end());

    test('there are 164 of them', () => assert.equal(programs.length, 164));

    programs.forEach(({ name }, index) => {
      test(name, () => {
        const { error, exit_code, stdout, stderr } = answers[index];
        assert.equal(error instanceof Error ? error : undefined, undefined);
        assert.deepEqual({ exit_code, stdout, stderr: plain(stderr) }, expected[index]);
      });
    });
  });
}
