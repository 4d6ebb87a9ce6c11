import { fail, ok } from '@contract/result';
import { ask } from '@main/api/core-service';
import { numberFlag, wholeNumber } from '@main/cli/arguments/flag-values';
import { command } from '@main/cli/command';
import { EXIT } from '@main/cli/exit';
import { columns, shownName } from '@main/cli/output/columns';
import type { Output } from '@main/cli/output/output';
import { duration } from '@main/cli/output/time';
import { SPEND_DAYS, SPEND_MOST_DAYS } from '@main/limits/command-line';
import {
  type Spend,
  type SpendBy,
  type SpendRow,
  type SpendTotals,
  spendBySchema,
} from '../../contract/procedures';
import { budgetWords, costOfAccepted, costWords, SPEND_TITLES, spendCsv } from '../../contract/table';

const MOST_ROWS = 10_000;

export const spendCommand = command({
  name: 'spend',
  summary:
    'Adds up tokens, time and cost by day, project, workflow, run, agent, model, step, story or round.',
  words: '',
  least: 0,
  most: 0,
  more: 'A cost that an agent did not report is never counted as zero: it is listed as not reported.',
  flags: {
    by: { value: 'WHAT', help: `${spendBySchema.options.join(', ')} (default day)` },
    days: { value: 'N', help: `of the last N days, today included (default ${SPEND_DAYS})` },
    limit: { value: 'N', help: `how many rows (default 500, at most ${MOST_ROWS})` },
    csv: { help: 'prints the table as CSV' },
  },
  onlyAsks: true,
  async run(context, { flags }) {
    const by = spendBySchema.safeParse(flags.by ?? 'day');
    if (!by.success) {
      const mend = `one of: ${spendBySchema.options.join(', ')}`;
      return fail('input.invalid', `--by does not take "${flags.by}"`, { mend });
    }
    if (flags.csv && context.out.json) return fail('input.invalid', '--csv and --json cannot be combined');
    const days = numberFlag('days', flags.days, wholeNumber(1, SPEND_MOST_DAYS));
    if (!days.ok) return days;
    const limit = numberFlag('limit', flags.limit, wholeNumber(1, MOST_ROWS));
    if (!limit.ok) return limit;
    const link = await context.open({ mode: 'reading' });
    if (!link.ok) return link;
    const from = daysAgo(Date.now(), (days.value ?? SPEND_DAYS) - 1);
    const query = { by: by.data, from, ...(limit.value !== undefined && { limit: limit.value }) };
    const spend = await ask(link.value, 'spend.list', query);
    if (!spend.ok) return spend;
    if (flags.csv) await context.out.part(spendCsv(by.data, spend.value.rows));
    else context.out.document({ ...query, ...spend.value }, () => lines(by.data, spend.value, context.out));
    return ok(EXIT.ok);
  },
});

/** The start of a day, in the machine's own time zone. */
function daysAgo(now: number, days: number): number {
  const day = new Date(now);
  return Math.max(0, new Date(day.getFullYear(), day.getMonth(), day.getDate() - days).getTime());
}

const money = (usd: number): string => `$${usd.toFixed(4)}`;

function lines(by: SpendBy, spend: Spend, { style, width }: Output): string[] {
  if (spend.totals.turns === 0) return ['No turns in this period.'];
  const head = [SPEND_TITLES[by].toUpperCase(), 'TURNS', 'TIME', 'TOKENS', 'COST', ''].map(style.dim);
  const rows = spend.rows.map((row) => cells(shownName(row.label), row, aboutRow(row)));
  const total = cells('Total', spend.totals, '').map(style.bold);
  return [
    ...columns([head, ...rows, total], { width }),
    ...(spend.more ? ['There are more: --limit N'] : []),
    ...acceptedLine(by, spend),
  ];
}

const aboutRow = ({ detail, accepted, budget }: SpendRow): string =>
  [
    ...(accepted === true ? ['accepted'] : []),
    ...(budget === null ? [] : [`${budgetWords(budget, { money, count: String })} budget`]),
    ...(detail === null ? [] : [shownName(detail)]),
  ].join(', ');

function acceptedLine(by: SpendBy, spend: Spend): string[] {
  if (spend.pieces === null) return [];
  const { all, accepted } = spend.pieces;
  const each = costOfAccepted(spend);
  const cost = each === null ? '' : `: ${money(each)} for each, including what was not accepted`;
  return [`${accepted} of ${all} ${by === 'story' ? 'stories' : 'rounds'} accepted${cost}.`];
}

const cells = (label: string, totals: SpendTotals, detail: string): string[] => [
  label,
  String(totals.turns),
  totals.ms === null ? 'not known' : duration(totals.ms),
  totals.tokens === null ? 'not reported' : String(Math.round(totals.tokens)),
  costWords(totals, money),
  detail,
];
