import type { Json } from '@contract/ids';
import { ok, type Result } from '@contract/result';
import type { StoredEvent } from '@contract/run/events';
import { ask } from '@main/api/core-service';
import { readText } from '@main/api/read-text';
import { findRun } from '@main/cli/address';
import type { Context } from '@main/cli/command';
import { EXIT, type ExitCode } from '@main/cli/exit';
import type { Link } from '@main/cli/link/link';
import { TraceReader } from '../../core/trace-reader';

const PAGE = 1_000;

/** Prints every iteration of a question as JSON Lines: model text, code, output, sub-calls, answer. */
export async function printTrace(context: Context, name: string): Promise<Result<ExitCode>> {
  const link = await context.open({ mode: 'reading' });
  if (!link.ok) return link;
  const row = await findRun(link.value, name);
  if (!row.ok) return row;
  const { id: runId } = row.value;
  const texts = new Texts(link.value, runId);
  const reader = new TraceReader({
    text: (path) => texts.read(path),
    async whole(text) {
      const found = await readText(link.value, runId, text);
      return found.ok ? found.value : null;
    },
    time: (at) => new Date(at).toISOString(),
  });
  for (let afterSeq = 0; ; ) {
    const events = await ask(link.value, 'run.events', { runId, afterSeq, limit: PAGE });
    if (!events.ok) return events;
    const last: StoredEvent | undefined = events.value.at(-1);
    if (last === undefined) return ok(EXIT.ok);
    for (const stored of events.value)
      for (const line of await reader.linesOf(stored)) context.out.record(line, () => [JSON.stringify(line)]);
    afterSeq = last.seq;
  }
}

/** Texts stored beside the log; null if gone. */
class Texts {
  constructor(
    private readonly link: Link,
    private readonly runId: number,
  ) {}

  async read(path: string): Promise<Json> {
    if (path === '') return null;
    const text = await ask(this.link, 'rlm.text', { runId: this.runId, path });
    return text.ok ? text.value.text : null;
  }
}
