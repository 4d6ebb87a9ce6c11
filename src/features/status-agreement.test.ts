import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { holdsUp } from '@areas/gates/contract/gate';
import { activationWord, asksInside } from '@areas/runs/view/parts/run-now';
import { storedEventSchema } from '@contract/run/events';
import { reduce, replay } from '@contract/run/reduce';
import type { RunState } from '@contract/run/state';
import { activationWorks, limitEnd, runStatus } from '@contract/run/status';
import { summarise } from '@main/adapters/sqlite/projections/summary';
import { runWords } from '@renderer/parts/words/status-words';
import { describe, expect, test } from 'vitest';
import { loopRows } from './loop/contract/summary';
import { phaseWords } from './loop/view/words';
import { teamRow } from './team/contract/summary';
import { teamWord } from './team/view/words';

/** Recorded runs of every kind, as users export them. */
const FOLDER = join(import.meta.dirname, '..', 'main', 'core', 'engine', '__histories__');
const NAMES = readdirSync(FOLDER).filter((name) => name.endsWith('.jsonl'));

const eventsOf = (name: string) =>
  readFileSync(join(FOLDER, name), 'utf8')
    .trim()
    .split('\n')
    .slice(1)
    .map((line) => storedEventSchema.parse(JSON.parse(line)));

/** What each place says about a run at one moment, in the words shown there. */
function toldOf(state: RunState) {
  const status = runStatus(state);
  const run = { runId: 1, runUid: state.uid, runName: state.name, projectName: '', status };
  const open = Object.values(state.gates).filter((gate) => gate.status === 'open');
  return {
    status,
    list: summarise(state),
    open,
    holding: open.filter(({ kind }) => holdsUp(kind)),
    steps: Object.values(state.activations).map((one) => ({
      one,
      word: asksInside(state, one.stepId) ? runWords.waiting.word : activationWord(state, one).word,
    })),
    teams: Object.values(state.teams).map((team) => teamRow(state, team, run)),
    loops: loopRows(state, run),
    works: Object.values(state.sessions).some(
      ({ turnIds }) => state.turns[turnIds.at(-1) ?? 0]?.status === 'in_flight',
    ),
  };
}

/** Statements of two places that contradict each other. */
function contradictions(state: RunState): string[] {
  const { status, list, open, holding, steps, teams, loops, works } = toldOf(state);
  const found: string[] = [];
  const claim = (isSo: boolean, what: string) => {
    if (!isSo) found.push(`event ${state.seq}, run ${status}: ${what}`);
  };
  claim(list.status === status, `the list says ${list.status}`);
  claim(list.openGates === open.length, `the list counts ${list.openGates} of ${open.length} gates`);
  if (state.status === 'finished') {
    claim(open.length === 0 && !works, 'it has ended, and something asks or works');
    claim(list.now === null, `it has ended, and the list says "${list.now}"`);
  }
  const rests = teams.some((row) => row.rests || row.waiting > 0);
  if (status === 'waiting') claim(holding.length > 0 || rests, 'it waits, and nothing asks');
  if (status === 'limited') {
    claim(limitEnd(state) !== null, 'it waits for a limit, and none ends');
    claim(!works, 'it waits for a limit, and a turn is in flight');
  }
  for (const { one, word } of steps) {
    const asks = holding.some(({ activationId }) => activationId === one.id);
    if (asks && one.status === 'running')
      claim(word === runWords.waiting.word, `${one.stepId} asks, and its word is ${word}`);
    if (status === 'waiting' && one.status === 'running' && teams.length + loops.length === 0)
      claim(word !== 'Provider limit', `${one.stepId} waits for a limit`);
  }
  for (const row of teams.filter(({ live }) => live)) {
    const { word } = teamWord(row).word;
    const step = steps.find(({ one }) => one.id === row.activationId);
    if (status === 'waiting' && steps.length === 1)
      claim(step?.word === runWords.waiting.word, `the step of its team says ${step?.word}`);
    if (status === 'waiting' && teams.length === 1)
      claim(word === runWords.waiting.word, `its team says ${word}`);
    // A merge in progress is the run's work, not a member's.
    const works = steps.some(({ one }) => one.id === row.activationId && activationWorks(state, one));
    if (word === runWords.waiting.word && steps.length === 1 && !works)
      claim(['waiting', 'failed'].includes(status), `its team says ${word}`);
  }
  for (const row of loops.filter(({ live }) => live)) {
    const { word } = phaseWords[row.phase];
    if (word === runWords.waiting.word && steps.length === 1)
      claim(['waiting', 'failed'].includes(status), `its loop says ${word}`);
    if (status === 'waiting' && loops.length === 1 && steps.length === 1)
      claim(word === runWords.waiting.word, `its loop says ${word}`);
  }
  return found;
}

describe("the places that show a run's status", () => {
  test.each(NAMES)('all places show the same status after each event of %s', (name) => {
    const [first, ...rest] = eventsOf(name);
    let state = replay(first === undefined ? [] : [first]);
    if (state === null) throw new Error('the history begins with no start');
    const found = contradictions(state);
    for (const event of rest) {
      state = reduce(state, event);
      found.push(...contradictions(state));
    }
    expect(found).toEqual([]);
  });
});
