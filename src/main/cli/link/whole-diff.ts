import type { DiffScope } from '@areas/changes/contract/diff-scope';
import type { ProcedureOutput } from '@contract/ipc';
import { ok, type Result } from '@contract/result';
import { ask } from '../../api/core-service';
import type { Link } from './link';

type Diff = ProcedureOutput<'workspace.diff'>;

/** Changes with the lines of every file: large ones are read one by one. */
export async function wholeDiff(link: Link, runId: number, of: DiffScope): Promise<Result<Diff>> {
  const read = await ask(link, 'workspace.diff', { runId, of });
  if (!read.ok) return read;
  const files: Diff['files'] = [];
  for (const file of read.value.files) {
    if (file.leftOut !== 'large') {
      files.push(file);
      continue;
    }
    const alone = await ask(link, 'workspace.diff', { runId, of, only: file.path });
    if (!alone.ok) return alone;
    files.push(alone.value.files[0] ?? file);
  }
  return ok({ ...read.value, files });
}
