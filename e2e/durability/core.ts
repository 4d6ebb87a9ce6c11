/**
 * The real core as a process of its own, over lines of JSON: the first on standard input is its `init`, the others are
 * calls. It says what was committed as soon as the core tells it, which is after the commit.
 */
import { createInterface } from 'node:readline';
import { toCoreSchema } from '@contract/system/host';
import { openCore } from '../../src/main/core-host/compose';
import { keepConnected } from './terminal-line';
import type { FromCore } from './wire';

const say = (message: FromCore) => void process.stdout.write(`${JSON.stringify(message)}\n`);

const lines = createInterface({ input: process.stdin })[Symbol.asyncIterator]();
const first = await lines.next();
const init = toCoreSchema.parse(JSON.parse(first.value ?? ''));
if (init.kind !== 'init') throw new Error(`began with ${init.kind}`);
const opened = await openCore(init, { takeUp: false });
if (!opened.ok) throw new Error(opened.error.message);
const core = opened.value;

core.publisher.onCommitted((_runId, events) => say({ kind: 'committed', events: [...events] }));
const terminals = process.env.MUSTER_DURABILITY_TERMINALS;
if (terminals !== undefined) keepConnected(core.pty, terminals);
say({ kind: 'opened', gates: await core.router('gate.list', { limit: 1000 }) });
await core.takeUp();
say({ kind: 'ready' });

for (let line = await lines.next(); line.done !== true; line = await lines.next()) {
  const call = toCoreSchema.parse(JSON.parse(line.value));
  if (call.kind !== 'rpc') throw new Error(`no ${call.kind} here`);
  void Promise.resolve(core.router(call.name, call.input)).then((reply) =>
    say({ kind: 'reply', id: call.id, reply }),
  );
}
await core.shutdown(false);
process.exit(0);
