import { keyText } from '@contract/run/keys';
import type { GateState, RunState, TurnState } from '@contract/run/state';
import { double } from '@contract/testing/double';
import { expect, test } from 'vitest';
import type { Plan } from '../contract/events';
import type { AttemptState, LoopState } from '../contract/state';
import { LOOP_STEP } from '../contract/step-type';
import { type LoopRow, loopPhase, loopRow, updateOfAttempt } from '../contract/summary';
import { loopAt, loopListRows, storyRows, timelineRows } from './rows';

const plan = (...passing: string[]): Plan => ({
  state: 'read',
  branchName: null,
  // The plan's order differs from its priorities.
  stories: [3, 1, 2].map((number) => ({
    id: `US-${number}`,
    title: `Story ${number}`,
    priority: number,
    passes: passing.includes(`US-${number}`),
  })),
});

interface Tried {
  readonly story: number;
  readonly result?: 'completed' | 'blocked' | 'failed' | 'no-op';
  readonly retry?: number;
  /** The story according to its evidence, if different. */
  readonly about?: string | null;
}

const passingBefore = (tried: readonly Tried[], index: number): string[] =>
  tried.slice(0, index).flatMap((one) => (one.result === 'completed' ? [`US-${one.story}`] : []));

function attempts(tried: readonly Tried[]): AttemptState[] {
  let iteration = 0;
  return tried.map((one, index) => {
    const { story, result, retry = 0, about = `US-${story}` } = one;
    iteration += retry > 0 ? 0 : 1;
    const looked = { head: null, progressBytes: 0, progressHash: '' };
    return {
      id: index + 1,
      iteration,
      of: 9,
      retry,
      text: null,
      mark: null,
      refused: null,
      story: { id: `US-${story}`, title: `Story ${story}` },
      startedAt: index * 100,
      end: null,
      endedAt: result === undefined ? null : index * 100 + 50,
      before: { ...looked, plan: plan(...passingBefore(tried, index)) },
      after:
        result === undefined
          ? null
          : double<NonNullable<AttemptState['after']>>({
              codex: null,
              plan: plan(...passingBefore(tried, index + 1)),
            }),
      judged:
        result === undefined
          ? null
          : {
              result,
              storyId: about,
              storyTitle: 'T',
              storySource: 'prd',
              commit: 'abc',
              summary: ['Said.'],
              warnings: [],
              claim: null,
              rule: 2,
              halt: null,
              promised: false,
              terminal: false,
            },
    };
  });
}

function run(tried: readonly Tried[], more: Partial<LoopState> = {}): { state: RunState; loop: LoopState } {
  const all = attempts(tried);
  const loop: LoopState = {
    activationId: 1,
    folder: '.',
    wantedBranch: null,
    branch: 'ralph/x',
    of: 9,
    step: 9,
    startedAt: 0,
    reading: { after: 0, status: 'read', error: null },
    attempts: all,
    skipped: [],
    archived: [],
    plan: plan(...passingBefore(tried, tried.length)),
    pauseRequested: false,
    resumedAfter: 0,
    watch: null,
    ...more,
  };
  const turns = all.map(({ id }) =>
    double<TurnState>({ id, lane: `attempt-${id}`, usage: { total_tokens: 10, cost_usd: 0.5 } }),
  );
  const state = double<RunState>({
    status: 'running',
    outcome: null,
    at: 0,
    projectId: 1,
    called: {},
    profiles: { w: { name: 'Worker' } },
    workspace: null,
    definition: {
      steps: [{ id: 'loop', type: LOOP_STEP, title: 'A loop', config: { worker: { acp_profile_id: 'w' } } }],
    },
    activations: {
      1: {
        id: 1,
        stepId: 'loop',
        status: 'running',
        outcome: null,
        startedAt: 0,
        finishedAt: null,
        turnIds: all.map(({ id }) => id),
        timerIds: [],
        lanes: {},
      },
    },
    turns: Object.fromEntries(turns.map((turn) => [turn.id, turn])),
    gates: {},
    loops: { 1: loop },
  });
  return { state, loop };
}

const gate = (id: number, more: Partial<GateState>): GateState =>
  ({ id, activationId: 1, status: 'open', openedAt: 0, turnId: null, about: null, ...more }) as GateState;

test('the stories are listed in their order of work, each with its status and cost', () => {
  const { state, loop } = run([
    { story: 1, result: 'failed' },
    { story: 1, result: 'completed', retry: 1 },
    { story: 2, result: 'blocked' },
    { story: 2 },
  ]);
  expect(storyRows(state, loop)).toMatchObject([
    {
      key: 'US-1',
      state: 'passed',
      passedAt: 1,
      attempts: [1, 2],
      ms: 100,
      tokens: 20,
      costUsd: 1,
      since: null,
    },
    { key: 'US-2', state: 'working', passedAt: null, attempts: [3, 4], ms: 50, since: 300 },
    { key: 'US-3', state: 'open', attempts: [], ms: 0, tokens: null, costUsd: null },
  ]);
});

test('a story that does not pass shows what happened to it', () => {
  const states = (tried: readonly Tried[], more: Partial<LoopState> = {}) => {
    const { state, loop } = run(tried, more);
    return storyRows(state, loop).map((row) => row.state);
  };
  expect(states([{ story: 1, result: 'blocked' }])).toEqual(['blocked', 'open', 'open']);
  expect(states([{ story: 1, result: 'blocked' }], { skipped: ['US-1'] })).toEqual([
    'skipped',
    'open',
    'open',
  ]);
  expect(states([{ story: 1, result: 'no-op' }])).toEqual(['open', 'open', 'open']);
  // By its evidence, its attempt was about another story.
  expect(states([{ story: 1, result: 'failed', about: 'US-2' }])).toEqual(['open', 'failed', 'open']);
  expect(storyRows(run([]).state, { ...run([]).loop, plan: plan('US-2') })[1]).toMatchObject({
    state: 'passed',
    passedAt: null,
  });
  expect(states([], { plan: { state: 'none' } })).toEqual([]);
});

test('a question stands behind the attempt that it follows, and one of a turn in its attempt', () => {
  const { state, loop } = run([{ story: 1, result: 'blocked' }, { story: 1 }]);
  state.gates[1] = gate(1, { openedAt: 100, about: keyText(['loop.after-attempt', 1]), status: 'resolved' });
  state.gates[2] = gate(2, { openedAt: 150, turnId: 2 });
  state.gates[3] = gate(3, { openedAt: 160, activationId: 7 });
  const rows = timelineRows(state, loop);
  expect(rows.map(({ key }) => key)).toEqual(['plan', 'attempt/1', 'gate/1', 'attempt/2']);
  expect(rows[3]).toMatchObject({ turns: [{ id: 2 }], gates: [{ id: 2 }] });
});

test('the state of a loop says what it does now', () => {
  const phase = ({ state, loop }: ReturnType<typeof run>, known: LoopState | undefined = loop) => {
    const activation = state.activations[1];
    if (activation === undefined) throw new Error('no activation');
    return loopPhase(state, activation, known).phase;
  };
  expect(phase(run([{ story: 1 }]))).toBe('working');
  expect(phase(run([{ story: 1, result: 'completed' }]))).toBe('reading');
  const waits = run([{ story: 1, result: 'blocked' }]);
  waits.state.gates[1] = gate(1, {});
  expect(phase(waits)).toBe('waiting');
  expect(phase(run([], { watch: { pid: 7, seen: null, past: null, before: null, ended: null } }))).toBe(
    'watching',
  );
  const stopping = run([{ story: 1 }]);
  stopping.state.status = 'cancelling';
  expect(phase(stopping)).toBe('cancelling');
});

const row = (more: Partial<LoopRow>): LoopRow => {
  const { state } = run([{ story: 1 }]);
  const activation = state.activations[1];
  if (activation === undefined) throw new Error('no activation');
  const facts = { runId: 1, runUid: 'U', runName: 'R', projectName: 'P' };
  return { ...loopRow(state, activation, facts), ...more };
};

test('loops that go on or ask are listed first, and found by their names', () => {
  const loops = [
    row({ runId: 3, live: false, phase: 'complete' }),
    row({ runId: 2, live: false, phase: 'failed', openGates: 1 }),
    row({ runId: 1, branch: 'ralph/other' }),
  ];
  expect(loopListRows(loops, '').map(({ key }) => key)).toEqual(['2/1', '1/1', 'ended', '3/1']);
  expect(loopListRows(loops, 'OTHER').map(({ key }) => key)).toEqual(['1/1']);
  expect(loopAt(loops, { runId: 2, activationId: null })?.runId).toBe(2);
  expect(loopAt(loops, { runId: 2, activationId: 9 })).toBeNull();
  expect(loops[2]).toMatchObject({ worker: 'Worker', title: 'A loop', of: 9, iteration: 1 });
});

test('an attempt without a verdict has no update', () => {
  const [first, second] = attempts([{ story: 1, result: 'completed', about: null }, { story: 2 }]);
  expect(first && updateOfAttempt(first)).toMatchObject({ story: null, result: 'completed', of: 9 });
  expect(second && updateOfAttempt(second)).toBeNull();
});
