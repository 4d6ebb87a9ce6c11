import type { LoopState } from '@contract/loop/state';
import { type LoopRow, spentByAttempt, storyOf, turnsByAttempt } from '@contract/loop/summary';
import type { RunState } from '@contract/run/state';
import { columns } from './columns';
import type { Style } from './style';

const phases: Readonly<Record<LoopRow['phase'], string>> = {
  opening: 'starting',
  reading: 'reads the plan',
  working: 'working',
  watching: 'watching',
  looking: 'reads the result',
  waiting: 'waits for you',
  cancelling: 'being cancelled',
  complete: 'complete',
  failed: 'failed',
  stopped: 'stopped',
};

const tokensOf = (tokens: number, costUsd: number): string =>
  [tokens === 0 ? '-' : String(tokens), ...(costUsd > 0 ? [`$${costUsd.toFixed(2)}`] : [])].join(' ');
const minutesOf = (ms: number): string =>
  ms < 60_000 ? `${Math.round(ms / 1000)}s` : `${Math.round(ms / 60_000)}m`;

/** Loops, one a line. */
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

/** Each attempt of a loop, and what each story took in time and tokens. */
export function attemptTable(
  { state, loop }: { readonly state: RunState; readonly loop: LoopState },
  style: Style,
  width: number | undefined,
): string[] {
  if (loop.attempts.length === 0) return ['No attempt has begun.'];
  const turns = turnsByAttempt(state, loop);
  const stories = new Map<string, { attempts: number; ms: number; tokens: number; costUsd: number }>();
  const rows = loop.attempts.map((attempt) => {
    const { id, iteration, retry, startedAt, endedAt, judged } = attempt;
    const story = storyOf(attempt)?.id ?? 'unknown';
    const { tokens, costUsd } = spentByAttempt(attempt, turns.get(id) ?? []);
    const ms = (endedAt ?? state.at) - startedAt;
    const sum = stories.get(story) ?? { attempts: 0, ms: 0, tokens: 0, costUsd: 0 };
    stories.set(story, {
      attempts: sum.attempts + 1,
      ms: sum.ms + ms,
      tokens: sum.tokens + tokens,
      costUsd: sum.costUsd + costUsd,
    });
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
  const perStory = [...stories].map(([story, { attempts, ms, tokens, costUsd }]) => [
    story,
    String(attempts),
    minutesOf(ms),
    tokensOf(tokens, costUsd),
  ]);
  return [
    ...columns(
      [['ITERATION', 'STORY', 'RESULT', 'COMMIT', 'TIME', 'TOKENS', 'SUMMARY'].map(style.dim), ...rows],
      { width },
    ),
    '',
    ...columns([['STORY', 'ATTEMPTS', 'TIME', 'TOKENS'].map(style.dim), ...perStory], { width }),
  ];
}
