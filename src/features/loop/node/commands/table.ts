import type { RunState } from '@contract/run/state';
import { MINUTE_MS } from '@contract/time-units';
import { columns, counted } from '@main/cli/output/columns';
import type { Style } from '@main/cli/output/style';
import { loopForecast, type StoryCost, storyCosts } from '../../contract/costs';
import type { LoopState } from '../../contract/state';
import { type LoopRow, spentByAttempt, storyOf, turnsByAttempt } from '../../contract/summary';

const phases: Readonly<Record<LoopRow['phase'], string>> = {
  opening: 'starting',
  reading: 'reads the plan',
  working: 'working',
  watching: 'watching',
  looking: 'reads the result',
  waiting: 'waits for you',
  limited: 'waits for the provider',
  cancelling: 'being cancelled',
  complete: 'complete',
  failed: 'failed',
  stopped: 'stopped',
};

const tokensOf = (tokens: number, costUsd: number): string =>
  [tokens === 0 ? '-' : String(tokens), ...(costUsd > 0 ? [`$${costUsd.toFixed(2)}`] : [])].join(' ');
const minutesOf = (ms: number): string =>
  ms < MINUTE_MS ? `${Math.round(ms / 1000)}s` : `${Math.round(ms / MINUTE_MS)}m`;

/** Loops, one per line. */
export function loopTable(rows: readonly LoopRow[], style: Style, width: number | undefined): string[] {
  if (rows.length === 0) return ['No loops.'];
  const head = ['RUN', 'STATUS', 'ITERATION', 'STORIES', 'TOKENS', 'PROJECT', 'BRANCH', 'NAME'].map(
    style.dim,
  );
  const lines = rows.map((row) => [
    String(row.runId),
    phases[row.phase],
    `${row.iteration}/${row.of}${row.retry > 0 ? ` (retry ${row.retry})` : ''}`,
    row.stories === 0 ? '-' : `${row.passing}/${row.stories}`,
    tokensOf(row.tokens, row.costUsd),
    row.projectName,
    row.branch ?? '-',
    row.runName,
  ]);
  return columns([head, ...lines], { width });
}

/** Each attempt of a loop, and each story's time and tokens. */
export function attemptTable(
  { state, loop }: { readonly state: RunState; readonly loop: LoopState },
  style: Style,
  width: number | undefined,
): string[] {
  if (loop.attempts.length === 0) return ['No attempts yet.'];
  const turns = turnsByAttempt(state, loop);
  const rows = loop.attempts.map((attempt) => {
    const { id, iteration, retry, startedAt, endedAt, judged } = attempt;
    const story = storyOf(attempt)?.id ?? 'unknown';
    const { tokens, costUsd } = spentByAttempt(attempt, turns.get(id) ?? []);
    const ms = (endedAt ?? state.at) - startedAt;
    return [
      `${iteration}${retry > 0 ? ` (retry ${retry})` : ''}`,
      story,
      judged?.result ?? 'working',
      judged?.commit ?? '-',
      minutesOf(ms),
      tokensOf(tokens, costUsd),
      judged?.summary[0] ?? '',
    ];
  });
  const perStory = storyCosts(state, loop).map(({ storyId, attempts, ms, tokens, costUsd }) => [
    storyId ?? 'unknown',
    String(attempts.length),
    minutesOf(ms),
    ...spendCells({ tokens, costUsd }),
  ]);
  return [
    ...columns(
      [['ITERATION', 'STORY', 'RESULT', 'COMMIT', 'TIME', 'TOKENS', 'SUMMARY'].map(style.dim), ...rows],
      { width },
    ),
    '',
    ...columns([['STORY', 'ATTEMPTS', 'TIME', 'TOKENS', 'COST'].map(style.dim), ...perStory], { width }),
    ...forecastLines({ state, loop }),
  ];
}

const NOT_KNOWN = 'not known';

const spendCells = ({
  tokens,
  costUsd,
}: Pick<StoryCost, 'tokens' | 'costUsd'>): [tokens: string, cost: string] => [
  tokens === null ? NOT_KNOWN : String(Math.round(tokens)),
  costUsd === null ? NOT_KNOWN : `$${costUsd.toFixed(2)}`,
];

function forecastLines({ state, loop }: { readonly state: RunState; readonly loop: LoopState }): string[] {
  const forecast = loopForecast(state, loop);
  if (forecast === null) return [];
  const [tokens, cost] = spendCells(forecast);
  return [
    '',
    `Estimate for ${forecast.stories === 1 ? '1 open story' : `${forecast.stories} open stories`}: ${minutesOf(forecast.ms)}, tokens ${tokens}, cost ${cost}.`,
    `Assumes one attempt per story, with the median time of ${counted(forecast.attempts, 'attempt')} so far.`,
  ];
}
