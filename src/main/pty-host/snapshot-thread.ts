import { parentPort } from 'node:worker_threads';
import { draw } from '../adapters/pty/draw';
import type { SnapshotRequest } from '../adapters/pty/snapshot';

/** The thread of the terminal process that draws the past of a terminal. */
parentPort?.on('message', ({ id, request }: { id: number; request: SnapshotRequest }) => {
  draw(request).then(
    (snapshot) => parentPort?.postMessage({ id, snapshot }),
    (cause: unknown) =>
      parentPort?.postMessage({ id, failed: cause instanceof Error ? cause.message : String(cause) }),
  );
});
