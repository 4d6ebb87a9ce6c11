/**
 * `seed.js FILE EVENTS`: a database with this many events, written by the store itself, with its search index
 * complete.
 */
import type { RunEvent } from '@contract/run/events';
import { reduce } from '@contract/run/reduce';
import type { RunState } from '@contract/run/state';
import { openOrThrow } from '../kit/core';
import { Corpus } from '../kit/corpus';
import { say } from '../kit/say';

const [file = '', events = ''] = process.argv.slice(2);
const TURNS = 20;
const AT_ONCE = 10;
const START = Date.UTC(2026, 0, 1);

const store = openOrThrow(file);
const corpus = new Corpus();
const projectId = store.addProject('/project', 'project', START).id;
let written = 0;

function history(run: number): RunEvent[] {
  return [
    corpus.started(`seed-${run}`, projectId),
    { type: 'activation.started', activationId: 1, stepId: 'write', attempt: 1, inputs: [] },
    {
      type: 'session.starting',
      sessionId: 1,
      activationId: 1,
      profileId: 'worker',
      model: null,
      mode: null,
      env: {},
    },
    ...Array.from({ length: TURNS }, (_, index) => corpus.turn(index + 1)).flat(),
    { type: 'run.finished', outcome: 'succeeded', reason: null },
  ];
}

async function append(run: number): Promise<void> {
  let state: RunState | null = null;
  const stamped = history(run).map((event, index) => ({ at: START + run * 1000 + index, event }));
  stamped.forEach(({ at, event }, index) => {
    state = reduce(state, { seq: index + 1, at, event });
  });
  if (state === null) return;
  const appended = await store.log.append({
    runId: store.log.nextRunId(),
    expectedSeq: 0,
    events: stamped,
    state,
  });
  if (!appended.ok) throw new Error(appended.error.message);
  written += appended.value.length;
}

for (let run = 0; written < Number(events); run += AT_ONCE) {
  await Promise.all(Array.from({ length: AT_ONCE }, (_, index) => append(run + index)));
}
// The index is updated in the background; an otherwise idle process would end before that.
while (store.search({ text: 'nothing', limit: 1 }).indexedTo < store.lastEventId()) {
  await new Promise((resolve) => setTimeout(resolve, 100));
}
store.close();
say({ written });
