import { parentPort } from 'node:worker_threads';
import { messageOf } from '@contract/error-message';
import { draw } from '../adapters/pty/screen/draw';
import type { SnapshotReply, SnapshotRequest } from '../adapters/pty/screen/snapshot';

const reply = (message: SnapshotReply): void => parentPort?.postMessage(message);

/** The terminal process's thread that draws terminals' pasts. */
parentPort?.on('message', ({ id, request }: { id: number; request: SnapshotRequest }) => {
  draw(request, (past) => reply({ id, past })).then(
    (snapshot) => reply({ id, snapshot }),
    (cause: unknown) => reply({ id, failed: messageOf(cause) }),
  );
});
