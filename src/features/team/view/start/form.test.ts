import { procedures } from '@contract/ipc';
import { expect, test } from 'vitest';
import { addMember, blankMember, budgetOf, configOf, missing, readDraft, type TeamDraft } from './form';

const draft: TeamDraft = {
  name: 'Team',
  lead: '',
  instruction: ' ',
  tokens: '',
  dollars: '',
  members: [{ ...blankMember(1, 'writer'), name: 'S1', prompt: ' Refine ' }],
};
const withMember = (more: object): TeamDraft => ({
  ...draft,
  members: [{ ...blankMember(1, 'writer'), name: 'S1', prompt: 'x', ...more }],
});

test('the form makes the configuration of a step, without default values', () => {
  expect(configOf(draft)).toEqual({
    lead: 'operator',
    members: [{ name: 'S1', agent: 'writer', prompt: 'Refine', iterative: true }],
  });
  expect(configOf({ ...draft, instruction: 'Of a lead that was chosen before.' })).toEqual(configOf(draft));
  const all = withMember({ readOnly: true, planApproval: true, model: 'm', idleMinutes: '90' });
  expect(configOf({ ...all, lead: 'boss', instruction: 'Lead.' })).toEqual({
    instruction: 'Lead.',
    lead: { agent: 'boss' },
    members: [
      {
        name: 'S1',
        agent: 'writer',
        prompt: 'x',
        iterative: true,
        read_only: true,
        plan_approval: true,
        model: 'm',
        idle_minutes: 90,
      },
    ],
  });
});

test('the form says what keeps the team from being started', () => {
  expect(missing(draft)).toBeNull();
  expect(missing({ ...draft, name: ' ' })).toBe('The team needs a name.');
  expect(missing({ ...draft, members: [] })).toContain('Add a member');
  expect(missing({ ...draft, members: [], lead: 'boss' })).toBeNull();
  expect(missing(withMember({ name: 'S 1' }))).toContain('S 1: a name has');
  expect(missing(withMember({ prompt: '' }))).toBe('S1 needs a task.');
  expect(missing(withMember({ agent: '' }))).toBe('S1 needs an agent.');
  expect(missing(withMember({ idleMinutes: 'soon' }))).toContain('a number above 0');
  const twice = addMember(draft, 'writer');
  const second = twice.members.slice(1).map((other) => ({ ...other, name: 's1', prompt: 'x' }));
  expect(missing({ ...twice, members: [...draft.members, ...second] })).toContain('another member');
});

test('a team has a budget where one is entered, and a wrong one keeps it from being started', () => {
  expect(budgetOf(draft)).toBeUndefined();
  expect(budgetOf({ ...draft, tokens: '5000' })).toEqual({ tokens: 5000 });
  const both = { ...draft, tokens: ' 5000', dollars: '2.5' };
  expect(budgetOf(both)).toEqual({ tokens: 5000, cost_usd: 2.5 });
  expect(missing(both)).toBeNull();
  const wanted = { uid: '01ARZ3NDEKTSV4RRFFQ69G5FAV', projectId: 1, name: 'Team', config: configOf(both) };
  const parsed = procedures['team.start'].input.parse({ ...wanted, budget: budgetOf(both) });
  expect(parsed.budget).toEqual(budgetOf(both));
  for (const tokens of ['1.5', '0', 'x', '1e99'])
    expect(missing({ ...draft, tokens })).toBe('The token budget must be a whole number above 0.');
  for (const dollars of ['-1', '0', 'x', 'Infinity'])
    expect(missing({ ...draft, dollars })).toBe('The cost budget must be a number above 0.');
});

test('a new member is numbered after all others, and a kept draft is read back', () => {
  expect(addMember(addMember(draft, 'a'), 'b').members.map(({ id }) => id)).toEqual([1, 2, 3]);
  expect(readDraft(JSON.stringify(draft), { ...draft, name: '' })).toEqual(draft);
  expect(readDraft('{"members":7}', draft)).toBe(draft);
  expect(readDraft('', draft)).toBe(draft);
  // Written by an earlier version, or by something else.
  const odd = { name: 7, lead: 'boss', members: [{ id: 3, name: 'S1', prompt: 'x' }, 7] };
  expect(readDraft(JSON.stringify(odd), draft)).toEqual({
    name: 'Team',
    lead: 'boss',
    instruction: ' ',
    tokens: '',
    dollars: '',
    members: [{ ...blankMember(3, ''), name: 'S1', prompt: 'x' }, blankMember(2, '')],
  });
});

test.each(['1e17', '525601', '1e999', 'NaN', '-1', '0'])(
  'a member that may wait %s minutes is refused in the form, as the start would',
  (idleMinutes) => expect(missing(withMember({ idleMinutes }))).toContain('a number above 0'),
);
