/**
 * `updates.js FILE UPDATES`: a database with this many updates and hardly anything else, with its search
 * index complete.
 */
import type { RunEvent } from '@contract/run/events';
import { reduce } from '@contract/run/reduce';
import type { RunState } from '@contract/run/state';
import { openOrThrow } from '../kit/core';
import { Corpus } from '../kit/corpus';
import { say } from '../kit/say';

const [file = '', updates = ''] = process.argv.slice(2);
const OF_A_RUN = 500;
const AT_ONCE = 10;
const START = Date.UTC(2026, 0, 1);

const store = openOrThrow(file);
const corpus = new Corpus();
const projectId = store.addProject('/project', 'project', START).id;

function history(run: number): RunEvent[] {
  const posted = Array.from({ length: OF_A_RUN }, (_, index) => corpus.turn(index + 1))
    .flat()
    .filter((event) => event.type === 'update.posted')
    .map((event) => ({ ...event, turnId: null }));
  const end = { type: 'run.finished', outcome: 'succeeded', reason: null } as const;
  return [corpus.started(`updates-${run}`, projectId), ...posted, end];
}

async function append(run: number): Promise<void> {
  let state: RunState | null = null;
  const stamped = history(run).map((event, index) => ({ at: START + run * 1000 + index, event }));
  for (const [index, { at, event }] of stamped.entries())
    state = reduce(state, { seq: index + 1, at, event });
  if (state === null) return;
  const runId = store.log.nextRunId();
  const appended = await store.log.append({ runId, expectedSeq: 0, events: stamped, state });
  if (!appended.ok) throw new Error(appended.error.message);
}

const runs = Math.ceil(Number(updates) / OF_A_RUN);
for (let run = 0; run < runs; run += AT_ONCE) {
  await Promise.all(Array.from({ length: Math.min(AT_ONCE, runs - run) }, (_, index) => append(run + index)));
}
while (store.search({ text: 'nothing', limit: 1 }).indexedTo < store.lastEventId()) {
  await new Promise((resolve) => setTimeout(resolve, 100));
}
store.close();
say({ runs });
