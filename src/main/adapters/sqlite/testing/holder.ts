import { openStore } from '../open';

/** A second Muster: opens the store and reports the result. */
const opened = openStore({ path: process.argv[2] ?? '', busyTimeoutMs: 50 });
process.stdout.write(`${JSON.stringify(opened.ok ? { ok: true } : opened)}\n`);
if (!opened.ok) process.exit(0);
process.stdin.on('data', () => {
  opened.value.close();
  process.exit(0);
});
