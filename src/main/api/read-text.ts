import { ok, type Result } from '@contract/result';
import type { LargeText, WholeText } from '@contract/whole-text';
import { ask, type CoreCalls } from './core-service';

/** All of a text of a run, whatever its size. */
export const readText = async (
  core: Pick<CoreCalls, 'call'>,
  runId: number,
  text: WholeText,
): Promise<Result<string>> => (typeof text === 'string' ? ok(text) : readPages(core, runId, text));

async function readPages(
  core: Pick<CoreCalls, 'call'>,
  runId: number,
  { sha256 }: LargeText,
): Promise<Result<string>> {
  const parts: string[] = [];
  for (let from = 0; ; ) {
    const page = await ask(core, 'run.text', { runId, sha256, from });
    if (!page.ok) return page;
    parts.push(page.value.text);
    from = page.value.to;
    if (from >= page.value.size) return ok(parts.join(''));
  }
}
