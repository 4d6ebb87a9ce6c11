import { fail, ok, type Result } from '@contract/result';
import { ask } from '@main/api/core-service';
import { findGate, seqOf } from '@main/cli/address';
import { type Context, command } from '@main/cli/command';
import { EXIT, type ExitCode } from '@main/cli/exit';
import type { Link } from '@main/cli/link/link';
import { waitForRun } from '@main/cli/running/wait';
import { withCore } from '@main/cli/running/with-core';
import { type GateAnswer, type GateOption, missingWords, needsText } from '../../contract/gate';
import type { GateRow } from '../../contract/procedures';
import { answerAlike } from './answer-alike';

const BY = 'command line';

const waitFlags = {
  wait: { help: 'then follow the run to its end, through gates' },
  detach: { help: 'if no Muster is running, let one in the background continue the run' },
  'all-alike': { help: 'give the same answer to every open question of this cause, in all runs' },
} as const;

const more = [
  'RUN is enough if only one gate of the run is open. A running Muster continues the run, and the command returns.',
  'Otherwise the run continues here until it ends or reaches its next gate (code 6).',
].join('\n');

export const approveCommand = command({
  name: 'approve',
  summary: 'Approves a gate, or chooses another of its options.',
  words: 'RUN[/GATE]',
  least: 1,
  most: 1,
  heedsStop: true,
  more,
  flags: {
    option: { value: 'ID', help: 'the option, if there are several; `muster gates` lists them' },
    text: { value: 'TEXT', help: 'your answer, if the gate asks for a text' },
    ...waitFlags,
  },
  run: (context, { words, flags }) => {
    const text = flags.text === undefined ? {} : { text: flags.text };
    return answer(context, words[0] ?? '', {
      tone: 'approve',
      option: flags.option,
      more: text,
      ...waiting(flags),
    });
  },
});

export const rejectCommand = command({
  name: 'reject',
  summary: 'Rejects a gate, with a reason where it needs one.',
  words: 'RUN[/GATE]',
  least: 1,
  most: 1,
  heedsStop: true,
  more,
  flags: {
    reason: { value: 'TEXT', help: 'why; `muster gates` lists the answers that need it' },
    option: { value: 'ID', help: 'the option, if several reject' },
    ...waitFlags,
  },
  run: (context, { words, flags }) => {
    const reason = flags.reason === undefined ? {} : { reason: flags.reason };
    return answer(context, words[0] ?? '', {
      tone: 'reject',
      option: flags.option,
      more: reason,
      ...waiting(flags),
    });
  },
});

export const answerCommand = command({
  name: 'answer',
  summary: 'Answers a gate that asks for a text.',
  words: 'RUN[/GATE] TEXT',
  least: 2,
  most: 2,
  heedsStop: true,
  more,
  flags: { option: { value: 'ID', help: 'the option, if several approve' }, ...waitFlags },
  run: (context, { words, flags }) =>
    answer(context, words[0] ?? '', {
      tone: 'approve',
      option: flags.option,
      more: { text: words[1] ?? '' },
      ...waiting(flags),
    }),
});

export const chooseCommand = command({
  name: 'choose',
  summary: 'Chooses an option of a gate by its name.',
  words: 'RUN[/GATE] OPTION',
  least: 2,
  most: 2,
  heedsStop: true,
  more,
  flags: {
    text: { value: 'TEXT', help: 'your answer, if the option asks for a text' },
    reason: { value: 'TEXT', help: 'the reason, if the option asks for one' },
    ...waitFlags,
  },
  run: (context, { words, flags }) => {
    const { text, reason } = flags;
    return answer(context, words[0] ?? '', {
      tone: 'approve',
      option: words[1],
      more: { ...(text !== undefined && { text }), ...(reason !== undefined && { reason }) },
      ...waiting(flags),
    });
  },
});

const waiting = (flags: { wait: boolean; detach: boolean; 'all-alike': boolean }) => ({
  wait: flags.wait,
  detach: flags.detach,
  alike: flags['all-alike'],
});

interface Wish {
  readonly tone: 'approve' | 'reject';
  readonly option: string | undefined;
  readonly more: Pick<GateAnswer, 'reason' | 'text'>;
  readonly wait: boolean;
  readonly detach: boolean;
  readonly alike: boolean;
}

async function answer(context: Context, address: string, wish: Wish): Promise<Result<ExitCode>> {
  if (wish.alike)
    return answerAlike(context, address, { ...wish, by: BY, choose: (gate) => chosen(gate, wish) });
  const mode = wish.detach ? 'background' : 'working';
  // The first look tells which gate is meant: asked again, `RUN` alone could mean the next one.
  let meant: SentAnswer | null = null;
  const done = await withCore(context, { mode }, async (link) => {
    const found: Result<SentAnswer> = meant === null ? await gateFor(link, address, wish) : ok(meant);
    if (!found.ok) return found;
    const isRepeat = meant !== null;
    meant = found.value;
    return give(link, { ...found.value, wish, isRepeat });
  });
  if (!done.ok) return done;
  const { link, value } = done.value;
  const { runId, gateId, option, afterSeq, row } = value;
  if (link.kind === 'attached' && !wish.wait) {
    context.out.document(row, () => [
      `Gate ${runId}/${gateId}: ${option}. The run continues in process ${link.pid}.`,
    ]);
    return ok(EXIT.ok);
  }
  return waitForRun(context, { link, runId, throughGates: wish.wait, afterSeq });
}

interface SentAnswer {
  readonly runId: number;
  readonly gateId: number;
  readonly option: string;
  /** Where the run was before the answer. */
  readonly afterSeq: number;
}

async function gateFor(link: Link, address: string, wish: Wish): Promise<Result<SentAnswer>> {
  const found = await findGate(link, address);
  if (!found.ok) return found;
  const { run, gate } = found.value;
  const option = chosen(gate, wish);
  if (!option.ok) return option;
  // Before the answer: what it starts is to find the run taken up.
  await link.takeUp([run.id]);
  const before = await seqOf(link, run.id);
  if (!before.ok) return before;
  return ok({ runId: run.id, gateId: gate.gateId, option: option.value, afterSeq: before.value });
}

/** Gives the answer. `asked`: a core that has ended may have taken it already, and then it is there. */
async function give(
  link: Link,
  { wish, isRepeat, ...given }: SentAnswer & { readonly wish: Wish; readonly isRepeat: boolean },
): Promise<Result<SentAnswer & { readonly row: GateRow }>> {
  const { runId, gateId, option } = given;
  if (isRepeat) await link.takeUp([runId]);
  const known = isRepeat ? await findGate(link, `${runId}/${gateId}`) : null;
  if (known !== null && !known.ok) return known;
  const row = known?.value.gate;
  if (row?.by === BY && row.answer?.option === option) return ok({ ...given, row });
  const resolved = await ask(link, 'gate.resolve', {
    runId,
    gateId,
    by: BY,
    answer: { option, ...wish.more },
  });
  return resolved.ok ? ok({ ...given, row: resolved.value }) : resolved;
}

/** The option that is meant, where the answer has the words that it needs. */
function chosen(gate: GateRow, wish: Wish): Result<string> {
  const named = namedOption(gate, wish);
  if (!named.ok) return named;
  const option = gate.options.find(({ id }) => id === named.value);
  const missing = option === undefined ? null : missingWords(option, wish.more);
  if (option === undefined || missing === null) return named;
  const verb = missing === 'reason' ? 'reject' : 'approve';
  const which = wish.option === undefined ? '' : ` --option ${option.id}`;
  return fail('gate.bad_answer', `"${option.label}" needs a ${missing}`, {
    mend: `muster ${verb} ${gate.runId}/${gate.gateId}${which} --${missing} TEXT`,
  });
}

/** The option that is named, else the only one of the wished kind. */
function namedOption(gate: GateRow, { tone, option, more: words }: Wish): Result<string> {
  if (option !== undefined) {
    const named = gate.options.find(({ label }) => label.toLowerCase() === option.trim().toLowerCase());
    return ok(named?.id ?? option);
  }
  const fit = gate.options.filter((candidate) => candidate.tone === tone);
  // A question in a terminal has no option that approves: a text is typed there.
  const typed = fit.length > 0 || words.text === undefined ? undefined : gate.options.find(needsText);
  if (typed !== undefined) return ok(typed.id);
  const [only] = fit;
  if (only !== undefined && fit.length === 1) return ok(only.id);
  const what = fit.length === 0 ? `has no option that ${tone}s` : `has ${fit.length} options that ${tone}`;
  return fail('gate.bad_answer', `gate ${gate.runId}/${gate.gateId} ${what}`, {
    mend: optionsOf(gate.options),
  });
}

const optionsOf = (options: readonly GateOption[]): string =>
  `name one: ${options.map(({ id, label }) => `--option ${id} (${label})`).join(', ')}`;
