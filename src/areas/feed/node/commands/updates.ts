import { setTimeout as sleep } from 'node:timers/promises';
import { fail, ok, type Result } from '@contract/result';
import { ask } from '@main/api/core-service';
import { numberFlag, wholeNumber } from '@main/cli/arguments/flag-values';
import { type Context, command } from '@main/cli/command';
import { EXIT, type ExitCode } from '@main/cli/exit';
import type { Link } from '@main/cli/link/link';
import { isLost } from '@main/cli/running/follow';
import { REOPEN_MS, REOPEN_PAUSE_MS } from '@main/limits/command-line';
import type { UpdateRow } from '../../contract/procedures';
import { updateResultSchema } from '../../contract/update';

const PAGE = 500;

export const updatesCommand = command({
  name: 'updates',
  summary: 'Prints updates exactly as they were sent, oldest first.',
  words: '[RUN]',
  least: 0,
  most: 1,
  more: 'RUN is the number or the uid of a run. An empty line separates updates.',
  flags: {
    follow: { help: 'keep printing new updates until stopped' },
    limit: { value: 'N', help: 'the newest N (default 20; with a run, all)' },
    result: { value: 'RESULT', help: updateResultSchema.options.join(', ') },
  },
  heedsStop: true,
  async run(context, { words, flags }) {
    const parsed = updateResultSchema.optional().safeParse(flags.result);
    if (!parsed.success) return invalid(`"${flags.result}" is not a result`);
    const limit = numberFlag('limit', flags.limit, wholeNumber());
    if (!limit.ok) return limit;
    // A core of our own would lock others out while following, and nothing would happen in it.
    const opened = await context.open({ mode: flags.follow ? 'attached' : 'reading' });
    if (!opened.ok) return opened;
    const link = opened.value;
    const run = words[0] === undefined ? null : await ask(link, 'run.find', { name: words[0] });
    if (run !== null && !run.ok) return run;
    const filter = { runId: run?.value.id, result: parsed.data };
    const printer = new Printer(context);
    const last = await newest(link, {
      filter,
      limit: limit.value ?? (run === null ? 20 : Number.POSITIVE_INFINITY),
    });
    if (!last.ok) return last;
    printer.print(last.value);
    return flags.follow ? follow(context, { link, filter, printer }) : ok(EXIT.ok);
  },
});

const invalid = (message: string) => fail('input.invalid', message);

interface Filter {
  readonly runId: number | undefined;
  readonly result: UpdateRow['update']['result'] | undefined;
}

/** Prints the exact texts; for a program one line each with all data. */
class Printer {
  private first = true;
  last = 0;

  constructor(private readonly context: Context) {}

  print(rows: readonly UpdateRow[]): void {
    for (const row of rows) {
      const gap = this.first ? [] : [''];
      this.context.out.record(row, () => [...gap, ...row.text.split('\n')]);
      this.first = false;
      this.last = row.id;
    }
  }
}

/** The newest updates, in chronological order. */
async function newest(
  link: Link,
  { filter, limit }: { filter: Filter; limit: number },
): Promise<Result<UpdateRow[]>> {
  const found: UpdateRow[] = [];
  while (found.length < limit) {
    const page: Result<{ rows: UpdateRow[]; more: boolean }> = await ask(link, 'feed.list', {
      ...filter,
      limit: Math.min(PAGE, limit - found.length),
      before: found.at(-1)?.id,
    });
    if (!page.ok) return page;
    found.push(...page.value.rows);
    if (!page.value.more) break;
  }
  return ok(found.reverse());
}

interface Followed {
  readonly link: Link;
  readonly filter: Filter;
  readonly printer: Printer;
}

/** Continues when the core is lost and replaced: the feed is in the store. */
async function follow(context: Context, followed: Followed): Promise<Result<ExitCode>> {
  for (let { link } = followed; ; ) {
    const ending = await followOn(context, { ...followed, link });
    if (ending !== null) return ending;
    context.out.note('The core has stopped; looking for another one.');
    const next = await nextCore(context);
    if (!next.ok) return next;
    if (next.value === null) return ok(EXIT.ok);
    link = next.value;
  }
}

/** Pushes only wake the reading, so no update is missed or printed twice. Null if the core was lost. */
async function followOn(
  { stop }: Context,
  { link, filter, printer }: Followed,
): Promise<Result<ExitCode> | null> {
  for (;;) {
    const woken = wake(link, stop);
    for (let more = true; more; ) {
      const page = await ask(link, 'feed.list', { ...filter, after: printer.last, limit: PAGE });
      if (!page.ok) return page.error.code === 'unavailable' && (await isLost(link)) ? null : page;
      printer.print([...page.value.rows].reverse());
      more = page.value.more;
    }
    const why = await woken;
    if (why === 'stopped') return ok(EXIT.ok);
    if (why === 'lost') return null;
  }
}

/** Null if the operator stops waiting. */
async function nextCore({ open, stop }: Context): Promise<Result<Link | null>> {
  for (const until = Date.now() + REOPEN_MS; ; ) {
    const link = await open({ mode: 'attached' });
    if (link.ok || Date.now() > until) return link;
    await sleep(REOPEN_PAUSE_MS, undefined, { signal: stop }).catch(() => undefined);
    if (stop.aborted) return ok(null);
  }
}

function wake(link: Link, stop: AbortSignal): Promise<'posted' | 'stopped' | 'lost'> {
  return new Promise((resolve) => {
    const end = (why: 'posted' | 'stopped' | 'lost') => {
      following.end();
      stop.removeEventListener('abort', onStop);
      resolve(why);
    };
    const onStop = () => end('stopped');
    const following = link.follow(['feed'], () => end('posted'));
    stop.addEventListener('abort', onStop);
    void link.lost.then(() => end('lost'));
    if (stop.aborted) onStop();
  });
}
