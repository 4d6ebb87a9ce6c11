import { parentPort } from 'node:worker_threads';
import { messageOf } from '@contract/error-message';
import type { GitOrder, GitReply } from '../adapters/git/command/git-thread';
import { GitError, gitReporting, stream, whole } from '../adapters/git/command/run-git';

/** The core's thread that starts git (`adapters/git/command/git-thread.ts`). */
const port = parentPort;
const reply = (message: GitReply): void => port?.postMessage(message);

/** Streams waiting for whether more is wanted. */
const pending = new Map<number, (more: boolean) => void>();

async function run({ id, start, ...order }: Extract<GitOrder, { start: unknown }>): Promise<void> {
  const git = gitReporting((pid) => reply({ id, pid }));
  try {
    if (order.whole) reply({ id, output: new Uint8Array(await whole(start, git)) });
    else {
      await stream(
        start,
        (chunk) => {
          reply({ id, chunk: new Uint8Array(chunk) });
          return new Promise((resolve) => pending.set(id, resolve));
        },
        git,
      );
      reply({ id, output: null });
    }
  } catch (error) {
    const { code, cutOff } = error instanceof GitError ? error : { code: null, cutOff: false };
    reply({ id, failed: messageOf(error), code, cutOff });
  } finally {
    pending.delete(id);
  }
}

port?.on('message', (order: GitOrder) => {
  if ('start' in order) void run(order);
  else pending.get(order.id)?.(order.more);
});
