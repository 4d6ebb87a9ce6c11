import { existsSync, rmSync } from 'node:fs';
import '../../../core-host/git-thread';

/** A thread for git that dies as soon as the file named by this variable exists. */
const order = process.env.MUSTER_TEST_THREAD_DIES ?? '';
setInterval(() => {
  if (!existsSync(order)) return;
  rmSync(order);
  process.exit(3);
}, 10).unref();
