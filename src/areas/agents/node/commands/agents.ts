import { join } from 'node:path';
import { projectFolder } from '@areas/projects/node/project-folder';
import { fail, ok, type Result } from '@contract/result';
import { ask } from '@main/api/core-service';
import { draftFrom, given } from '@main/cli/arguments/flag-values';
import { verbCommand } from '@main/cli/arguments/verbs';
import type { Call, Context, OpenOptions } from '@main/cli/command';
import { EXIT, type ExitCode } from '@main/cli/exit';
import type { Link } from '@main/cli/link/link';
import { columns } from '@main/cli/output/columns';
import type { Output } from '@main/cli/output/output';
import { masked, plainSecrets, shownProfile } from '../../contract/plain-secrets';
import type { ProfileRow } from '../../contract/procedures';
import { type AgentProfile, agentProfileSchema } from '../../contract/profile';

const flags = {
  from: { value: 'ID', help: 'add: start from this profile or from an agent found on this machine' },
  kind: { value: 'KIND', help: 'add: acp, cli, gateway or scripted' },
  name: { value: 'TEXT', help: 'add: the name shown on screen' },
  command: { value: 'PROGRAM', help: 'add, acp and cli: the program' },
  arg: { value: 'ARG', many: true, help: 'add: an argument (repeatable: --arg=--flag)' },
  preset: { value: 'ID', help: 'add, cli: the known agent' },
  api: { value: 'NAME', help: 'add, gateway: openai, anthropic or openclaw' },
  url: { value: 'URL', help: 'add, gateway: its address' },
  key: { value: 'NAME', help: 'add, gateway: the variable or keychain entry that holds its key' },
  script: { value: 'FILE', help: 'add, scripted: the file with its replies' },
  model: { value: 'NAME', help: 'add: the model' },
  mode: { value: 'NAME', help: 'add: the mode' },
  permissions: { value: 'POLICY', help: 'add: ask, allow_edits, allow_all or deny' },
  env: { value: 'NAME=VALUE', many: true, help: 'add: a variable; no secret' },
  secret: {
    value: 'NAME',
    many: true,
    help: 'add: a variable filled from the keychain, or from the environment of Muster',
  },
} as const;
type AgentsCall = Call<typeof flags>;

type Act = (
  context: Context,
  link: Link,
  call: AgentsCall & { readonly id: string },
) => Promise<Result<ExitCode>>;

/** An action on the profile named by the second word, with an open core. */
const onProfile =
  (act: Act, mode: OpenOptions['mode'] = 'reading') =>
  async (context: Context, call: AgentsCall): Promise<Result<ExitCode>> => {
    const link = await context.open({ mode });
    return link.ok ? act(context, link.value, { ...call, id: call.words[1] ?? '' }) : link;
  };

const SOURCES: Record<ProfileRow['source'], string> = {
  operator: 'yours',
  builtin: 'built in',
  project: 'of a project',
  detected: 'installed',
};

const ACTS = {
  async list({ out, cwd }, link) {
    const profiles = await listed(link, cwd);
    if (!profiles.ok) return profiles;
    const detected = await ask(link, 'agent.detect', {});
    if (!detected.ok) return detected;
    const shown = profiles.value.map((row) => ({ ...row, profile: masked(row.profile) }));
    const missing = detected.value.filter(
      ({ found, id }) => !found && !shown.some((row) => row.profile.id === id),
    );
    const found = detected.value.filter((one) => one.found);
    const version = (id: string) => found.find((one) => one.id === id)?.version ?? '';
    out.document({ profiles: shown, detected: detected.value }, () => [
      out.style.bold('Agents for workflows'),
      ...columns(
        shown.map(({ profile, source, trouble }) => [
          profile.id,
          profile.kind,
          SOURCES[source],
          profile.name,
          trouble ?? version(profile.id),
        ]),
        { indent: '  ', width: out.width },
      ),
      ...serverLines(
        found.filter(({ id }) => !shown.some((row) => row.profile.id === id)),
        out,
      ),
      ...(missing.length === 0 ? [] : ['', out.style.bold('Not installed')]),
      ...columns(
        missing.map(({ id, install }) => [id, `install: ${install}`]),
        { indent: '  ', width: out.width },
      ),
    ]);
    return ok(EXIT.ok);
  },
  async show({ out, cwd }, link, { id }) {
    const found = await profileOf(link, id, cwd);
    if (!found.ok) return found;
    const profile = shownProfile(found.value);
    const plain = plainSecrets(found.value);
    out.document(profile, () => [
      ...(plain.length === 0
        ? []
        : [
            `# ${plain.join(', ')}: plain text in env. Name it in secrets, and set the value in Agents, Secrets.`,
          ]),
      'profiles:',
      ...Object.entries(profile).map(
        ([key, value], index) => `  ${index === 0 ? '- ' : '  '}${key}: ${JSON.stringify(value)}`,
      ),
    ]);
    return ok(EXIT.ok);
  },
  async test({ out, cwd }, link, { id }) {
    const found = await profileOf(link, id, cwd);
    if (!found.ok) return found;
    const tested = await ask(link, 'agent.test', { profile: found.value });
    if (!tested.ok) return tested;
    out.document(tested.value, () =>
      columns(
        tested.value.checks.map((check) => [
          check.ok ? out.style.good('ok') : out.style.bad('failed'),
          check.name,
          check.detail,
        ]),
      ),
    );
    return ok(tested.value.ok ? EXIT.ok : EXIT.failed);
  },
  async add({ out, cwd }, link, call) {
    const draft = await draftOf(link, call, cwd);
    if (!draft.ok) return draft;
    const plain = plainSecrets(draft.value);
    if (plain.length > 0) return secretsInPlainText(draft.value.id, plain);
    const saved = await ask(link, 'agent.save', { profile: draft.value });
    if (!saved.ok) return saved;
    const { id } = saved.value.profile;
    out.document(masked(saved.value.profile), () => [
      `Added ${id}. A workflow names it with acp_profile_id: ${id}; muster agents test ${id} tries it.`,
    ]);
    return ok(EXIT.ok);
  },
  async remove({ out }, link, { id }) {
    const listed = await ask(link, 'agent.list', {});
    if (!listed.ok) return listed;
    if (!listed.value.some(({ profile, source }) => profile.id === id && source === 'operator'))
      return fail('not_found', `you have no profile "${id}"`, { mend: 'see: muster agents' });
    const removed = await ask(link, 'agent.remove', { id });
    if (!removed.ok) return removed;
    out.document({ removed: id }, () => [`Removed ${id}. Runs that use it keep their copy.`]);
    return ok(EXIT.ok);
  },
} satisfies Record<string, Act>;

export const agentsCommand = verbCommand({
  name: 'agents',
  summary: 'Lists profiles and installed agents; shows, tests, adds and removes profiles.',
  words: '[list|show ID|test ID|add ID|remove ID]',
  more: [
    'An agent that is installed works by its name without a profile (acp_profile_id: claude). `add` keeps a profile of',
    'yours for all projects; one that travels with a project is written into its .muster/agents.yaml.',
  ].join('\n'),
  flags,
  verbs: {
    list: { words: '', help: 'profiles and installed agents', run: onProfile(ACTS.list) },
    show: { words: 'ID', help: 'one profile, as it is configured', run: onProfile(ACTS.show) },
    test: { words: 'ID', help: 'starts the agent', run: onProfile(ACTS.test, 'working') },
    add: { words: 'ID', help: 'adds a profile of yours', run: onProfile(ACTS.add) },
    remove: { words: 'ID', help: 'removes a profile of yours', run: onProfile(ACTS.remove) },
  },
  usual: 'list',
});

function serverLines(
  servers: readonly { readonly id: string; readonly version: string | null }[],
  { style, width }: Output,
): string[] {
  if (servers.length === 0) return [];
  const how = (id: string) => `needs a model or a token: muster agents add ${id} --from ${id} --model NAME`;
  return [
    '',
    style.bold('Found, but not configured'),
    ...columns(
      servers.map(({ id, version }) => [id, version ?? '', how(id)]),
      { indent: '  ', width },
    ),
  ];
}

/** With those of the project in the current folder, which Muster may not know yet. */
const listed = (link: Link, cwd: string) =>
  ask(link, 'agent.list', { path: projectFolder(join(cwd, '.muster', 'agents.yaml')) });

async function profileOf(link: Link, id: string, cwd: string): Promise<Result<AgentProfile>> {
  const found = await listed(link, cwd);
  if (!found.ok) return found;
  const rows = found.value.filter(({ profile }) => profile.id === id);
  // A project's profiles override the operator's own.
  const row = rows.find(({ source }) => source === 'project') ?? rows[0];
  if (row !== undefined) return ok(row.profile);
  const detected = await ask(link, 'agent.detect', {});
  if (!detected.ok) return detected;
  const known = detected.value.find((one) => one.id === id);
  if (known?.found === true) return ok(known.profile);
  return fail('not_found', `there is no agent "${id}"`, {
    mend: known === undefined ? 'see: muster agents' : `install it: ${known.install}`,
  });
}

/** The database holds no secret, so such a profile is not stored. */
const secretsInPlainText = (id: string, names: readonly string[]): Result<never> =>
  fail('input.invalid', `${names.join(', ')} would be stored as plain text, and ${id} was not added`, {
    mend: `write ${names.map((name) => `--secret ${name}`).join(' ')} instead, and set the value in the keychain (Agents, Secrets) or in the environment of Muster`,
  });

async function draftOf(
  link: Link,
  { id, flags: said }: AgentsCall & { readonly id: string },
  cwd: string,
): Promise<Result<AgentProfile>> {
  const base = said.from === undefined ? null : await profileOf(link, said.from, cwd);
  if (base !== null && !base.ok) return base;
  const before = base === null ? null : base.value;
  const env = Object.fromEntries(
    said.env.map((pair) => [pair.split('=')[0] ?? '', pair.slice(pair.indexOf('=') + 1)]),
  );
  const wrong = said.env.find((pair) => !/^[A-Za-z_]\w*=/.test(pair));
  if (wrong !== undefined) return fail('input.invalid', `--env ${wrong}: write NAME=VALUE`);
  const wished = {
    kind: said.kind ?? before?.kind ?? kindOf(said),
    name: said.name ?? before?.name ?? id,
    command: said.command,
    args: said.arg.length === 0 ? undefined : said.arg,
    preset: said.preset,
    api: said.api,
    base_url: said.url,
    api_key_secret: said.key,
    script: said.script,
    model: said.model,
    mode: said.mode,
    permissions: said.permissions,
    env: said.env.length === 0 ? undefined : { ...before?.env, ...env },
    secrets:
      said.secret.length === 0 ? undefined : [...new Set([...(before?.secrets ?? []), ...said.secret])],
  };
  return draftFrom(
    agentProfileSchema,
    { ...before, ...given(wished), id },
    {
      what: 'a profile',
      mend: 'see: muster agents --help',
    },
  );
}

/** If the kind is not given, a flag that only one kind has determines it. */
function kindOf({
  url,
  script,
  command: program,
  preset,
}: AgentsCall['flags']): AgentProfile['kind'] | undefined {
  if (url !== undefined) return 'gateway';
  if (script !== undefined) return 'scripted';
  if (preset !== undefined) return 'cli';
  return program === undefined ? undefined : 'acp';
}
