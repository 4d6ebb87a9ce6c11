import { firstFinding } from '@contract/findings';
import { fail, ok, type Result } from '@contract/result';
import { ulids } from '@main/adapters/system/ids';
import { ask } from '@main/api/core-service';
import { type Call, type Context, command } from '@main/cli/command';
import { EXIT, type ExitCode } from '@main/cli/exit';
import { columns } from '@main/cli/output/columns';
import { beginIn } from '@main/cli/running/begin-run';
import { defaultAgent } from '@main/cli/running/chosen-agent';
import { waitForRun } from '@main/cli/running/wait';
import { withCore } from '@main/cli/running/with-core';
import { branchNameSchema } from '../../contract/forge';
import { askInProject, folderOf, numberIn } from './project';

const VERBS = 'one of: list, show NUMBER, start NUMBER';

const flags = {
  project: { value: 'DIR', help: 'the project (default: that of the current folder)' },
  search: { value: 'WORDS', help: 'list: issues with these words' },
  label: { value: 'LABEL', help: 'list: issues with this label' },
  closed: { help: 'list: closed issues' },
  agent: { value: 'AGENT', help: 'start: the id of the agent, as `muster agents` lists it' },
  note: { value: 'TEXT', help: 'start: your own words, which come before the text of the issue' },
  branch: { value: 'NAME', help: 'start: the branch of its pull request (default: named after the issue)' },
  'dry-run': { help: 'start: print the prompt, and start nothing' },
  'no-wait': { help: 'start: exit with code 6 when only gates remain, instead of waiting for answers' },
} as const;

type Given = Call<typeof flags>['flags'];

export const issueCommand = command({
  name: 'issue',
  summary: 'Lists the issues of the project’s forge, and starts work on one.',
  words: 'list|show NUMBER|start NUMBER',
  least: 1,
  most: 2,
  heedsStop: true,
  more: [
    'The forge (GitHub) is found from the git remote of the project. The token comes from the keychain, from',
    'GITHUB_TOKEN, or from `gh` if it is logged in.',
    '`start` gives one agent the title, text and comments of the issue, marked as words of other people. Afterwards',
    '`muster pr open RUN` opens a pull request of the result.',
  ].join('\n'),
  flags,
  async run(context, { words: [verb, word], flags: given }) {
    if (verb === 'list' && word === undefined) return list(context, given);
    if (verb !== 'show' && verb !== 'start')
      return fail('input.invalid', `issue: "${verb}" is not a command`, { mend: VERBS });
    const number = numberIn(word);
    if (!number.ok) return number;
    if (verb === 'show') return show(context, number.value, given);
    return given['dry-run'] ? preview(context, number.value, given) : start(context, number.value, given);
  },
});

async function list(
  context: Context,
  { project, search = '', label, closed }: Given,
): Promise<Result<ExitCode>> {
  const wanted = {
    search,
    state: closed ? ('closed' as const) : ('open' as const),
    ...(label === undefined ? {} : { label }),
  };
  const listed = await askInProject(context, project, (link, { id: projectId }) =>
    ask(link, 'issue.list', { projectId, ...wanted }),
  );
  if (!listed.ok) return listed;
  const { out } = context;
  const head = ['ISSUE', 'COMMENTS', 'LABELS', 'TITLE'].map(out.style.dim);
  out.document(listed.value, () =>
    listed.value.rows.length === 0
      ? ['No issues.']
      : [
          ...columns(
            [
              head,
              ...listed.value.rows.map(({ number, comments, labels, title }) => [
                `#${number}`,
                String(comments),
                labels.join(', ') || '-',
                title,
              ]),
            ],
            { width: out.width },
          ),
          ...(listed.value.more ? ['There are more: narrow them with --search.'] : []),
        ],
  );
  return ok(EXIT.ok);
}

async function show(context: Context, number: number, { project }: Given): Promise<Result<ExitCode>> {
  const found = await askInProject(context, project, (link, { id: projectId }) =>
    ask(link, 'issue.get', { projectId, number }),
  );
  if (!found.ok) return found;
  const { title, url, author, state, body, discussion, moreComments } = found.value;
  context.out.document(found.value, () => [
    `#${number}  ${title}`,
    `${state}, by ${author}  ${url}`,
    '',
    ...body.split('\n'),
    ...discussion.flatMap((comment) => ['', `${comment.author}:`, ...comment.body.split('\n')]),
    ...(moreComments ? ['', 'There are more comments at the address above.'] : []),
    '',
    `Start work on it:  ${context.again('issue', 'start', String(number), '--agent', 'AGENT')}`,
  ]);
  return ok(EXIT.ok);
}

async function preview(
  context: Context,
  number: number,
  { project, note = '' }: Given,
): Promise<Result<ExitCode>> {
  const made = await askInProject(context, project, (link, { id: projectId }) =>
    ask(link, 'issue.preview', { projectId, number, note }),
  );
  if (!made.ok) return made;
  context.out.document(made.value, () => made.value.prompt.split('\n'));
  return ok(EXIT.ok);
}

async function start(context: Context, number: number, given: Given): Promise<Result<ExitCode>> {
  const { project, note = '', branch: name } = given;
  const folder = folderOf(context, project);
  const branch = branchNameSchema.optional().safeParse(name);
  if (!branch.success) return fail('input.invalid', `--branch takes ${firstFinding(branch.error)}`);
  const uid = ulids.ulid();
  const begun = await withCore(context, { mode: 'working' }, async (link) => {
    const agent =
      given.agent === undefined
        ? await defaultAgent(link, context, { flag: '--agent', folder })
        : ok(given.agent);
    if (!agent.ok) return agent;
    return beginIn(link, folder, async ({ id: projectId }) => {
      const started = await ask(link, 'issue.start', {
        projectId,
        uid,
        number,
        agent: agent.value,
        note,
        startedBy: 'command line',
        ...(branch.data === undefined ? {} : { branch: branch.data }),
      });
      return started.ok ? ok({ runId: started.value.runId, file: '', problems: [] }) : started;
    });
  });
  if (!begun.ok) return begun;
  const { link, value } = begun.value;
  if (value.runId === null) return ok(EXIT.interrupted);
  const { runId } = value;
  return waitForRun(context, { link, runId, throughGates: !given['no-wait'], afterSeq: 0 }, (_, code) => {
    if (code === EXIT.ok)
      context.out.note(`Open a pull request of it:  ${context.again('pr', 'open', String(runId))}`);
    return ok(undefined);
  });
}
