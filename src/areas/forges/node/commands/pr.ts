import { setTimeout as sleep } from 'node:timers/promises';
import { fail, ok, type Result } from '@contract/result';
import { ulids } from '@main/adapters/system/ids';
import { ask } from '@main/api/core-service';
import { findRun } from '@main/cli/address';
import { type Call, type Context, command } from '@main/cli/command';
import { EXIT, type ExitCode } from '@main/cli/exit';
import type { Link } from '@main/cli/link/link';
import { waitForRun } from '@main/cli/running/wait';
import { withCore } from '@main/cli/running/with-core';
import { mergeMethodSchema } from '../../contract/forge';
import { FIX_LOOK_MS } from '../../contract/limits';
import { previewLines } from '../../contract/preview-lines';
import type { PullRecord } from '../../contract/pull';
import { checksState } from '../../contract/verdict';
import { checkLines, listLines, pullLines } from './pull-lines';

const flags = {
  title: { value: 'TEXT', help: 'open: the title (default: from the run or its issue)' },
  body: { value: 'TEXT', help: 'open: the text, or - for standard input (default: the agent’s last answer)' },
  base: { value: 'BRANCH', help: 'open: the branch to merge into (default: that of the repository)' },
  draft: { help: 'open: as a draft' },
  reviewer: { value: 'NAME', many: true, help: 'open: ask for a review (repeatable)' },
  label: { value: 'LABEL', many: true, help: 'open: add a label (repeatable)' },
  yes: { help: 'open and merge: do not ask; what is sent is printed' },
  method: {
    value: 'merge|squash|rebase',
    help: 'merge: how (default: the first that the repository allows)',
  },
  rounds: {
    value: 'N',
    help: 'fix: repeat until the checks pass, at most N times; results are pushed by themselves',
  },
  'dry-run': { help: 'open and fix: print what would be sent, and send nothing' },
} as const;

type Given = Call<typeof flags>['flags'];

const VERBS = 'one of: list, open RUN, show RUN, checks RUN, fix RUN, merge RUN';

interface Act {
  readonly context: Context;
  readonly run: string;
  readonly given: Given;
}

export const prCommand = command({
  name: 'pr',
  summary: 'Opens a pull request of a run’s result, shows its checks, and merges it.',
  words: 'list|open RUN|show RUN|checks RUN|fix RUN|merge RUN',
  least: 1,
  most: 2,
  heedsStop: true,
  more: [
    '`open` prints everything that will be sent and asks first; if the run has an open pull request, its branch is updated.',
    '`fix` sends failed checks with the end of their logs, requested changes and comments to the agent of the run.',
    '`checks` ends with code 1 if a check failed and 6 while some are pending.',
  ].join('\n'),
  flags,
  async run(context, { words: [verb, run], flags: given }) {
    if (verb === 'list' && run === undefined) return list(context);
    const act = verb === undefined ? undefined : new Map(Object.entries(acts)).get(verb);
    if (act === undefined) return fail('input.invalid', `pr: "${verb}" is not a command`, { mend: VERBS });
    if (run === undefined)
      return fail('input.invalid', `pr ${verb} needs RUN`, { mend: `muster pr ${verb} RUN` });
    return act({ context, run, given });
  },
});

const acts = { open, show, checks, fix, merge };

async function list({ open: openLink, out }: Context): Promise<Result<ExitCode>> {
  const link = await openLink({ mode: 'reading' });
  if (!link.ok) return link;
  const found = await ask(link.value, 'pull.list', {});
  if (!found.ok) return found;
  out.document(found.value, () => listLines(found.value.rows, out));
  return ok(EXIT.ok);
}

/** What `about` gives for a run, from a core that lives until then. */
async function withRun<T>(
  { context, run }: Act,
  about: (link: Link, runId: number) => Promise<Result<T>>,
): Promise<Result<{ readonly link: Link; readonly value: T }>> {
  return withCore(context, { mode: 'working' }, async (link) => {
    const row = await findRun(link, run);
    return row.ok ? about(link, row.value.id) : row;
  });
}

async function open(act: Act): Promise<Result<ExitCode>> {
  const { context, given } = act;
  const body = given.body === '-' ? await context.readInput() : given.body;
  const { title, base, draft, reviewer, label } = given;
  const text = {
    ...(title === undefined ? {} : { title }),
    ...(body === undefined ? {} : { body }),
    ...(base === undefined ? {} : { base }),
    ...(draft ? { draft } : {}),
    ...(reviewer.length === 0 ? {} : { reviewers: [...reviewer] }),
    ...(label.length === 0 ? {} : { labels: [...label] }),
  };
  const previewed = await withRun(act, (link, runId) => ask(link, 'pull.preview', { runId, text }));
  if (!previewed.ok) return previewed;
  const preview = previewed.value.value;
  if (given['dry-run']) {
    context.out.document(preview, () => previewLines(preview));
    return ok(EXIT.ok);
  }
  if (!context.out.json) for (const line of previewLines(preview)) context.out.note(line);
  const agreed = await agree(act, 'Send this?');
  if (!agreed.ok) return agreed;
  const { shown, runId } = preview;
  const all = {
    title: preview.title,
    body: preview.body,
    draft: preview.draft,
    base: preview.base,
    reviewers: preview.reviewers,
    labels: preview.labels,
  };
  const done = await withRun(act, (link) => ask(link, 'pull.open', { runId, text: all, shown }));
  return done.ok ? said(act, done.value.value) : done;
}

async function show(act: Act): Promise<Result<ExitCode>> {
  const read = await withRun(act, (link, runId) => ask(link, 'pull.get', { runId }));
  return read.ok ? said(act, read.value.value) : read;
}

async function checks(act: Act): Promise<Result<ExitCode>> {
  const read = await withRun(act, (link, runId) => ask(link, 'pull.get', { runId }));
  if (!read.ok) return read;
  const record = read.value.value;
  act.context.out.document(record, () => checkLines(record));
  const state = record.view === null ? 'none' : checksState(record.view);
  return ok(state === 'failed' ? EXIT.failed : state === 'pending' ? EXIT.waiting : EXIT.ok);
}

async function merge(act: Act): Promise<Result<ExitCode>> {
  const { context, given } = act;
  const method = mergeMethodSchema.optional().safeParse(given.method);
  if (!method.success) return fail('input.invalid', '--method takes merge, squash or rebase');
  const read = await withRun(act, (link, runId) => ask(link, 'pull.get', { runId }));
  if (!read.ok) return read;
  const { view, runId, repository, number } = read.value.value;
  if (view === null)
    return fail('conflict', 'The pull request was not opened yet.', {
      mend: context.again('pr', 'open', act.run),
    });
  const how = method.data ?? view.methods[0] ?? 'merge';
  context.out.note(
    `Merge ${repository}#${number} into ${view.base} (${how}), at ${view.head.commit.slice(0, 12)}`,
  );
  const agreed = await agree(act, 'Merge it?');
  if (!agreed.ok) return agreed;
  const { commit } = view.head;
  const done = await withRun(act, (link) => ask(link, 'pull.merge', { runId, commit, method: method.data }));
  return done.ok ? said(act, done.value.value) : done;
}

async function fix(act: Act): Promise<Result<ExitCode>> {
  const { context, given } = act;
  const rounds = given.rounds === undefined ? 0 : Number(given.rounds);
  if (!Number.isInteger(rounds) || rounds < 0 || rounds > 10)
    return fail('input.invalid', '--rounds takes a number from 1 to 10');
  if (given['dry-run']) {
    const preview = await withRun(act, (link, runId) => ask(link, 'pull.fixPreview', { runId }));
    if (!preview.ok) return preview;
    context.out.document(preview.value.value, () => preview.value.value.prompt.split('\n'));
    return ok(EXIT.ok);
  }
  const key = ulids.ulid();
  const begun = await withRun(act, async (link, runId) => {
    const last = await ask(link, 'run.get', { runId });
    if (!last.ok) return last;
    const sent = await ask(link, 'pull.fix', { runId, key, rounds });
    return sent.ok ? ok({ runId, afterSeq: last.value.state.seq }) : sent;
  });
  if (!begun.ok) return begun;
  const { link, value } = begun.value;
  if (rounds > 0) return follow(act, link, value.runId);
  const { runId, afterSeq } = value;
  return waitForRun(context, { link, runId, throughGates: true, afterSeq }, (_, code) => {
    if (code === EXIT.ok) context.out.note(`Push the result:  ${context.again('pr', 'open', String(runId))}`);
    return ok(undefined);
  });
}

/** Until the loop has ended. */
async function follow(act: Act, link: Link, runId: number): Promise<Result<ExitCode>> {
  const { context } = act;
  let before = 0;
  while (!context.stop.aborted) {
    const read = await ask(link, 'pull.get', { runId });
    if (!read.ok) return read;
    const { fix: loop, view } = read.value;
    if (loop === null || loop.ended !== null) {
      context.out.document(read.value, () => [loop?.ended ?? 'The loop has ended.']);
      return ok(view !== null && checksState(view) === 'passed' ? EXIT.ok : EXIT.failed);
    }
    if (loop.round !== before) context.out.note(`Round ${loop.round} of ${loop.of}`);
    before = loop.round;
    await sleep(FIX_LOOK_MS, undefined, { signal: context.stop }).catch(() => undefined);
  }
  return ok(EXIT.interrupted);
}

async function agree({ context, given }: Act, question: string): Promise<Result<void>> {
  if (given.yes) return ok(undefined);
  const answer = await context.confirm(question);
  if (answer === true) return ok(undefined);
  return answer === false
    ? fail('cancelled', 'Nothing was sent.')
    : fail('input.invalid', 'Nothing was sent: there is no terminal to ask.', {
        mend: 'pass --yes to send it',
      });
}

function said({ context }: Act, record: PullRecord): Result<ExitCode> {
  context.out.document(record, () => pullLines(record));
  return ok(EXIT.ok);
}
