import { mkdir, writeFile } from 'node:fs/promises';
import { dirname, resolve } from 'node:path';
import type { ParsedInput, ProcedureOutput } from '@contract/ipc';
import { fail, ok, type Result } from '@contract/result';
import type { Store } from '@main/core/ports/store/store';
import { spendCsv } from '../contract/table';

/** Writes the table to a new file. */
export async function exportSpend(
  store: Pick<Store, 'spend'>,
  { path: given, ...query }: ParsedInput<'spend.export'>,
): Promise<Result<ProcedureOutput<'spend.export'>>> {
  const path = resolve(given);
  const { rows } = store.spend(query);
  try {
    await mkdir(dirname(path), { recursive: true });
    await writeFile(path, spendCsv(query.by, rows), { flag: 'wx' });
    return ok({ path, rows: rows.length });
  } catch (cause) {
    const code = cause instanceof Error && 'code' in cause ? cause.code : null;
    const where = { file: path };
    if (code === 'EEXIST')
      return fail('conflict', `${path} already exists`, { where, mend: 'choose another name' });
    const kind = code === 'ENOSPC' ? 'store.disk_full' : 'project.not_writable';
    return fail(kind, `${path} cannot be written: ${String(cause)}`, { where });
  }
}
