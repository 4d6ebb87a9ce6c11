import { describe, expect, test } from 'vitest';
import type { MemberRow } from '../../contract/summary';
import { addressedTo, addresseeOf, complete, completionAt, whatHappens, withoutAddress } from './addressee';

const names = ['S1', 'S2', 'S2-assembly', 'dr-brac'];

test('an @name at the start goes before the thread', () => {
  expect(addresseeOf('more', 'S1', names)).toEqual({ to: 'S1', unknown: null });
  expect(addresseeOf('@dr-BRAC more', 'S1', names)).toEqual({ to: 'dr-brac', unknown: null });
  expect(addresseeOf('@lead more', null, names)).toEqual({ to: 'lead', unknown: null });
  expect(addresseeOf('@S9 more', null, names)).toEqual({ to: null, unknown: 'S9' });
  // It is still being typed.
  expect(addresseeOf('@S2', null, names)).toEqual({ to: null, unknown: null });
  expect(addresseeOf('tell @S1 more', null, names)).toEqual({ to: null, unknown: null });
});

test('the name of a member with a colon addresses it as @name does', () => {
  expect(addresseeOf('S1: Add more terminology', null, names)).toEqual({ to: 'S1', unknown: null });
  expect(addresseeOf('DR-brac: shorter', 'S1', names)).toEqual({ to: 'dr-brac', unknown: null });
  expect(withoutAddress('S1: Add more terminology', names)).toBe('Add more terminology');
  // Neither an unknown name with a colon, nor a member that is only mentioned.
  expect(addresseeOf('Note: shorter', null, names)).toEqual({ to: null, unknown: null });
  expect(addresseeOf('S1 is good: go on', null, names)).toEqual({ to: null, unknown: null });
});

test('an address is read as the core reads it: white space before it is no text', () => {
  expect(addresseeOf('\n @S1 more', null, names)).toEqual({ to: 'S1', unknown: null });
});

test('an address alone says nothing', () => {
  expect(['@S1', ' @S1, ', '@S1 more', 'tell @S1 '].map((text) => withoutAddress(text, names))).toEqual([
    '',
    '',
    'more',
    'tell @S1',
  ]);
});

test('a text is addressed once', () => {
  expect(addressedTo('', 'S1')).toBe('@S1 ');
  expect(addressedTo('@S2, shorter', 'S1')).toBe('@S1 shorter');
});

describe('completion of names', () => {
  test('the completion offers names with the typed beginning first, then those that contain it', () => {
    expect(completionAt('@', 1, names)?.names).toEqual(names);
    expect(completionAt('@s2', 3, names)?.names).toEqual(['S2', 'S2-assembly']);
    expect(completionAt('ask @a', 6, names)).toEqual({ from: 4, names: ['S2-assembly', 'dr-brac'] });
    expect(completionAt('a@b', 3, names)).toBeNull();
    expect(completionAt('@dr-brac', 8, names)).toBeNull();
  });

  test('the completion replaces the typed beginning with the name', () => {
    expect(complete('ask @s2 for it', { from: 4, caret: 7, name: 'S2' })).toEqual({
      text: 'ask @S2 for it',
      caret: 8,
    });
    expect(complete('@', { from: 0, caret: 1, name: 'S1' })).toEqual({ text: '@S1 ', caret: 4 });
  });
});

describe('the hint below the composer', () => {
  const member = (more: Partial<MemberRow>) =>
    ({
      name: 'S1',
      ended: false,
      stopping: false,
      turnId: null,
      delivered: true,
      round: 2,
      why: 'w',
      ...more,
    }) as MemberRow;
  const team = (more: object = {}) => ({
    live: true,
    lead: false,
    leadWorks: false,
    members: [member({})],
    releases: [],
    ...more,
  });
  const to = (name: string | null) => ({ to: name, unknown: null });
  const says = (of: Parameters<typeof whatHappens>[0], name: string | null) => whatHappens(of, to(name)).text;

  test('the hint says which round follows, and when', () => {
    expect(says(team(), 'S1')).toBe('To S1, who starts round 3 at once.');
    expect(says(team({ members: [member({ delivered: false })] }), 'S1')).toContain('continues with round 2');
    expect(whatHappens(team({ members: [member({ turnId: 4 })] }), to('S1'))).toEqual({
      can: true,
      busy: true,
      text: 'Queued: S1 gets it when its turn ends.',
    });
    expect(says(team({ members: [member({ stopping: true })] }), 'S1')).toContain('last round');
  });

  test('the hint says what a text to no one is', () => {
    expect(says(team(), null)).toContain('Note to everyone; starts no round.');
    expect(says(team({ lead: true }), null)).toBe('To the lead, at once.');
    expect(whatHappens(team({ lead: true, leadWorks: true }), to('lead')).busy).toBe(true);
  });

  test('the hint says that words release a member, or that Muster asks first', () => {
    const sure = { member: 'S1', how: 'satisfied', sure: true } as const;
    expect(says(team({ releases: [sure] }), null)).toBe('Releases S1 after one last round.');
    expect(says(team({ releases: [{ ...sure, sure: false }] }), 'S1')).toBe(
      'Muster first asks whether you release S1.',
    );
    const stopping = { releases: [sure], members: [member({ stopping: true })] };
    expect(says(team(stopping), 'S1')).toBe('S1 reads it with its last round.');
    expect(whatHappens(team({ releases: [sure], live: false }), to(null)).can).toBe(false);
  });

  test('the hint says why nothing can be sent', () => {
    expect(whatHappens(team({ live: false }), to('S1')).can).toBe(false);
    expect(says(team({ members: [member({ ended: true })] }), 'S1')).toBe('S1 has ended: w.');
    expect(whatHappens(team(), { to: null, unknown: 'S9' }).text).toBe('There is no member “S9”.');
    expect(whatHappens(team(), to('lead')).can).toBe(false);
  });
});
