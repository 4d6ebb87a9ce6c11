import type { InterruptedCheckout } from '@areas/projects/contract/procedures';
import { fail, ok, type Result } from '@contract/result';
import { ask } from '@main/api/core-service';
import { type Call, type Context, command } from '@main/cli/command';
import { EXIT, type ExitCode } from '@main/cli/exit';
import type { Link } from '@main/cli/link/link';
import { dayAndTime } from '@main/cli/output/time';

const flags = {} as const;

export const checkoutCommand = command({
  name: 'checkout',
  summary: 'Shows changes of your checkouts that were interrupted, and finishes them or rolls them back.',
  words: '[list] | finish [ID] | roll-back [ID]',
  least: 0,
  most: 2,
  more: [
    'A merge or a change of branch is interrupted when git or the machine stops in the middle of it. `finish` brings',
    'every file to the new state, `roll-back` every file to the old one. Your own changes stay either way. ID is',
    'optional if there is only one.',
  ].join('\n'),
  flags,
  async run(context, call) {
    const [verb = 'list', id] = call.words;
    const how = HOW.get(verb);
    if (how === undefined && (verb !== 'list' || id !== undefined)) return unknown(call);
    const link = await context.open({ mode: 'reading' });
    if (!link.ok) return link;
    const found = await ask(link.value, 'checkout.interrupted', {});
    if (!found.ok) return found;
    return how === undefined
      ? list(context, found.value)
      : settle(context, link.value, { how, id, found: found.value });
  },
});

const HOW = new Map<string, 'finish' | 'roll_back'>([
  ['finish', 'finish'],
  ['roll-back', 'roll_back'],
]);

const unknown = (call: Call<typeof flags>) =>
  fail('input.invalid', `checkout: "${call.words.join(' ')}" is not a command`, {
    mend: 'one of: list, finish [ID], roll-back [ID]',
  });

const WORDS = { after: 'new', before: 'old', half: 'incomplete', yours: 'yours' } as const;

function list({ out }: Context, found: readonly InterruptedCheckout[]): Result<ExitCode> {
  out.document({ interrupted: found }, () =>
    found.length === 0
      ? ['No interrupted changes.']
      : found.flatMap(({ id, startedAt, text, files }) => [
          `${out.style.dim(`${id}  ${dayAndTime(startedAt)}`)}`,
          text,
          ...files.map(({ path, state }) => `  ${WORDS[state].padEnd(10)}  ${path}`),
        ]),
  );
  return ok(found.length === 0 ? EXIT.ok : EXIT.failed);
}

async function settle(
  { out }: Context,
  link: Link,
  {
    how,
    id,
    found,
  }: { how: 'finish' | 'roll_back'; id: string | undefined; found: readonly InterruptedCheckout[] },
): Promise<Result<ExitCode>> {
  const [only, ...others] = found;
  if (only === undefined && id === undefined) return fail('not_found', 'There are no interrupted changes.');
  if (id === undefined && others.length > 0)
    return fail('input.invalid', 'Several changes were interrupted.', {
      mend: 'Give the ID of one: see `muster checkout`.',
    });
  const done = await ask(link, 'checkout.settle', { id: id ?? only?.id ?? '', how });
  if (!done.ok) return done;
  out.document(done.value, () => [done.value.text]);
  return ok(EXIT.ok);
}
