import { existsSync, rmSync } from 'node:fs';
import '../../../core-host/git-thread';

/** The thread for git, which dies as soon as the file is there that this variable names. */
const order = process.env.MUSTER_TEST_THREAD_DIES ?? '';
setInterval(() => {
  if (!existsSync(order)) return;
  rmSync(order);
  process.exit(3);
}, 10).unref();
