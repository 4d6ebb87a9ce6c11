import type { AppError } from '@contract/errors';
import { ok, type Result } from '@contract/result';
import type { GateRow } from './procedures';

export interface GatePage {
  readonly after?: { readonly at: number; readonly event: number } | undefined;
  readonly limit?: number | undefined;
}

type Fetch = (page: GatePage) => Promise<Result<readonly GateRow[], AppError>>;

/** The default page size. */
export const FIRST_GATES = 200;
const NEXT_GATES = 500;

/** Reads a list of gates page by page to its end, so that no run hides the gates of another. */
export async function allGates(fetch: Fetch): Promise<Result<readonly GateRow[], AppError>> {
  const rows: GateRow[] = [];
  for (let page: GatePage = {}; ; ) {
    const read = await fetch(page);
    if (!read.ok) return read;
    rows.push(...read.value);
    const last = read.value.at(-1);
    if (last?.event === undefined || read.value.length < (page.limit ?? FIRST_GATES)) return ok(rows);
    const at = last.status === 'open' ? last.openedAt : (last.closedAt ?? 0);
    page = { after: { at, event: last.event }, limit: NEXT_GATES };
  }
}
