import { ok } from '@contract/result';
import type { StoredEvent } from '@contract/run/events';
import type { RunRow } from '@contract/run/procedures';
import { reduce } from '@contract/run/reduce';
import { returnedBy } from '@contract/run/results/returned-output';
import type { RunState } from '@contract/run/state';
import { ask } from '@main/api/core-service';
import { liveRuns } from '@main/cli/address';
import { type Context, command } from '@main/cli/command';
import { EXIT } from '@main/cli/exit';
import type { Link } from '@main/cli/link/link';
import { resultLines, returnedLines } from '@main/cli/output/result-lines';
import { eventLines } from '@main/cli/output/run-lines';
import { overviewLines, turnLines } from '@main/cli/output/run-overview';
import { namingCommands, wholeReturned } from '@main/cli/output/whole-returned';

const PAGE = 1000;

export const showCommand = command({
  name: 'show',
  summary: 'Shows one run: its steps, open gates and results.',
  words: 'RUN',
  least: 1,
  most: 1,
  more: [
    'RUN is the number or the uid of a run. With --json a text above 64 KiB is {sha256, bytes, preview, whole}: `whole` is',
    'the command that prints all of it.',
  ].join('\n'),
  flags: {
    events: { help: 'all events, from the first to the last; with --json one line for each' },
    turns: { help: 'all prompts and answers' },
  },
  onlyAsks: true,
  async run(context, { words, flags }) {
    const opened = await context.open({ mode: 'reading' });
    if (!opened.ok) return opened;
    const link = opened.value;
    const row = await ask(link, 'run.find', { name: words[0] ?? '' });
    if (!row.ok) return row;
    if (flags.events) return showEvents(context, link, row.value);
    const run = await ask(link, 'run.get', { runId: row.value.id });
    if (!run.ok) return run;
    const { state } = run.value;
    const { out, again } = context;
    // An unreadable file, for example of a removed project, hides nothing else.
    const found = await ask(link, 'run.results', { runId: row.value.id });
    const results = found.ok ? found.value : [];
    const trouble = found.ok ? null : found.error;
    const live = (await liveRuns(link))(row.value.id);
    const turns = flags.turns ? Object.values(state.turns) : undefined;
    const document = { run: row.value, live, ...(flags.turns ? { turns } : { state }), results };
    const named = state.status === 'finished' ? returnedBy(state) : null;
    const whole = await wholeReturned(link, row.value.id, named);
    if (!whole.ok) return whole;
    const returned = whole.value;
    const returns = returned === null ? {} : { returns: returned };
    out.document({ ...namingCommands(context, row.value.id, document), ...returns }, () => [
      ...overviewLines({ row: row.value, state }, { style: out.style, again, live }),
      ...resultLines(row.value.id, { state, results, trouble }, { style: out.style, again }),
      ...returnedLines(returned, state, out.style),
      ...(turns ?? []).flatMap((turn) => turnLines(turn, state, out.style)),
    ]);
    return ok(EXIT.ok);
  },
});

async function showEvents(context: Context, link: Link, { id: runId }: RunRow) {
  const { out, again } = context;
  let state: RunState | null = null;
  for (let afterSeq = 0; ; ) {
    const page: Awaited<ReturnType<typeof eventsOf>> = await eventsOf(link, runId, afterSeq);
    if (!page.ok) return page;
    for (const stored of page.value) {
      const next: RunState = reduce(state, stored);
      state = next;
      const whole = namingCommands(context, runId, stored);
      out.record(whole, () => lineOf(stored, eventLines(stored, next, { style: out.style, again })));
    }
    afterSeq = state?.seq ?? 0;
    if (page.value.length < PAGE) return ok(EXIT.ok);
  }
}

const eventsOf = (link: Link, runId: number, afterSeq: number) =>
  ask(link, 'run.events', { runId, afterSeq, limit: PAGE });

/** Includes events that are skipped while a run continues. */
const lineOf = ({ seq, event }: StoredEvent, lines: readonly string[]): string[] => [
  `${String(seq).padStart(5)}  ${event.type}`,
  ...lines.map((text) => `       ${text}`),
];
