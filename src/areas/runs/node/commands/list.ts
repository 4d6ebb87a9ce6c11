import { fail, ok } from '@contract/result';
import type { RunRow } from '@contract/run/procedures';
import { runStatusSchema } from '@contract/run/state';
import { rowAsks } from '@contract/run/status';
import { resumeWords } from '@contract/time-words';
import { ask } from '@main/api/core-service';
import { liveRuns } from '@main/cli/address';
import { numberFlag, wholeNumber } from '@main/cli/arguments/flag-values';
import { command } from '@main/cli/command';
import { EXIT } from '@main/cli/exit';
import { columns, counted, cut, shownName } from '@main/cli/output/columns';
import type { Output } from '@main/cli/output/output';
import { statusWord } from '@main/cli/output/style';
import { dayAndTime, duration } from '@main/cli/output/time';

const MOST_RUNS = 500;

export const listCommand = command({
  name: 'list',
  summary: 'Lists runs, the newest first.',
  words: '',
  least: 0,
  most: 0,
  flags: {
    status: { value: 'STATUS', help: runStatusSchema.options.join(', ') },
    search: { value: 'TEXT', help: 'only runs with this in their name, instruction or project' },
    limit: { value: 'N', help: `how many (default 30, at most ${MOST_RUNS})` },
  },
  onlyAsks: true,
  async run(context, { flags }) {
    const status = runStatusSchema.optional().safeParse(flags.status);
    if (!status.success) {
      return fail('input.invalid', `"${flags.status}" is not a status`, {
        mend: `one of: ${runStatusSchema.options.join(', ')}`,
      });
    }
    const limitFlag = numberFlag('limit', flags.limit, wholeNumber(1, MOST_RUNS));
    if (!limitFlag.ok) return limitFlag;
    const limit = limitFlag.value ?? 30;
    const link = await context.open({ mode: 'reading' });
    if (!link.ok) return link;
    const listed = await ask(link.value, 'run.list', { limit, status: status.data, search: flags.search });
    if (!listed.ok) return listed;
    const { rows, more } = listed.value;
    const live = await liveRuns(link.value);
    const isParked = ({ id, status: now }: RunRow) =>
      (now === 'running' || now === 'cancelling') && !live(id);
    const parked = rows.filter(isParked).map(({ id }) => id);
    const document = { runs: rows, more, live: link.value.kind === 'attached', parked };
    const besides = await ask(link.value, 'attention.list', { decisions: false });
    const waits = new Map(
      (besides.ok ? besides.value.waits : []).map(({ runId, at }) => [runId, at] as const).reverse(),
    );
    context.out.document(document, () => [
      ...lines(rows, { live, waits }, context.out),
      ...(more ? ['There are more: --limit N'] : []),
    ]);
    return ok(EXIT.ok);
  },
});

interface Standing {
  readonly live: (runId: number) => boolean;
  /** When runs go on by themselves, by run. */
  readonly waits: ReadonlyMap<number, number>;
}

function lines(rows: readonly RunRow[], { live, waits }: Standing, { style, width }: Output): string[] {
  if (rows.length === 0) return ['No runs.'];
  const now = Date.now();
  const head = ['RUN', 'STATUS', 'STEPS', 'STARTED', 'TOOK', 'COST', 'PROJECT', 'AGENT', 'NAME'].map(
    style.dim,
  );
  const table = rows.map((row) => [
    String(row.id),
    statusWord(style, row.status, live(row.id)),
    `${row.stepsDone}/${row.steps}`,
    dayAndTime(row.startedAt),
    // One that waits takes time as well; of a parked one the time of its last event is known.
    duration((row.finishedAt ?? (live(row.id) ? now : row.at)) - row.startedAt),
    costWords(row),
    row.projectName,
    cut(row.agents || '-', LONGEST_AGENTS),
    [
      shownName(row.name),
      ...(row.now === null || !(live(row.id) || rowAsks(row)) ? [] : [`(${row.now})`]),
      ...later(waits.get(row.id), now),
    ].join('  '),
  ]);
  return columns([head, ...table], { width });
}

const LONGEST_AGENTS = 24;

/** A row does not distinguish a cost of zero from an unreported one. */
const costWords = ({ costUsd, tokens }: RunRow): string =>
  costUsd > 0 ? `$${costUsd.toFixed(2)}` : tokens > 0 ? counted(tokens, 'token') : '-';

const later = (at: number | undefined, now: number): string[] =>
  at === undefined ? [] : [resumeWords(at, now)];
