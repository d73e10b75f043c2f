// SPDX-License-Identifier: GPL-3.0-or-later
// What packaging/dev.sh run shows where there is no display: the everyday jobs through an MCP client.

import { jobs } from '../lib/jobs.mjs';
import { Wire } from '../lib/wire.mjs';

const client = new Wire(process.env);
const { result } = await client.initialize('2025-11-25', { name: 'demonstration', version: '1' });
console.log(`    connected to ${result.serverInfo.name} ${result.serverInfo.version}\n`);

let wrong = 0;
for (const { name, language, code, prints } of jobs) {
  const done = await client.execute(language, code);
  const right = done.success && done.stdout === prints;
  wrong += right ? 0 : 1;
  console.log(`${right ? 'right' : 'WRONG'}  ${name} in ${language}: exit code ${done.exit_code}, ${done.execution_time_ms} ms, ${done.memory_used_mb} MB`);
  console.log(`${done.stdout}${done.stderr}`.replace(/^/gm, '       ').trimEnd(), '\n');
}
await client.close();
console.log(wrong ? `${wrong} of ${jobs.length} programs went wrong` : `all ${jobs.length} programs printed what they should`);
console.log('Connect your own client: it starts', `${process.env.BELLJAR_BIN ?? 'belljar'} stdio`);
process.exit(wrong ? 1 : 0);
