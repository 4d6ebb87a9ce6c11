import { err, ok, type Result } from '@contract/result';
import type { WholeTexts } from '../../ports/whole-texts';
import type { WorkspaceDiff } from '../../ports/workspaces/workspaces';

/** A diff that is too large for an event, with its whole text as one of the run's large texts. */
export async function withWholeDiff<T extends WorkspaceDiff>(
  texts: Pick<WholeTexts, 'keepFile'>,
  taken: T,
): Promise<Result<T>> {
  const { diff } = taken;
  const { omitted, path, sha256 } = diff;
  if (omitted.length === 0 || path === null || sha256 === undefined) return ok(taken);
  const kept = await texts.keepFile(path, sha256);
  return kept.ok ? ok({ ...taken, diff: { ...diff, whole: kept.value } }) : err(kept.error);
}
