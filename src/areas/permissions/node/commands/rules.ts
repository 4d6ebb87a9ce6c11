import { resolve } from 'node:path';
import { firstFinding } from '@contract/findings';
import { ownValue } from '@contract/own';
import { fail, ok, type Result } from '@contract/result';
import { ask } from '@main/api/core-service';
import { findRun } from '@main/cli/address';
import { timeFlag } from '@main/cli/arguments/flag-values';
import { type Call, type Context, command } from '@main/cli/command';
import { EXIT, type ExitCode } from '@main/cli/exit';
import type { Link } from '@main/cli/link/link';
import { columns, counted } from '@main/cli/output/columns';
import { dayAndTime } from '@main/cli/output/time';
import type { DryRun } from '../../contract/procedures';
import { type PermissionRule, type RuleDraft, ruleDraftSchema } from '../../contract/rule';

const BY = 'command line';

const flags = {
  allow: { help: 'the rule allows' },
  deny: { help: 'the rule denies; a matching rule that denies always wins' },
  agent: { value: 'PROFILE', help: 'only requests of this profile' },
  tool: { value: 'PATTERN', help: 'only this tool; * stands for any characters' },
  path: { value: 'GLOB', help: 'files, relative to the workspace: * within one name, ** across folders' },
  command: {
    value: 'PATTERN',
    help: 'one whole simple command, never one that is joined, piped or redirected',
  },
  reason: { value: 'TEXT', help: 'the reason; if the rule denies, the agent gets it' },
  expires: { value: 'WHEN', help: '45m, 12h, 30d, today or never (default: never)' },
  run: { value: 'RUN', help: 'only in this run' },
  project: { value: 'ID|PATH', help: 'only in this project; with --run: in its own checkout too' },
  everywhere: { help: 'in all projects, though not in their own checkouts' },
  removed: { help: 'list: include removed rules' },
} as const;
type RuleCall = Call<typeof flags>;

export const rulesCommand = command({
  name: 'rules',
  summary: 'Lists, adds, removes and tries the rules that answer permission requests for you.',
  words: 'list|add|remove ID|dry-run',
  least: 1,
  most: 2,
  more: [
    '`add` and `dry-run` need an effect, --allow or --deny, and a scope, --run, --project or --everywhere. `dry-run` shows',
    'which past requests the rule would have answered, and changes nothing.',
  ].join('\n'),
  flags,
  async run(context, call) {
    const [verb = '', id] = call.words;
    const act = ownValue(ACTS, verb);
    if (act === undefined || (id === undefined) === (verb === 'remove')) {
      return fail('input.invalid', `rules: "${call.words.join(' ')}" is not a command`, {
        mend: 'one of: list, add, remove ID, dry-run',
      });
    }
    const link = await context.open({ mode: 'reading' });
    return link.ok ? act(context, link.value, call) : link;
  },
});

type Act = (context: Context, link: Link, call: RuleCall) => Promise<Result<ExitCode>>;

const ACTS: Readonly<Record<string, Act>> = {
  async list({ out }, link, call) {
    const listed = await ask(link, 'rule.list', { removed: call.flags.removed });
    if (!listed.ok) return listed;
    out.document({ rules: listed.value }, () =>
      listed.value.length === 0
        ? ['No permission rules.']
        : columns(
            [
              ['RULE', 'EFFECT', 'AGENT', 'WHERE', 'UNTIL', 'USES', 'WHAT'].map(out.style.dim),
              ...listed.value.map(rowOf),
            ],
            { width: out.width },
          ),
    );
    return ok(EXIT.ok);
  },
  async add({ out }, link, call) {
    const rule = await draftOf(link, call);
    if (!rule.ok) return rule;
    const made = await ask(link, 'rule.create', { rule: rule.value, by: BY });
    if (!made.ok) return made;
    out.document(made.value, () => [`Added rule ${made.value.id}: ${rowOf(made.value).slice(1).join('  ')}`]);
    return ok(EXIT.ok);
  },
  async remove({ out }, link, call) {
    const removed = await ask(link, 'rule.remove', { id: call.words[1] ?? '' });
    if (!removed.ok) return removed;
    out.document(removed.value, () => [`Removed rule ${removed.value.id}. History still names it.`]);
    return ok(EXIT.ok);
  },
  async 'dry-run'({ out }, link, call) {
    const rule = await draftOf(link, call);
    if (!rule.ok) return rule;
    const tried = await ask(link, 'rule.dryRun', { rule: rule.value });
    if (!tried.ok) return tried;
    out.document({ rule: rule.value, ...tried.value }, () => dryRunLines(tried.value, rule.value, out.width));
    return ok(EXIT.ok);
  },
};

const whereOf = ({ scope, run_id, project_id }: PermissionRule): string =>
  scope === 'run' ? `run ${run_id}` : scope === 'project' ? `project ${project_id}` : 'everywhere';

const whatOf = ({ tool, command, path }: RuleDraft | PermissionRule): string =>
  [tool, command, path].filter((part) => part !== null).join('  ');

const rowOf = (rule: PermissionRule): string[] => [
  rule.id,
  rule.removed_at === null ? rule.effect : `${rule.effect}, removed`,
  rule.agent,
  whereOf(rule),
  rule.expires_at === null ? 'always' : dayAndTime(rule.expires_at),
  String(rule.uses),
  whatOf(rule),
];

function dryRunLines(run: DryRun, rule: RuleDraft, width: number | undefined): string[] {
  if (run.since === null) return ['There are no past requests to try the rule on.'];
  const head = `Would have answered ${run.answered} of ${counted(run.looked, 'request')} since ${dayAndTime(run.since)}.`;
  const instead = rule.effect === 'allow' ? 'denied' : 'allowed';
  const against = run.against === 0 ? [] : [`${run.against} of them: ${instead} then.`];
  const rows = run.rows.map((row) => [
    `${row.runId}/${row.gateId}`,
    dayAndTime(row.openedAt),
    row.agent ?? '',
    row.answer?.option ?? 'not answered',
    row.command ?? (row.paths.join(', ') || row.title),
  ]);
  return [head, ...against, ...columns(rows, { indent: '  ', width })];
}

const wrong = (message: string, mend: string) => fail('input.invalid', message, { mend });

/** The rule described by the flags. */
async function draftOf(link: Link, { flags: said }: RuleCall): Promise<Result<RuleDraft>> {
  if (said.allow === said.deny) return wrong('a rule allows or denies', 'give --allow or --deny');
  const ends = timeFlag(said.expires ?? 'never', Date.now());
  if (ends === undefined) return wrong(`"${said.expires}" is not a time`, '45m, 12h, 30d, today or never');
  const place = await placeOf(link, said);
  if (!place.ok) return place;
  const draft = ruleDraftSchema.safeParse({
    agent: said.agent ?? '*',
    tool: said.tool ?? '*',
    path: said.path ?? null,
    command: said.command ?? null,
    effect: said.allow ? 'allow' : 'deny',
    reason: said.reason ?? '',
    expires_at: ends,
    ...place.value,
  });
  if (draft.success) return ok(draft.data);
  return wrong(firstFinding(draft.error), 'see: muster rules --help');
}

type RulePlace = Pick<RuleDraft, 'scope' | 'run_id' | 'project_id'>;

async function placeOf(link: Link, said: RuleCall['flags']): Promise<Result<RulePlace>> {
  const several = said.everywhere && (said.run !== undefined || said.project !== undefined);
  if (several || (!said.everywhere && said.run === undefined && said.project === undefined)) {
    return wrong('the rule needs a scope', 'give --run RUN, --project ID or --everywhere');
  }
  if (said.everywhere) return ok({ scope: 'everywhere', run_id: null, project_id: null });
  const project = said.project === undefined ? ok(null) : await projectOf(link, said.project);
  if (!project.ok) return project;
  if (said.run === undefined) return ok({ scope: 'project', run_id: null, project_id: project.value });
  const run = await findRun(link, said.run);
  if (!run.ok) return run;
  return ok({ scope: 'run', run_id: run.value.id, project_id: project.value });
}

async function projectOf(link: Link, name: string): Promise<Result<number | null>> {
  const listed = await ask(link, 'project.list', {});
  if (!listed.ok) return listed;
  const found = listed.value.find(({ id, path }) => String(id) === name || path === resolve(name));
  if (found !== undefined) return ok(found.id);
  return fail('not_found', `there is no project ${name}`, { mend: 'see: muster projects' });
}
