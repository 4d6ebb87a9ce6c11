import type { AppError } from '@contract/errors';
import { fail, ok, type Result } from '@contract/result';
import { ask } from '@main/api/core-service';
import { draftFrom } from '@main/cli/arguments/flag-values';
import { verbCommand } from '@main/cli/arguments/verbs';
import type { Call, Context } from '@main/cli/command';
import { EXIT, type ExitCode } from '@main/cli/exit';
import type { Link } from '@main/cli/link/link';
import { columns } from '@main/cli/output/columns';
import type { HostCheck } from '../../contract/host';
import { hostProcedures } from '../../contract/procedures';
import { factLines, hostCells } from './host-lines';

const flags = {
  ssh: { value: 'ALIAS', help: 'add: the entry of your ~/.ssh/config, if it is not called as the host' },
} as const;
type HostsCall = Call<typeof flags> & { readonly name: string };
type Act = (context: Context, link: Link, call: HostsCall) => Promise<Result<ExitCode>>;

const withCore =
  (act: Act) =>
  async (context: Context, call: Call<typeof flags>): Promise<Result<ExitCode>> => {
    const link = await context.open({ mode: 'reading' });
    return link.ok ? act(context, link.value, { ...call, name: call.words[1] ?? '' }) : link;
  };

const ACTS = {
  async list({ out }, link) {
    const found = await ask(link, 'host.list', {});
    if (!found.ok) return found;
    out.document(found.value, () =>
      found.value.rows.length === 0
        ? ['No hosts. Add one: muster hosts add NAME --ssh ALIAS']
        : columns(found.value.rows.map(hostCells), { width: out.width }),
    );
    return ok(EXIT.ok);
  },
  async add({ out }, link, { name, flags: { ssh = name } }) {
    const wish = draftFrom(
      hostProcedures['host.add'].input,
      { name, ssh },
      { what: 'a host', mend: 'see: muster hosts --help' },
    );
    if (!wish.ok) return wish;
    const added = await ask(link, 'host.add', wish.value);
    if (!added.ok) return added;
    out.document(added.value, () => [`Added ${name}. Connect for the first time: muster hosts test ${name}`]);
    return ok(EXIT.ok);
  },
  async test({ out }, link, { name }) {
    const tested = await ask(link, 'host.test', { name });
    if (!tested.ok) return tested;
    out.document(tested.value, () => [`${name} is ready.`, ...factLines(tested.value)]);
    return ok(EXIT.ok);
  },
  async doctor({ out }, link, { name }) {
    const names = name === '' ? await namesOf(link) : ok([name]);
    if (!names.ok) return names;
    const reports: { name: string; checks: HostCheck[]; error: AppError | null }[] = [];
    for (const one of names.value) {
      const found = await ask(link, 'host.doctor', { name: one });
      if (!found.ok && name !== '') return found;
      reports.push({
        name: one,
        checks: found.ok ? found.value.checks : [],
        error: found.ok ? null : found.error,
      });
    }
    const bad = reports.some(
      ({ checks, error }) => error !== null || checks.some(({ problem }) => problem !== null),
    );
    out.document({ hosts: reports }, () =>
      reports.flatMap(({ name: host, checks, error }) => [
        host,
        ...(error === null ? [] : [`  ${out.style.bad(error.message)}`, `  ${error.mend ?? ''}`]),
        ...checks.flatMap(({ title, found, problem }) =>
          problem === null
            ? [`  ${title}: ${found}`]
            : [`  ${title}: ${out.style.bad(problem.message)}`, `    ${problem.mend ?? ''}`],
        ),
      ]),
    );
    return ok(bad ? EXIT.failed : EXIT.ok);
  },
  async remove({ out }, link, { name }) {
    const removed = await ask(link, 'host.remove', { name });
    if (!removed.ok) return removed;
    out.document({ removed: name }, () => [`Removed ${name}. Muster’s folder ~/.muster-host stays there.`]);
    return ok(EXIT.ok);
  },
  async clean({ out }, link, { name }) {
    const cleaned = await ask(link, 'host.clean', { name });
    if (!cleaned.ok) return cleaned;
    const { removed, kept, folders } = cleaned.value;
    out.document(cleaned.value, () => [
      removed.length === 0 ? 'No older programs to remove.' : `Removed ${countOf(removed.length)}.`,
      ...(folders.length === 0 ? [] : [`Removed the folders of ended runs: ${folders.join(', ')}`]),
      ...(kept.length === 0 ? [] : [`${countOf(kept.length)} with sessions stay.`]),
    ]);
    return ok(EXIT.ok);
  },
} satisfies Record<string, Act>;

const countOf = (count: number): string => (count === 1 ? '1 older program' : `${count} older programs`);

async function namesOf(link: Link): Promise<Result<string[]>> {
  const found = await ask(link, 'host.list', {});
  if (!found.ok) return found;
  return found.value.rows.length === 0
    ? fail('not_found', 'There are no hosts.', { mend: 'Add one: muster hosts add NAME --ssh ALIAS' })
    : ok(found.value.rows.map(({ name }) => name));
}

export const hostsCommand = verbCommand({
  name: 'hosts',
  summary: 'Lists, adds, tests and removes remote hosts, which are reached over ssh.',
  words: '[list|add NAME|test NAME|doctor [NAME]|remove NAME|clean NAME]',
  more: [
    'A host is an entry of your own ~/.ssh/config, which you can reach without typing a password. Muster stores no key',
    'and no password. `test` connects, and copies Muster’s program to ~/.muster-host there if it is missing.',
  ].join('\n'),
  flags,
  verbs: {
    list: { words: '', help: 'the hosts', run: withCore(ACTS.list) },
    add: { words: 'NAME', help: 'adds a host', run: withCore(ACTS.add) },
    test: { words: 'NAME', help: 'connects, and shows what is there', run: withCore(ACTS.test) },
    doctor: {
      words: '[NAME]',
      help: 'checks what Muster needs there, and changes nothing',
      run: withCore(ACTS.doctor),
    },
    remove: { words: 'NAME', help: 'forgets a host', run: withCore(ACTS.remove) },
    clean: {
      words: 'NAME',
      help: 'removes older programs there that have no sessions, and folders of ended runs',
      run: withCore(ACTS.clean),
    },
  },
  usual: 'list',
});
