import { setTimeout as sleep } from 'node:timers/promises';
import { fail, ok } from '@contract/result';
import { IDLE_CHECK_MS, IDLE_END_MS, KEEP_ALIVE_MS } from '../../../limits/command-line';
import { type Context, command } from '../../command';
import { EXIT } from '../../exit';
import type { Link } from '../../link/link';

export const serveCommand = command({
  name: 'serve',
  summary: 'Hosts Muster without a window until it is stopped. Ctrl-C parks its runs.',
  words: '',
  least: 0,
  most: 0,
  heedsStop: true,
  more: 'Resumes unfinished runs. The app and all other commands use this process while it runs.',
  flags: { 'until-idle': { help: 'exit when nothing is running; open gates stay stored' } },
  async run(context, { flags }) {
    const opened = await context.open({ mode: 'serving' });
    if (!opened.ok) return opened;
    const link = opened.value;
    if (link.kind === 'attached') {
      return fail('store.locked', `Muster is already running, as process ${link.pid}`, {
        mend: 'use it, or quit it',
      });
    }
    await link.takeUp();
    context.out.record(
      { kind: 'serving', pid: link.pid, dataDir: context.dataDir, apiAddress: link.apiAddress() },
      () => [
        `Muster runs as process ${link.pid} on ${context.dataDir}`,
        `HTTP API: ${link.apiAddress() ?? `off (${context.again('api', '--on')})`}`,
      ],
    );
    await (flags['until-idle'] ? untilIdle(context, link) : stopped(context.stop));
    context.out.record({ kind: 'stopped' }, () => ['Parked.']);
    return ok(EXIT.ok);
  },
});

const stopped = (stop: AbortSignal): Promise<void> =>
  new Promise((resolve) => {
    if (stop.aborted) return resolve();
    stop.addEventListener('abort', () => resolve());
    const keep = setInterval(() => stop.aborted && clearInterval(keep), KEEP_ALIVE_MS);
    stop.addEventListener('abort', () => clearInterval(keep));
  });

/** Waits a while first, since the program that started this core has to find it. */
async function untilIdle({ stop }: Context, link: Link): Promise<void> {
  for (let busyAt = Date.now(); Date.now() - busyAt < IDLE_END_MS && !stop.aborted; ) {
    await sleep(IDLE_CHECK_MS, undefined, { signal: stop }).catch(() => undefined);
    if (link.working().length > 0) busyAt = Date.now();
  }
}
