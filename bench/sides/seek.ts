/**
 * `seek.js EVENTS`: folds a long run, makes checkpoints of it, looks back at many moments, and reports time
 * and memory.
 */
import { Checkpoints } from '../../src/contract/run/checkpoints';
import type { RunEvent, StoredEvent } from '../../src/contract/run/events';
import { replay } from '../../src/contract/run/reduce';
import { say } from '../kit/say';

const count = Number(process.argv[2] ?? 100_000);
const LOOKS = 400;
const STEPS = 200;

const text = (seq: number, length: number) =>
  `${seq} ${'words of an agent '.repeat(length)}`.slice(0, 18 * length);

const definition = {
  name: 'long',
  workspace: 'worktree',
  max_parallel: 4,
  steps: Array.from({ length: STEPS }, (_, step) => ({
    id: `step-${step}`,
    type: 'step.agent_task',
    config: {},
  })),
  cables: [],
};

/** Ten typical events of an active run: turns and their ends, observations of the agent, commands, gates. */
function eventAt(seq: number): unknown {
  if (seq === 1)
    return {
      type: 'run.started',
      uid: '01J',
      name: 'long',
      projectId: 1,
      projectPath: '/p',
      sourceFile: null,
      definition,
      profiles: {},
      instruction: 'go',
      attachments: [],
      files: {},
      projectContext: null,
      artifactsDir: '/a',
      workspaceMode: 'worktree',
      startedBy: 'operator',
    };
  const round = Math.floor(seq / 10);
  const activationId = 1 + Math.floor(round / 40);
  const ids = { activationId, sessionId: activationId };
  const isFirst = round % 40 === 0;
  switch (seq % 10) {
    case 0:
      return isFirst
        ? {
            type: 'activation.started',
            activationId,
            stepId: `step-${activationId % STEPS}`,
            attempt: 1,
            inputs: [],
          }
        : { type: 'update.posted' };
    case 1:
      return isFirst
        ? { type: 'session.starting', ...ids, profileId: 'p', model: null, mode: null, env: {} }
        : { type: 'update.posted' };
    case 2:
      return {
        type: 'turn.dispatched',
        turnId: round,
        ...ids,
        ordinal: round % 40,
        of: 40,
        kind: 'reprompt',
        prompt: text(seq, 20),
        attachments: [],
        resendOf: null,
      };
    case 3:
    case 4:
      return {
        type: 'session.observed',
        ...ids,
        turnId: round,
        state: 'unknown',
        since: seq,
        reason: 'quiet',
      };
    case 5:
      return {
        type: 'gate.opened',
        gateId: round,
        activationId,
        turnId: round,
        kind: 'permission',
        title: text(seq, 2),
        options: [],
      };
    case 6:
      return {
        type: 'gate.resolved',
        gateId: round,
        answer: { option: 'approve', text: null },
        by: 'operator',
      };
    case 7:
      return {
        type: 'command.started',
        commandId: round,
        activationId,
        script: text(seq, 4),
        terminal: false,
      };
    case 8:
      return {
        type: 'command.finished',
        commandId: round,
        outcome: 'exited',
        exitCode: 0,
        output: text(seq, 20),
        outputPath: null,
        outputBytes: 360,
        truncated: false,
        error: null,
      };
    default:
      return {
        type: 'turn.finished',
        turnId: round,
        outcome: 'completed',
        stopReason: 'end_turn',
        response: text(seq, 40),
        usage: { input_tokens: 9, output_tokens: 9 },
        commit: null,
        error: null,
        limitResetsAt: null,
      };
  }
}

function* history(): Generator<StoredEvent> {
  for (let seq = 1; seq <= count; seq += 1)
    yield { id: seq, runId: 1, seq, at: seq * 100, event: eventAt(seq) as RunEvent };
}

const heap = (): number => {
  const { gc } = globalThis as { gc?: () => void };
  if (gc === undefined) throw new Error('run it with --expose-gc');
  for (let times = 0; times < 4; times += 1) gc();
  return process.memoryUsage().heapUsed;
};

/** The retained size of a created object, in bytes. */
function sizeOf<T>(make: () => T): { bytes: number; made: T } {
  const before = heap();
  const made = make();
  return { bytes: heap() - before, made };
}

const state = sizeOf(() => replay(history()));
const points = sizeOf(() => {
  const all = new Checkpoints();
  all.add(history());
  return all;
});
if (points.made.seq !== state.made?.seq) throw new Error('the two folds differ');

const events = [...history()];
const timed = (work: () => unknown): number => {
  const started = performance.now();
  work();
  return performance.now() - started;
};
const folds = Array.from({ length: 7 }, () => timed(() => replay(events)));
const read = (after: number, to: number) => events.slice(after, to);
// Spread over the whole run in an irregular order.
const places = Array.from({ length: LOOKS }, (_, look) => 1 + ((look * 61_803) % count));
for (const seq of places.slice(0, 100)) points.made.stateAt(seq, read);
const looks = places.map((seq) => timed(() => points.made.stateAt(seq, read)));
say({ folds, looks, stateBytes: state.bytes, pointsBytes: points.bytes, distance: points.made.distance });
