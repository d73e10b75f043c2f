// SPDX-License-Identifier: GPL-3.0-or-later
// The attack corpus of ../shared/attacks through belljar stdio, in a home of its own. Arguments are handed on to
// run_attacks.mjs: node tests/security/run.mjs --only '^pid1' --verbose
//
// The last line is 'N passed, N failed'. A case that was skipped counts as failed, but for those listed here.

import { spawn } from 'node:child_process';
import fs from 'node:fs';
import path from 'node:path';
import { belljar, Home, sharedFile } from '../lib/surroundings.mjs';

const maySkip = {
  'tool-path-traversal': 'there are no file tools yet',
};

const home = new Home();
const report = path.join(home.folder, 'attacks.json');
const runner = spawn(process.execPath, [
  sharedFile('attacks', 'run_attacks.mjs'), '--json', report, '--verbose', ...process.argv.slice(2), sharedFile('attacks'), '--', belljar, 'stdio',
], { env: home.environment(), stdio: ['ignore', 'pipe', 'inherit'] });
let rest = '';
runner.stdout.on('data', (bytes) => {
  const lines = (rest + bytes).split('\n');
  rest = lines.pop();
  for (const line of lines) if (!/^\d+ passed, \d+ failed/.test(line)) console.log(line);
});
const status = await new Promise((resolve) => runner.on('close', (code) => resolve(code ?? 1)));

let passed = 0, failed = 0;
const cases = fs.existsSync(report) ? JSON.parse(fs.readFileSync(report, 'utf8')) : [];
for (const { id, skipped, passed: good } of cases) {
  if (good) passed++;
  else if (skipped && maySkip[id]) console.log(`left out: ${id} (${maySkip[id]})`);
  else failed++;
}
if (cases.length === 0 || (status > 1 && failed === 0)) failed++;
try {
  await home.noContainerIsLeft();
} catch (error) {
  console.log(`FAIL  ${error.message}`);
  failed++;
}
await home.remove();
console.log(`${passed} passed, ${failed} failed`);
process.exit(failed ? 1 : 0);
