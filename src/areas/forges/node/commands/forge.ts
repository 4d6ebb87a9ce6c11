import { firstFinding } from '@contract/findings';
import { fail, ok, type Result } from '@contract/result';
import { ask } from '@main/api/core-service';
import { type Context, command } from '@main/cli/command';
import { EXIT, type ExitCode } from '@main/cli/exit';
import { columns } from '@main/cli/output/columns';
import { type ForgeHost, forgeHostSchema } from '../../contract/forge';
import { askInProject } from './project';

export const forgeCommand = command({
  name: 'forge',
  summary: 'Shows the forge of the project, and manages hosts of your own.',
  words: '[list|add HOST|remove HOST]',
  least: 0,
  most: 2,
  more: [
    'Without words: the forge of the current project and where its token comes from. github.com is known.',
    '`add` names another host, such as a GitHub Enterprise Server, as it stands in the address of the git remote.',
  ].join('\n'),
  flags: {
    kind: { value: 'github', help: 'add: what runs there' },
    api: { value: 'ADDRESS', help: 'add: the address of the API, if it is not the usual one' },
    secret: { value: 'NAME', help: 'add: the secret with the token (default: the login of gh)' },
  },
  async run(context, { words: [verb, host], flags }) {
    if (verb === undefined) return show(context);
    if (verb === 'list' && host === undefined) return list(context);
    if (verb === 'add' && host !== undefined) {
      const { kind, api = null, secret = null } = flags;
      const read = forgeHostSchema.safeParse({ host, kind, api, secret });
      if (!read.success) return fail('input.invalid', `forge add: ${firstFinding(read.error)}`);
      return change(context, host, [read.data]);
    }
    if (verb === 'remove' && host !== undefined) return change(context, host, []);
    return fail('input.invalid', `forge: "${[verb, host].filter(Boolean).join(' ')}" is not a command`, {
      mend: 'one of: list, add HOST --kind github, remove HOST',
    });
  },
});

async function show(context: Context): Promise<Result<ExitCode>> {
  const found = await askInProject(context, undefined, (link, { id: projectId }) =>
    ask(link, 'forge.get', { projectId }),
  );
  if (!found.ok) return found;
  const { host, repository, remote, login, problem } = found.value;
  const from =
    login === null
      ? `none: ${problem?.mend ?? ''}`
      : login === 'secret'
        ? 'a secret'
        : `the login of ${login}`;
  context.out.document(found.value, () => [`${host}/${repository} (remote ${remote})`, `token: ${from}`]);
  return ok(login === null ? EXIT.usage : EXIT.ok);
}

async function list({ open, out }: Context): Promise<Result<ExitCode>> {
  const link = await open({ mode: 'reading' });
  if (!link.ok) return link;
  const found = await ask(link.value, 'forge.hosts', {});
  if (!found.ok) return found;
  const { hosts } = found.value;
  out.document(found.value, () =>
    hosts.length === 0
      ? ['No hosts besides github.com.']
      : columns(
          hosts.map(({ host, kind, api, secret }) => [host, kind, api ?? '-', secret ?? '-']),
          { width: out.width },
        ),
  );
  return ok(EXIT.ok);
}

async function change(
  { open, out }: Context,
  host: string,
  added: readonly ForgeHost[],
): Promise<Result<ExitCode>> {
  const link = await open({ mode: 'reading' });
  if (!link.ok) return link;
  const found = await ask(link.value, 'forge.hosts', {});
  if (!found.ok) return found;
  const others = found.value.hosts.filter((one) => one.host !== host);
  if (added.length === 0 && others.length === found.value.hosts.length)
    return fail('not_found', `There is no host ${host}.`);
  const done = await ask(link.value, 'forge.setHosts', { hosts: [...others, ...added] });
  if (!done.ok) return done;
  out.document({ host }, () => [added.length === 0 ? `Removed ${host}.` : `Added ${host}.`]);
  return ok(EXIT.ok);
}
