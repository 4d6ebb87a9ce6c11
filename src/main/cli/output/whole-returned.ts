import { ok, type Result } from '@contract/result';
import type { Returned } from '@contract/run/results/returned-output';
import { isCut, type LargeText, type WholeText, withMark } from '@contract/whole-text';
import { ask, type CoreCalls } from '../../api/core-service';

/** What a workflow returns, with its whole text. */
export interface ReturnedText extends Omit<Returned, 'text'> {
  readonly text: string;
}

export async function wholeReturned(
  core: CoreCalls,
  runId: number,
  returned: Returned | null,
): Promise<Result<ReturnedText | null>> {
  if (returned === null) return ok(null);
  const { text } = returned;
  const whole = await wholeText(core, runId, isCut(text) ? text.shown : text);
  if (!whole.ok) return whole;
  return ok({ ...returned, text: isCut(text) ? withMark({ ...text, shown: whole.value }) : whole.value });
}

async function wholeText(core: CoreCalls, runId: number, text: WholeText): Promise<Result<string>> {
  return typeof text === 'string' ? ok(text) : readPages(core, runId, text);
}

async function readPages(core: CoreCalls, runId: number, { sha256 }: LargeText): Promise<Result<string>> {
  const parts: string[] = [];
  for (let from = 0; ; ) {
    const page = await ask(core, 'run.text', { runId, sha256, from });
    if (!page.ok) return page;
    parts.push(page.value.text);
    from = page.value.to;
    if (from >= page.value.size) return ok(parts.join(''));
  }
}
