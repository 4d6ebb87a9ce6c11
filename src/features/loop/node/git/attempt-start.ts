import { readdir } from 'node:fs/promises';
import { join } from 'node:path';
import type { Git } from '@main/adapters/git/command/git-command';
import type { Untold } from '../../contract/events';
import type { LookedBefore, LoopPlace } from '../../contract/ports';
import { changedAt, logBase, planText, progressNow } from './files';
import { timesOf } from './times';

const MOST_MOVES = 200;

/**
 * Reconstructs the state at the start of an unobserved attempt from HEAD's reflog and the times of commits
 * and files. What they do not reveal is listed in `untold`; the current state is used for it.
 */
export async function begunBefore(
  git: Git,
  { cwd, folder }: LoopPlace,
  iteration: number,
): Promise<LookedBefore & { readonly untold: readonly Untold[] }> {
  const path = join(cwd, folder);
  const at = await beginningOf(path, iteration);
  const now = await git.object('HEAD^{commit}');
  const head = at === null ? undefined : await headBefore(git, at);
  const plan = await planBefore(git, { cwd, folder, path }, { at, head: head ?? null });
  const progressAt = await changedAt(path, 'progress.txt');
  const progress = at !== null && (progressAt === null || progressAt < at);
  const untold: Untold[] = [
    ...(head === undefined ? (['commits'] as const) : []),
    ...(plan.certain ? [] : (['plan'] as const)),
    ...(progress ? [] : (['progress'] as const)),
  ];
  return {
    head: head === undefined ? now : head,
    text: plan.text,
    ...(await progressNow(path)),
    untold,
  };
}

/**
 * When an attempt began, from its log's creation time. Attempts are sequential, so an overwritten log began
 * after the others were last written.
 */
async function beginningOf(path: string, iteration: number): Promise<number | null> {
  const logs = join(path, 'logs');
  const own = await timesOf(join(logs, `${logBase(iteration)}.jsonl`));
  if (own === null) return null;
  const names = (await readdir(logs)).filter(
    (name) => /^codex-iteration-\d+\.jsonl$/.test(name) && name !== `${logBase(iteration)}.jsonl`,
  );
  const others = await Promise.all(names.map((name) => timesOf(join(logs, name))));
  return Math.max(own.born, ...others.map((times) => Math.min(times?.written ?? 0, own.written)));
}

/** HEAD's commit at a time; undefined if unknown. Git stores these times in seconds. */
async function headBefore(git: Git, at: number): Promise<string | null | undefined> {
  const format = ['--format=%H%x00%gd', '--date=unix', `-${MOST_MOVES}`];
  const rows = (await git.maybe('reflog', 'show', ...format, 'HEAD', '--')) ?? '';
  for (const row of rows.split('\n')) {
    const [full = '', when = ''] = row.split('\0');
    const seconds = Number(/@\{(\d+)\}$/.exec(when)?.[1] ?? Number.NaN);
    if (Number.isNaN(seconds)) break;
    if (seconds * 1000 + 999 < at) return full;
    if (seconds * 1000 <= at) return undefined;
  }
  const found = await git.maybe(
    'rev-list',
    '--max-count=1',
    `--before=${Math.floor(at / 1000) - 1}`,
    'HEAD',
    '--',
  );
  return found === null || found === '' ? undefined : found;
}

async function planBefore(
  git: Git,
  place: LoopPlace & { readonly path: string },
  { at, head }: { readonly at: number | null; readonly head: string | null },
): Promise<{ readonly text: string | null; readonly certain: boolean }> {
  const now = await planText(place);
  const changed = await changedAt(place.path, 'prd.json');
  if (at !== null && changed !== null && changed < at) return { text: now, certain: true };
  const prefix = (await git.maybe('rev-parse', '--show-prefix')) ?? '';
  const file = `${prefix}${place.folder === '.' ? '' : `${place.folder}/`}prd.json`;
  // What was committed by then existed; later changes may be an earlier attempt's work.
  const committed = head === null ? null : await git.maybe('show', `${head}:${file}`);
  return committed === null ? { text: now, certain: now === null } : { text: committed, certain: true };
}
