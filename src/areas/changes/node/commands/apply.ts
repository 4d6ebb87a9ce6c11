import { fail, ok, type Result } from '@contract/result';
import { type ApplyHow, commitMessageSchema } from '@contract/run/results/apply';
import type { ApplyOutcome } from '@contract/run/results/results';
import { ask } from '@main/api/core-service';
import { findRun } from '@main/cli/address';
import { type Context, command } from '@main/cli/command';
import { EXIT, type ExitCode } from '@main/cli/exit';
import type { Link } from '@main/cli/link/link';
import { wholeDiff } from '@main/cli/link/whole-diff';
import { counted } from '@main/cli/output/columns';
import { diffLines } from '@main/cli/output/diff-lines';
import { oneLine } from '@main/cli/output/evidence-lines';
import { withCore } from '@main/cli/running/with-core';

const BY = 'command line';

export const applyCommand = command({
  name: 'apply',
  summary: 'Brings the result of a finished run into your checkout, or takes it out again.',
  words: 'RUN',
  least: 1,
  most: 1,
  more: [
    'The merge is tried first. If it conflicts, or would change files that you have changed, nothing happens and the',
    'files are listed. `muster show RUN` lists the results of a run with their folders, branches and commits.',
    '`--dry-run` shows the changes, the message, and the command that applies exactly these or nothing.',
    '`--undo` puts your checkout back to before, as long as it has not moved on and the files are unchanged.',
  ].join('\n'),
  flags: {
    step: { value: 'STEP[/AGENT]', help: 'the result, if the run has several' },
    message: { value: 'TEXT', help: 'the commit message; default: name and instruction of the run' },
    squash: { help: 'as one commit (the default)' },
    keep: { help: 'keep the commits of the agents, with a merge commit' },
    'no-commit': { help: 'only change and stage the files' },
    undo: { help: 'undo what was applied' },
    'dry-run': { help: 'show what would change in your checkout, and change nothing' },
    shown: { value: 'ID', help: 'apply only if nothing has changed since a dry run, which prints this' },
  },
  async run(context, { words, flags }) {
    const { step, shown } = flags;
    const message = commitMessageSchema.optional().safeParse(flags.message);
    if (!message.success) return fail('input.invalid', '--message has no text, or too much of it.');
    const [first, ...others] = HOWS.filter(([flag]) => flags[flag]);
    if (others.length > 0) return fail('input.invalid', 'Choose one of --squash, --keep and --no-commit.');
    const how = first?.[1] ?? 'squash';
    if (how === 'files' && message.data !== undefined)
      return fail('input.invalid', '--no-commit makes no commit, so it takes no --message.');
    const wanted = { run: words[0] ?? '', step, how, message: message.data, shown };
    if (flags.undo) {
      const more = first !== undefined || flags['dry-run'] || shown !== undefined || wanted.message;
      return more ? fail('input.invalid', '--undo takes no other flag than --step.') : undo(context, wanted);
    }
    return flags['dry-run'] ? show(context, wanted) : apply(context, wanted);
  },
});

const HOWS = [
  ['squash', 'squash'],
  ['keep', 'keep'],
  ['no-commit', 'files'],
] as const;

interface Wanted {
  readonly run: string;
  readonly step: string | undefined;
  readonly how: ApplyHow;
  readonly message: string | undefined;
  readonly shown: string | undefined;
}

/** With a core that can work, and the run that is meant. */
const ofRun = <T>(
  context: Context,
  { run }: Pick<Wanted, 'run'>,
  work: (link: Link, runId: number) => Promise<Result<T>>,
) =>
  withCore(context, { mode: 'working' }, async (link) => {
    const row = await findRun(link, run);
    return row.ok ? work(link, row.value.id) : row;
  });

async function apply(context: Context, wanted: Wanted): Promise<Result<ExitCode>> {
  const { step, how, message, shown } = wanted;
  const done = await ofRun(context, wanted, (link, runId) =>
    ask(link, 'run.apply', { runId, step, shown, how, message, by: BY }),
  );
  if (!done.ok) return done;
  const outcome = done.value.value;
  const undo = context.again('apply', wanted.run, ...named(step), '--undo');
  context.out.document(outcome, () => [
    appliedLine(outcome),
    ...(outcome.result.applied?.change == null ? [] : [`Undo it:  ${undo}`]),
  ]);
  return ok(EXIT.ok);
}

function appliedLine({ kind, target, commit, files, how, signed }: ApplyOutcome): string {
  const as = commit === null ? '' : ` as ${commit.slice(0, 12)}`;
  if (kind === 'already') return `${target} already has this result${as === '' ? '' : `,${as}`}.`;
  if (how === 'files')
    return `Applied to your checkout of ${target}: ${counted(files, 'file')} changed and staged.`;
  return `Applied to ${target}${as}${signed ? ', signed' : ''}: ${counted(files, 'file')} changed.`;
}

async function undo(context: Context, wanted: Wanted): Promise<Result<ExitCode>> {
  const { step } = wanted;
  const done = await ofRun(context, wanted, (link, runId) => ask(link, 'run.undo', { runId, step, by: BY }));
  if (!done.ok) return done;
  const { kind, target, files } = done.value.value;
  context.out.document(done.value.value, () => [
    kind === 'already'
      ? `${target} was already as before.`
      : `Undone: ${target} is as before, ${counted(files, 'file')} changed back.`,
  ]);
  return ok(EXIT.ok);
}

const named = (step: string | undefined): string[] => (step === undefined ? [] : ['--step', step]);

async function show(context: Context, wanted: Wanted): Promise<Result<ExitCode>> {
  const { run, step, how, message } = wanted;
  const done = await ofRun(context, wanted, async (link, runId) => {
    const of = { kind: 'result' as const, ...(step === undefined ? {} : { step }) };
    const diff = await wholeDiff(link, runId, of);
    if (!diff.ok) return diff;
    const preview = await ask(link, 'run.apply-preview', { runId, step });
    return preview.ok ? ok({ diff: diff.value, preview: preview.value }) : preview;
  });
  if (!done.ok) return done;
  const { diff, preview } = done.value.value;
  const { target, inTheWay, commits, commitCount } = preview;
  const flag = how === 'keep' ? ['--keep'] : how === 'files' ? ['--no-commit'] : [];
  const words = message === undefined ? [] : ['--message', message];
  const again = context.again('apply', run, ...named(step), ...flag, ...words, '--shown', diff.shown);
  const text = (message ?? preview.message).split('\n').map((line) => `  ${line}`.trimEnd());
  context.out.document({ ...diff, preview }, () => [
    ...diffLines(diff.files),
    '',
    ...(how === 'files'
      ? [`Into your checkout of ${target}, staged and not committed.`]
      : [`Into ${target}, with this message:`, ...text]),
    ...(how === 'keep' ? [`With ${counted(commitCount, 'commit')}:`, ...commits.map(commitLine)] : []),
    ...(inTheWay.length === 0 ? [] : [`Commit or stash your own changes first: ${inTheWay.join(', ')}`]),
    '',
    `Apply exactly this:  ${again}`,
  ]);
  return ok(EXIT.ok);
}

const commitLine = ({ commit, subject }: { readonly commit: string; readonly subject: string }): string =>
  `  ${commit.slice(0, 12)}  ${oneLine(subject)}`;
