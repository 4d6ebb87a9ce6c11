import { join } from 'node:path';
import { commitAll, Kit, movesOfFile, write } from '@main/adapters/git/testing/kit';
import type { WorkerLogs } from '../../../contract/ports';
import { GitLoops } from '..';

const NOW = new Date(2026, 10, 22, 5, 6, 7);
export const loops = new GitLoops(movesOfFile(), () => NOW);
export const plan = (branchName: string, more: object = {}) =>
  JSON.stringify({ branchName, userStories: [], ...more });
export const branchOf = (text: string | null): string | null =>
  text === null ? null : ((JSON.parse(text) as { branchName?: string }).branchName ?? null);

export function project(
  folder = '.',
  branch = 'ralph/one',
): { kit: Kit; place: { cwd: string; folder: string }; path: string } {
  const kit = new Kit();
  kit.init('a.txt');
  write(kit.project, join(folder, 'prd.json'), plan(branch));
  commitAll(kit.project, 'plan');
  return { kit, place: { cwd: kit.project, folder }, path: join(kit.project, folder) };
}
export const open = async (place: { cwd: string; folder: string }) => {
  const opened = await loops.open(place, { branchOf });
  if (!opened.ok) throw new Error(opened.error.message);
  return opened.value;
};
export const prepare = async (place: { cwd: string; folder: string }, iteration = 1, retry = 0) => {
  const looked = await loops.prepare(place, { iteration, retry, branch: null });
  if (!looked.ok) throw new Error(looked.error.message);
  return looked.value;
};
export const examine = async (
  place: { cwd: string; folder: string },
  before: Awaited<ReturnType<typeof prepare>>,
  {
    branch = null,
    logs = { jsonl: () => '{"item":1}\n', message: 'said' },
    worked,
  }: { branch?: string | null; logs?: WorkerLogs; worked?: string | null } = {},
) => {
  const lines: string[] = [];
  const looked = await loops.examine(
    place,
    { iteration: 1, before, mark: null, branch, ...(worked === undefined ? {} : { worked }) },
    { logs, reader: { line: (text) => void lines.push(text) } },
  );
  if (!looked.ok) throw new Error(looked.error.message);
  return { ...looked.value, lines };
};
