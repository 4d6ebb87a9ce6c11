import { evidencePieces } from '@areas/evidence/contract/evidence';
import type { AppError } from '@contract/errors';
import type { ProcedureOutput } from '@contract/ipc';
import { fail, ok, type Result } from '@contract/result';
import { ask } from '@main/api/core-service';
import { findGate, findRun } from '@main/cli/address';
import { timeFlag } from '@main/cli/arguments/flag-values';
import { type Context, command } from '@main/cli/command';
import { EXIT, type ExitCode } from '@main/cli/exit';
import type { Link } from '@main/cli/link/link';
import { wholeDiff } from '@main/cli/link/whole-diff';
import { counted } from '@main/cli/output/columns';
import { diffLines } from '@main/cli/output/diff-lines';
import { oneLine } from '@main/cli/output/evidence-lines';
import { gateLines } from '@main/cli/output/gate-lines';
import { dayAndTime, duration } from '@main/cli/output/time';
import { namingCommands } from '@main/cli/output/whole-returned';
import { groupsOf } from '../../contract/cause';
import { interruptedTurnGate } from '../../contract/interrupted-turn-gate';
import { allGates } from '../../contract/pages';
import type { AskedBefore } from '../../contract/previous-answer';
import type { GateRow } from '../../contract/procedures';
import { gateOrigin } from '../../contract/requester';

export const gatesCommand = command({
  name: 'gates',
  summary: 'Lists what waits for you, with the command for each answer.',
  words: '[RUN[/GATE]]',
  least: 0,
  most: 1,
  more: 'With RUN only the gates of that run; with RUN/GATE that one, whole.',
  flags: {
    snooze: { value: 'WHEN', help: 'snooze RUN/GATE: 20m, 4h, 2d, or never to end its snooze' },
  },
  onlyAsks: true,
  async run(context, { words, flags }) {
    if (flags.snooze !== undefined) return snooze(context, words[0] ?? '', flags.snooze);
    const link = await context.open({ mode: 'reading' });
    if (!link.ok) return link;
    const namesGate = words[0]?.includes('/') === true;
    const listed = await gatesFor(link.value, words[0]);
    if (!listed.ok) return listed;
    const rows = listed.value;
    const [only] = rows;
    const previous = namesGate && only ? await ask(link.value, 'gate.before', only) : null;
    const before = previous?.ok === true ? previous.value.before : null;
    const { out, again } = context;
    const changes = namesGate && only ? await changesOf(link.value, only) : [];
    const shown = { ...(before !== null && { before }), ...(changes.length > 0 && { changes }) };
    const named = rows.map((one) => namingCommands(context, one.runId, one));
    out.document({ gates: named, ...shown }, () => {
      if (rows.length === 0) return ['Nothing waits.'];
      return groupsOf(rows).flatMap(([row, ...alike], index) => {
        const [head = '', ...rest] = gateLines(row, again, {
          whole: namesGate,
          changes: changes.flatMap(changeLines),
        });
        const since = `${gateOrigin(row)}, for ${duration(Date.now() - row.openedAt)}`;
        return [
          ...(index > 0 ? [''] : []),
          `${out.style.bold(head)}  ${out.style.dim(since)}`,
          ...beforeLines(before),
          ...cutOffLines(interruptedTurnGate(row, rows)),
          ...rest,
          ...alikeLines(alike, `${row.runId}/${row.gateId}`),
        ];
      });
    });
    return ok(EXIT.ok);
  },
});

type Change =
  | { readonly title: string | null; readonly diff: ProcedureOutput<'workspace.diff'> }
  | { readonly title: string | null; readonly error: AppError };

/** The changes of files that a gate asks about, as they are now. */
async function changesOf(link: Link, gate: GateRow): Promise<Change[]> {
  const recorded = evidencePieces(gate, 'text').flatMap(({ capture, title = null }) =>
    capture === undefined ? [] : [{ title, of: { kind: 'capture' as const, captureId: capture } }],
  );
  const all = [...recorded, ...(gate.changes === undefined ? [] : [{ title: null, of: gate.changes }])];
  return Promise.all(
    all.map(async ({ title, of }): Promise<Change> => {
      const read = await wholeDiff(link, gate.runId, of);
      return read.ok ? { title, diff: read.value } : { title, error: read.error };
    }),
  );
}

function changeLines(change: Change): string[] {
  const head = change.title === null ? [] : [`${oneLine(change.title)}:`];
  if ('error' in change)
    return [...head, change.error.message, ...(change.error.mend === undefined ? [] : [change.error.mend])];
  const { unread, files, notes } = change.diff;
  return [
    ...head,
    ...(unread === null ? [] : [`As last recorded: ${unread}`]),
    ...notes,
    ...diffLines(files),
  ];
}

async function snooze(context: Context, address: string, when: string): Promise<Result<ExitCode>> {
  const until = timeFlag(when, Date.now());
  if (until === undefined)
    return fail('input.invalid', `"${when}" is not a time`, {
      mend: '20m, 4h, 2d, today, or never to end the snooze',
    });
  const link = await context.open({ mode: 'working' });
  if (!link.ok) return link;
  const found = await findGate(link.value, address);
  if (!found.ok) return found;
  const { runId, gateId } = found.value.gate;
  const row = await ask(link.value, 'gate.snooze', { runId, gateId, until });
  if (!row.ok) return row;
  context.out.document(row.value, () => [
    until === null ? 'The question is asked again.' : `The question is snoozed until ${dayAndTime(until)}.`,
  ]);
  return ok(EXIT.ok);
}

/** The previous answer to the same question. */
const beforeLines = (before: AskedBefore | null): string[] =>
  before === null
    ? []
    : [
        `  Asked ${counted(before.round, 'time')}. Your last answer was ${oneLine(before.answer)}:`,
        ...before.reason.split('\n').map((text) => `  > ${text}`),
      ];

const cutOffLines = (first: GateRow | undefined): string[] =>
  first === undefined ? [] : [`  Its turn was cut off. First answer ${first.runId}/${first.gateId}.`];

/** Other gates with the same question, in short. */
function alikeLines(alike: readonly GateRow[], address: string): string[] {
  if (alike.length === 0) return [];
  return [
    `  The same question waits ${counted(alike.length, 'more time')}; add --all-alike to an answer of ${address}:`,
    ...alike.map((row) => `    ${row.runId}/${row.gateId}  ${gateOrigin(row)}`),
  ];
}

async function gatesFor(link: Link, address: string | undefined): Promise<Result<readonly GateRow[]>> {
  if (address?.includes('/')) {
    const found = await findGate(link, address);
    return found.ok ? ok([found.value.gate]) : found;
  }
  if (address === undefined) return allGates((page) => ask(link, 'gate.list', page));
  const run = await findRun(link, address);
  if (!run.ok) return run;
  const runId = run.value.id;
  const listed = await allGates((page) => ask(link, 'gate.list', { runId, ...page }));
  return listed.ok ? ok(listed.value.filter((row) => row.runId === runId)) : listed;
}
