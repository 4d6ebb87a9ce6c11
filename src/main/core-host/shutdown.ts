import type { UpdateOutbox } from '@areas/deliveries/node/outbox';
import type { RunResults } from '@areas/runs/node/results/run-results';
import type { RunService } from '@areas/runs/node/run-service';
import type { Engine } from '../core/engine/engine';
import { CANCELS_CHECK_MS, CANCELS_WAIT_MS } from '../limits/core';
import type { Adapters } from './adapters';

async function cancelAll(engine: Engine, runs: RunService): Promise<void> {
  const ids = [...engine.all()].filter((run) => run.state.status === 'running').map((run) => run.runId);
  await Promise.all(ids.map((runId) => runs.cancel(runId, 'quit')));
  const until = Date.now() + CANCELS_WAIT_MS;
  while (Date.now() < until && [...engine.all()].some((run) => run.state.status === 'cancelling')) {
    await new Promise((resolve) => setTimeout(resolve, CANCELS_CHECK_MS));
  }
}

interface Ending {
  readonly stops: readonly { stop(): void }[];
  readonly engine: Engine;
  readonly runs: RunService;
  readonly results: RunResults;
  readonly outbox: UpdateOutbox;
  readonly hosts: { readonly service: { leave(): void; end(): Promise<void> } };
}

/**
 * Ends a core: first what could start something, then the runs, and the store last. With `stop` the runs are
 * cancelled, otherwise they are parked.
 */
export const shuttingDown =
  (
    { sandboxes, processes, tools, git, store }: Adapters,
    { stops, engine, runs, results, outbox, hosts }: Ending,
  ) =>
  async (stop: boolean): Promise<void> => {
    for (const one of stops) one.stop();
    hosts.service.leave();
    if (stop) await cancelAll(engine, runs);
    await engine.park();
    await results.settled();
    await outbox.stop();
    await sandboxes.stop();
    await Promise.all([processes.endAll(), hosts.service.end()]);
    await tools.close();
    git.close();
    store.close();
  };
