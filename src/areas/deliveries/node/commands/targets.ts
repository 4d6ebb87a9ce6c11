import { fail, ok, type Result } from '@contract/result';
import { ask } from '@main/api/core-service';
import { draftFrom, given, numberFlag, wholeNumber } from '@main/cli/arguments/flag-values';
import { verbCommand } from '@main/cli/arguments/verbs';
import type { Call, Context, OpenOptions } from '@main/cli/command';
import { EXIT, type ExitCode } from '@main/cli/exit';
import type { Link } from '@main/cli/link/link';
import { columns } from '@main/cli/output/columns';
import { type DeliveryTarget, deliveryTargetSchema } from '../../contract/target';

const flags = {
  webhook: { value: 'URL', help: 'add: posts each update there' },
  header: {
    value: 'NAME',
    help: 'add, webhook: the header that the secret is sent in (default Authorization)',
  },
  secret: { value: 'NAME', help: 'add, webhook: the keychain entry or variable with the secret' },
  command: { value: 'LINE', help: 'add: a shell line that reads each update from its standard input' },
  seconds: { value: 'N', help: 'add, command: the timeout in seconds (default 30)' },
  openclaw: { value: 'PROFILE', help: 'add: the main session of this OpenClaw profile’s agent' },
  name: { value: 'TEXT', help: 'add: the name shown on screen' },
  filter: { value: 'WHICH', help: 'add: everything, loops or trouble (default everything)' },
  sends: {
    value: 'LIST',
    help: 'add: a comma-separated list of updates, questions and ends (default: all)',
  },
  answers: {
    value: 'WHICH',
    help: 'add: what can be answered there: none, questions or everything (default questions)',
  },
} as const;
type TargetsCall = Call<typeof flags> & { readonly id: string };

type Act = (context: Context, link: Link, call: TargetsCall) => Promise<Result<ExitCode>>;

/** An action on the target named by the second word, with an open core. */
const onTarget =
  (act: Act, mode: OpenOptions['mode'] = 'working') =>
  async (context: Context, call: Call<typeof flags>): Promise<Result<ExitCode>> => {
    const link = await context.open({ mode });
    return link.ok ? act(context, link.value, { ...call, id: call.words[1] ?? '' }) : link;
  };

const whereOf = (target: DeliveryTarget): string => {
  switch (target.kind) {
    case 'webhook':
      return target.url;
    case 'command':
      return target.command;
    case 'openclaw':
      return target.profile;
  }
};

const ACTS = {
  async list({ out }, link) {
    const targets = await targetsOf(link);
    if (!targets.ok) return targets;
    const states = await ask(link, 'delivery.targets', {});
    if (!states.ok) return states;
    const troubleOf = (id: string) => states.value.find(({ target }) => target === id)?.trouble?.error ?? '';
    out.document({ targets: targets.value, states: states.value }, () =>
      targets.value.length === 0
        ? ['No targets: updates go to the feed only.']
        : columns(
            targets.value.map((one) => [
              one.id,
              one.kind,
              one.enabled ? one.filter : 'off',
              one.sends.join(', '),
              whereOf(one),
              out.style.bad(troubleOf(one.id)),
            ]),
            { width: out.width },
          ),
    );
    return ok(EXIT.ok);
  },
  async add({ out }, link, call) {
    const target = draftOf(call);
    if (!target.ok) return target;
    const targets = await targetsOf(link);
    if (!targets.ok) return targets;
    if (targets.value.some(({ id }) => id === call.id))
      return fail('conflict', `the target "${call.id}" already exists`, {
        mend: `remove it first: muster targets remove ${call.id}`,
      });
    const saved = await save(link, [...targets.value, target.value]);
    if (!saved.ok) return saved;
    out.document(target.value, () => [`Added ${call.id}. Try it: muster targets test ${call.id}`]);
    return ok(EXIT.ok);
  },
  async test({ out }, link, { id }) {
    const target = await targetOf(link, id);
    if (!target.ok) return target;
    const tested = await ask(link, 'delivery.test', { target: target.value });
    if (!tested.ok) return tested;
    out.document(tested.value, () => [`${id} accepted a test message: ${tested.value.receipt}`]);
    return ok(EXIT.ok);
  },
  async remove({ out }, link, { id }) {
    const target = await targetOf(link, id);
    if (!target.ok) return target;
    const targets = await targetsOf(link);
    if (!targets.ok) return targets;
    const saved = await save(
      link,
      targets.value.filter((one) => one.id !== id),
    );
    if (!saved.ok) return saved;
    out.document({ removed: id }, () => [`Removed ${id}.`]);
    return ok(EXIT.ok);
  },
} satisfies Record<string, Act>;

export const targetsCommand = verbCommand({
  name: 'targets',
  summary: 'Lists, adds, tests and removes the places where updates and questions are sent.',
  words: '[list|add ID|test ID|remove ID]',
  more: [
    'A new target gets everything from then on: updates, and the questions and ends of loops and teams. `muster',
    'deliveries` lists what was sent. A question has a token that answers it once, by POST /answers of the HTTP API.',
    '--answers everything includes permission requests, merges and questions in terminals.',
  ].join('\n'),
  flags,
  verbs: {
    list: { words: '', help: 'the targets of updates', run: onTarget(ACTS.list, 'reading') },
    add: { words: 'ID', help: 'adds a target', run: onTarget(ACTS.add) },
    test: { words: 'ID', help: 'sends a test message', run: onTarget(ACTS.test) },
    remove: { words: 'ID', help: 'removes a target', run: onTarget(ACTS.remove) },
  },
  usual: 'list',
});

async function targetsOf(link: Link): Promise<Result<DeliveryTarget[]>> {
  const settings = await ask(link, 'settings.get', {});
  return settings.ok ? ok(settings.value.deliveries.targets) : settings;
}

async function targetOf(link: Link, id: string): Promise<Result<DeliveryTarget>> {
  const targets = await targetsOf(link);
  if (!targets.ok) return targets;
  const found = targets.value.find((one) => one.id === id);
  return found === undefined
    ? fail('not_found', `there is no target "${id}"`, { mend: 'see: muster targets' })
    : ok(found);
}

async function save(link: Link, targets: DeliveryTarget[]): Promise<Result<unknown>> {
  const settings = await ask(link, 'settings.get', {});
  if (!settings.ok) return settings;
  const { deliveries } = settings.value;
  return ask(link, 'settings.set', { settings: { deliveries: { ...deliveries, targets } } });
}

function draftOf({ id, flags: said }: TargetsCall): Result<DeliveryTarget> {
  const kinds = [said.webhook, said.command, said.openclaw].filter((one) => one !== undefined);
  if (kinds.length !== 1) return fail('input.invalid', 'give one of --webhook, --command or --openclaw');
  const seconds = numberFlag('seconds', said.seconds, wholeNumber());
  if (!seconds.ok) return seconds;
  const wished = {
    id,
    name: said.name ?? id,
    filter: said.filter,
    answers: said.answers,
    sends: said.sends?.split(',').map((kind) => kind.trim()),
    ...(said.webhook !== undefined && {
      kind: 'webhook',
      url: said.webhook,
      header: said.header,
      secret: said.secret,
    }),
    ...(said.command !== undefined && { kind: 'command', command: said.command, seconds: seconds.value }),
    ...(said.openclaw !== undefined && { kind: 'openclaw', profile: said.openclaw }),
  };
  return draftFrom(deliveryTargetSchema, given(wished), {
    what: 'a target',
    mend: 'see: muster targets --help',
  });
}
