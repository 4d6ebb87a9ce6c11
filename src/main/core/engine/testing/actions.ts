import { ok } from '@contract/result';
import fc from 'fast-check';
import type { PermissionAnswer } from '../../ports/ports';
import { brokenActivations } from '../resume/broken-activations';
import type { SentTurn } from './fake-agents';
import { graphs, profiles } from './graphs';
import { Harness } from './harness';

/** The state of agents after a restart; null: they ended with the core. */
type Left = ReturnType<Harness['agents']['survives']>;

export type Ended = 'completed' | 'failed' | 'cancelled' | 'limit' | 'login';

export type Action =
  | { kind: 'answer'; index: number; how: Ended }
  | { kind: 'gate'; index: number; option: number }
  | { kind: 'cancel' }
  | { kind: 'restart'; lost: number | null; agents: Left }
  | { kind: 'command'; index: number; code: number }
  | { kind: 'disk' }
  | { kind: 'time' }
  | { kind: 'ask'; index: number }
  | { kind: 'say'; index: number }
  | { kind: 'stop'; index: number }
  | { kind: 'resume' };

export const action: fc.Arbitrary<Action> = fc.oneof(
  {
    weight: 8,
    arbitrary: fc.record({
      kind: fc.constant('answer' as const),
      index: fc.nat(5),
      how: fc.constantFrom<Ended>(
        ...(['completed', 'completed', 'completed', 'failed', 'cancelled', 'limit', 'login'] as const),
      ),
    }),
  },
  {
    weight: 5,
    arbitrary: fc.record({ kind: fc.constant('gate' as const), index: fc.nat(3), option: fc.nat(2) }),
  },
  { weight: 2, arbitrary: fc.record({ kind: fc.constant('ask' as const), index: fc.nat(3) }) },
  { weight: 2, arbitrary: fc.record({ kind: fc.constant('say' as const), index: fc.nat(3) }) },
  { weight: 1, arbitrary: fc.record({ kind: fc.constant('stop' as const), index: fc.nat(3) }) },
  {
    weight: 2,
    arbitrary: fc.record({
      kind: fc.constant('restart' as const),
      lost: fc.option(fc.nat(1)),
      agents: fc.constantFrom<Left>(null, null, 'goes_on', 'goes_on', 'unsent', 'cut'),
    }),
  },
  {
    weight: 5,
    arbitrary: fc.record({
      kind: fc.constant('command' as const),
      index: fc.nat(2),
      code: fc.constantFrom(0, 0, 1),
    }),
  },
  { weight: 1, arbitrary: fc.constant({ kind: 'resume' as const }) },
  { weight: 2, arbitrary: fc.constant({ kind: 'time' as const }) },
  { weight: 1, arbitrary: fc.constant({ kind: 'disk' as const }) },
  { weight: 1, arbitrary: fc.constant({ kind: 'cancel' as const }) },
);

/** The operator prompts a session, also after its run has ended. */
async function say(harness: Harness, index: number): Promise<void> {
  await harness.engine.command(1, ({ state }) => {
    const session = Object.values(state.sessions)[index];
    if (session === undefined || state.status === 'cancelling') return ok([]);
    const about = { sessionId: session.id, text: 'say', attachments: [], by: 'test' };
    return ok([
      ...(state.status === 'finished' ? [{ type: 'run.reopened' as const, by: 'test' }] : []),
      { type: 'prompt.queued', promptId: state.last.prompt + 1, ...about },
    ]);
  });
}

/** The operator ends a turn, or restarts it; the agent does not always react before the core ends. */
async function stop(harness: Harness, turnId: number | undefined): Promise<void> {
  if (turnId === undefined) return;
  harness.agents.heeds = turnId % 2 === 0;
  await harness.engine.command(1, () =>
    ok([{ type: 'turn.cancel-requested', turnId, by: 'test', again: turnId % 3 === 0 }]),
  );
  await harness.idle();
  harness.agents.heeds = true;
}

async function resume(harness: Harness): Promise<void> {
  await harness.engine.command(1, ({ state }) => {
    if (state.status !== 'finished' || state.outcome === 'succeeded' || state.outcome === 'rejected')
      return ok([]);
    return ok([{ type: 'run.resumed', by: 'test', activationIds: brokenActivations(state) }]);
  });
}

/** A run in which everything waits for an action. */
export function waitingHarness(): Harness {
  const harness = new Harness();
  harness.commands.survives = () => true;
  harness.agents.answer = () => null;
  harness.commands.answer = () => null;
  return harness;
}

/** The sent turns that the log has in flight. */
const live = (harness: Harness): SentTurn[] =>
  harness.agents.sent.filter(
    (turn) => harness.engine.live(1)?.state.turns[turn.request.turnId]?.status === 'in_flight',
  );

async function restart(
  harness: Harness,
  { lost, agents }: Extract<Action, { kind: 'restart' }>,
): Promise<void> {
  // A lost terminal never comes back.
  const survives = harness.commands.survives;
  const all = harness.commands.ran.length;
  harness.commands.survives = (one) =>
    survives(one) && (one.spec.commandId > all || one.spec.commandId % 2 !== lost);
  harness.agents.survives = () => agents;
  harness.agents.resumes = lost !== 0;
  await harness.restart();
}

async function answerGate(
  harness: Harness,
  { index, option }: Extract<Action, { kind: 'gate' }>,
): Promise<void> {
  if (harness.log.rows.length === 0) return;
  const open = Object.values(harness.state().gates).filter((entry) => entry.status === 'open')[index];
  if (open)
    await harness.answer(open.options[option % open.options.length]?.id ?? '', {
      gateId: open.id,
      reason: 'r',
    });
}

/** `asked` receives what an agent is told that asks for permission. */
export async function act(
  harness: Harness,
  step: Action,
  asked: (turnId: number, answer: PermissionAnswer) => void = () => undefined,
): Promise<void> {
  const turn = 'index' in step ? live(harness)[step.index] : undefined;
  switch (step.kind) {
    case 'answer':
      return turn?.end({
        outcome: step.how,
        stopReason: step.how,
        response: 'x',
        limitResetsAt: step.how === 'limit' ? harness.clock.time + 50 : null,
      });
    case 'ask':
      return void turn
        ?.ask({ tool: 'edit', title: 'e', kind: 'edit', diffs: [], hash: `h${step.index}` })
        .then((answer) => asked(turn.request.turnId, answer));
    case 'gate':
      return answerGate(harness, step);
    case 'say':
      return say(harness, step.index);
    case 'stop':
      return stop(harness, turn?.request.turnId);
    case 'resume':
      return resume(harness);
    case 'cancel':
      return harness.cancel();
    case 'restart':
      return restart(harness, step);
    case 'command':
      return harness.commands.ran
        .filter(({ result }) => result === null)
        [step.index]?.end({ exitCode: step.code });
    case 'disk':
      harness.log.failing = 1;
      return;
    case 'time':
      return harness.clock.advance(400);
  }
}

export async function play(
  actions: readonly Action[],
  graph: keyof typeof graphs = 'chains',
): Promise<Harness> {
  const harness = waitingHarness();
  await harness.run(graphs[graph], { profiles });
  for (const step of actions) {
    await act(harness, step);
    await harness.idle();
  }
  harness.clock.advance(10_000);
  await harness.idle();
  return harness;
}

export const graphName = fc.constantFrom<keyof typeof graphs>(
  'chains',
  'lanes',
  'commands',
  'crossed',
  'scopes',
  'items',
  'variants',
);
