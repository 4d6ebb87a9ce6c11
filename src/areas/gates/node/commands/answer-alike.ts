import type { ProcedureOutput } from '@contract/ipc';
import { ok, type Result } from '@contract/result';
import { ask } from '@main/api/core-service';
import { findGate, seqOf } from '@main/cli/address';
import type { Context } from '@main/cli/command';
import { EXIT, type ExitCode } from '@main/cli/exit';
import type { Link } from '@main/cli/link/link';
import { waitForRun } from '@main/cli/running/wait';
import { alikeOf } from '../../contract/cause';
import type { GateAnswer } from '../../contract/gate';
import { allGates } from '../../contract/pages';
import type { GateRow } from '../../contract/procedures';

interface AlikeWish {
  readonly by: string;
  /** The chosen option for this gate. */
  readonly choose: (gate: GateRow) => Result<string>;
  readonly more: Pick<GateAnswer, 'reason' | 'text'>;
  readonly wait: boolean;
  readonly detach: boolean;
}

/** Gives every open question with this gate's cause the same answer, and reports each result. */
export async function answerAlike(
  context: Context,
  address: string,
  wish: AlikeWish,
): Promise<Result<ExitCode>> {
  const opened = await context.open({ mode: wish.detach ? 'background' : 'working' });
  if (!opened.ok) return opened;
  const link = opened.value;
  const gates = await alikeAt(link, address);
  if (!gates.ok) return gates;
  const [first] = gates.value;
  if (first === undefined) return ok(EXIT.ok);
  const option = wish.choose(first);
  if (!option.ok) return option;
  const runIds = [...new Set(gates.value.map(({ runId }) => runId))];
  await link.takeUp(runIds);
  const before = new Map<number, number>();
  for (const runId of runIds) {
    const seq = await seqOf(link, runId);
    if (!seq.ok) return seq;
    before.set(runId, seq.value);
  }
  const done = await ask(link, 'gate.resolveAlike', {
    gates: gates.value.map(({ runId, gateId }) => ({ runId, gateId })),
    answer: { option: option.value, ...wish.more },
    by: wish.by,
  });
  if (!done.ok) return done;
  const lines = linesOf(done.value, option.value);
  const code = done.value.refused.length === 0 ? EXIT.ok : EXIT.failed;
  if (link.kind === 'attached' && !wish.wait) {
    context.out.document(done.value, () => lines);
    return ok(code);
  }
  for (const line of lines) context.out.note(line);
  return waitForAll(context, { link, before, code, throughGates: wish.wait });
}

/** The named gate comes first. */
async function alikeAt(link: Link, address: string): Promise<Result<readonly GateRow[]>> {
  const found = await findGate(link, address);
  if (!found.ok) return found;
  const { gate } = found.value;
  const listed = await allGates((page) => ask(link, 'gate.list', page));
  if (!listed.ok) return listed;
  const others = alikeOf(listed.value, gate).filter(
    ({ runId, gateId }) => runId !== gate.runId || gateId !== gate.gateId,
  );
  return ok([gate, ...others]);
}

function linesOf({ answered, refused }: ProcedureOutput<'gate.resolveAlike'>, option: string): string[] {
  return [
    ...answered.map(({ runId, gateId, title, options }) => {
      const label = options.find(({ id }) => id === option)?.label ?? option;
      return `Gate ${runId}/${gateId} (${title}): ${label}.`;
    }),
    ...refused.map(
      ({ runId, gateId, title, error }) =>
        `Gate ${runId}/${gateId} (${title}) not answered: ${error.message}.`,
    ),
    `Answered ${answered.length} of ${answered.length + refused.length}.`,
  ];
}

interface Waiting {
  readonly link: Link;
  /** Each run's position before its answers. */
  readonly before: ReadonlyMap<number, number>;
  readonly code: ExitCode;
  readonly throughGates: boolean;
}

/** The runs continue in parallel; each is followed to its end or its next gate. */
async function waitForAll(
  context: Context,
  { link, before, code, throughGates }: Waiting,
): Promise<Result<ExitCode>> {
  let worst = code;
  for (const [runId, afterSeq] of before) {
    const ended = await waitForRun(context, { link, runId, throughGates, afterSeq });
    if (!ended.ok) return ended;
    if (worst === EXIT.ok) worst = ended.value;
  }
  return ok(worst);
}
