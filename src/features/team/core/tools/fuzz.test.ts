import { replay } from '@contract/run/reduce';
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { z } from 'zod';
import { member, openTeam } from '../testing/team';
import { teamTools } from './index';

const NUMBERS = [0, 1, -1, 0.5, 33.333333, 1e-9, 1e12, 1e17, -1e300, Number.NaN, Number.POSITIVE_INFINITY];
const TEXTS = [
  '',
  ' ',
  'one',
  'lead',
  'operator',
  'fake',
  'constructor',
  '__proto__',
  'toString',
  'x'.repeat(5_000),
];

const text = fc.constantFrom(...TEXTS);
const number = fc.oneof(fc.constantFrom(...NUMBERS), fc.constantFrom(1, 2));
const task = fc.record({ content: text, depends_on: fc.array(number, { maxLength: 2 }) });

/** Values of the field's type, so that many calls pass the tool's schema. */
function inputOf(schema: z.core.$ZodType): fc.Arbitrary<unknown> {
  const { def } = (schema as z.core.$ZodTypes)._zod;
  switch (def.type) {
    case 'optional':
      return fc.option(inputOf(def.innerType), { nil: undefined });
    case 'string':
      return text;
    case 'number':
      return number;
    case 'boolean':
      return fc.boolean();
    default:
      return fc.array(task, { maxLength: 3 });
  }
}

const calls = fc
  .oneof(
    { weight: 3, arbitrary: fc.constantFrom(...teamTools().filter(({ name }) => name === 'team_spawn')) },
    { weight: 7, arbitrary: fc.constantFrom(...teamTools()) },
  )
  .chain(({ name, input }) => {
    const fields = Object.entries(input.shape).map(([field, schema]) => [field, inputOf(schema)] as const);
    return fc
      .record(Object.fromEntries(fields))
      .map((given) => ({ name, given, taken: z.safeParse(input, given).success }));
  });

test('any input of a tool of a team leaves a run that reads after a restart as it was before', async () => {
  const property = fc.asyncProperty(fc.array(calls, { minLength: 1, maxLength: 8 }), async (several) => {
    const team = await openTeam({ lead: { agent: 'leader' }, members: [member('one', { iterative: true })] });
    for (const { name, given, taken } of several) {
      // Input that the schema rejects never reaches the tool.
      if (!taken) continue;
      await team.call('lead', name, given);
      await team.idle();
      for (const { name: one } of Object.values(team.team.members))
        team.waiting(one)?.end({ response: 'done' });
      await team.idle();
    }
    expect(team.log.refused).toEqual([]);
    expect(replay(JSON.parse(JSON.stringify(team.log.read(1))))).toEqual(team.state());
  });
  await fc.assert(property, { numRuns: 60 });
});
