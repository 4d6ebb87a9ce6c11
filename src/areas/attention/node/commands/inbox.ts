import type { GateRow } from '@areas/gates/contract/procedures';
import { gateOrigin } from '@areas/gates/contract/requester';
import { ok, type Result } from '@contract/result';
import type { RunRow } from '@contract/run/procedures';
import { resumeWords } from '@contract/time-words';
import { ask } from '@main/api/core-service';
import { findRun } from '@main/cli/address';
import { type Context, command } from '@main/cli/command';
import { EXIT } from '@main/cli/exit';
import type { Link } from '@main/cli/link/link';
import { columns, shownName } from '@main/cli/output/columns';
import { duration } from '@main/cli/output/time';
import { parkedRuns, parkedSection } from '@main/cli/running/parked-runs';
import type { Attention, Reply } from '../../contract/procedures';

export const inboxCommand = command({
  name: 'inbox',
  summary:
    'Shows what needs you: decisions, members who wait for your reply, new failures, and pull requests.',
  words: '[RUN]',
  least: 0,
  most: 1,
  more: [
    'A failure is listed until you mark it with --seen; with RUN, only the failure of that run. Runs that continue by',
    'themselves, such as after a provider limit, are listed last.',
    '`muster gates` shows each question with the commands that answer it.',
  ].join('\n'),
  flags: { seen: { help: 'mark the listed failures as seen' } },
  onlyAsks: true,
  async run(context, { flags, words }) {
    const link = await context.open({ mode: 'reading' });
    if (!link.ok) return link;
    const listed = await ask(link.value, 'attention.list', {});
    if (!listed.ok) return listed;
    const { failures } = listed.value;
    const parked = await parkedRuns(link.value);
    const document = { ...listed.value, parked: parked.map(({ id }) => id) };
    context.out.document(document, () => lines(context, listed.value, parked));
    if (flags.seen) {
      const done = await markSeen(link.value, { failures, address: words[0] });
      if (!done.ok) return done;
    }
    return ok(EXIT.ok);
  },
});

interface Seen {
  readonly failures: Attention['failures'];
  readonly address: string | undefined;
}

async function markSeen(link: Link, { failures, address }: Seen): Promise<Result<unknown>> {
  const run = address === undefined ? null : await findRun(link, address);
  if (run !== null && !run.ok) return run;
  const of = run === null ? failures : failures.filter(({ runId }) => runId === run.value.id);
  if (of.length === 0) return ok(null);
  const upTo = Math.max(...of.map(({ at }) => at));
  return ask(link, 'attention.markSeen', { upTo, ...(run !== null && { runId: run.value.id }) });
}

function lines({ out, again }: Context, listed: Attention, parked: readonly RunRow[]): string[] {
  const { decisions, replies, failures, pulls, waits, snoozed } = listed;
  const now = Date.now();
  const sections: [string, string[][]][] = [
    [
      'Decisions',
      decisions.map((gate) => [
        `${gate.runId}/${gate.gateId}`,
        questionText(gate),
        gateOrigin(gate),
        duration(now - gate.openedAt),
      ]),
    ],
    [
      'Replies',
      replies.map(({ runId, member, round, runName, since, lastWords }) => [
        String(runId),
        replyWords({ member, round, lastWords }),
        shownName(runName),
        duration(now - since),
      ]),
    ],
    [
      'Failures',
      failures.map(({ runId, runName, reason, at }) => [
        String(runId),
        reason ?? 'It failed.',
        shownName(runName),
        duration(now - at),
      ]),
    ],
    [
      'Pull requests',
      pulls.map(({ runId, number, what, runName, at }) => [
        String(runId),
        number === null ? what : `#${number}: ${what}`,
        shownName(runName),
        duration(now - at),
      ]),
    ],
    [
      'Goes on by itself',
      waits.map(({ runId, runName, what, at }) => [
        String(runId),
        what,
        shownName(runName),
        resumeWords(at, now),
      ]),
    ],
    parkedSection(parked),
  ];
  const shown = sections.filter(([, rows]) => rows.length > 0);
  const off = snoozed === 0 ? [] : ['', `Snoozed: ${snoozed}`];
  if (decisions.length + replies.length + failures.length + pulls.length + parked.length === 0)
    return ['Nothing needs you.', ...tableOf(shown, out), ...off];
  return [...tableOf(shown, out).slice(1), ...off, '', 'Look closer:', ...closer(again, listed, parked)];
}

/** The commands that show more of what is listed. */
function closer(
  again: Context['again'],
  { decisions, replies, failures, pulls }: Attention,
  parked: readonly RunRow[],
): string[] {
  return [
    ...(parked.length > 0 ? [`  ${again('resume', String(parked[0]?.id))}`] : []),
    ...(decisions.length > 0 ? [`  ${again('gates')}`] : []),
    ...(replies.length > 0 ? [`  ${again('team', 'messages', String(replies[0]?.runId))}`] : []),
    ...(pulls.length > 0 ? [`  ${again('pr', 'show', String(pulls[0]?.runId))}`] : []),
    ...(failures.length > 0 ? [`  ${again('show', String(failures[0]?.runId))}`] : []),
  ];
}

function replyWords({ member, round, lastWords }: Pick<Reply, 'member' | 'round' | 'lastWords'>): string {
  if (member === null) return 'the team is idle: give it work or end it';
  return `${member} delivered round ${round}${lastWords === null ? '' : `: ${lastWords.split('\n')[0]}`}`;
}

const questionText = ({ title, message }: GateRow): string => {
  const [first = ''] = message.trim().split('\n');
  return first === '' || title.includes(first) ? title : `${title}: ${shownName(first)}`;
};

const tableOf = (sections: readonly [string, string[][]][], out: Context['out']): string[] =>
  sections.flatMap(([title, rows]) => [
    '',
    out.style.bold(title),
    ...columns(rows, { indent: '  ', width: out.width }),
  ]);
