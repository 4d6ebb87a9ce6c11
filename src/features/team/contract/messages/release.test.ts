import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { readRelease } from './release';

const members = ['ana', 'ben', 'S1', 'S1-b'];
const read = (text: string, to: string | null = null) =>
  readRelease(text, { members, to }).map(({ member, how, sure }) => `${member} ${how}${sure ? '' : '?'}`);

describe('two members in one sentence with different wishes', () => {
  test.each([
    ["I'm satisfied with ana, but ben should go on", ['ana satisfied']],
    ["I'm satisfied with ana, ben should go on", ['ana satisfied']],
    ["I'm satisfied with ana and ben should go on", ['ana satisfied']],
    ["Great, I'm satisfied with ana; ben, go on!", ['ana satisfied?', 'ben satisfied?']],
    ["I'm satisfied with ana, but not with ben", ['ana satisfied']],
    ["I'm satisfied with ana's work, ben continues.", ['ana satisfied']],
    ['Shut down ana and keep ben', ['ana shutdown']],
    ['shut down ben, not ana', ['ben shutdown']],
    ["I'm satisfied with ana, shut down ben", ['ana satisfied', 'ben shutdown']],
    ["I'm satisfied with ana and I'm satisfied with ben", ['ana satisfied', 'ben satisfied']],
    ["I'm satisfied with S1, S1-b goes on", ['S1 satisfied']],
    ["I'm satisfied with S1-b while S1 works on", ['S1-b satisfied']],
    ["I'm satisfied with ana - ben is not finished", ['ana satisfied']],
    ["ben should continue, but I'm satisfied with ana", ['ana satisfied']],
    ['satisfied with ana, ben should go on', ['ana satisfied?']],
    ['ana: satisfied. ben: go on', ['ana satisfied?']],
    ["I'm not satisfied with ana, but I'm satisfied with ben", ['ana satisfied?', 'ben satisfied?']],
    ["don't shut down ana, shut down ben", ['ana shutdown?', 'ben shutdown?']],
    ["I'm satisfied with ana and ben", ['ana satisfied?', 'ben satisfied?']],
    ["I'm satisfied with ana, ben", ['ana satisfied?', 'ben satisfied?']],
    ["I'm satisfied with ana, ben too", ['ana satisfied?', 'ben satisfied?']],
    ["I'm satisfied with ana and ben and S1 should go on", ['ana satisfied?', 'ben satisfied?']],
    ["I'm satisfied with ana if ben agrees", ['ana satisfied?', 'ben satisfied?']],
    ["I'm satisfied with ana, if ben agrees", ['ana satisfied?', 'ben satisfied?']],
    ["when ben is ready, I'm satisfied with ana", ['ana satisfied?', 'ben satisfied?']],
    ["I'm satisfied with ana, but ben says ana forgot a test", ['ana satisfied?', 'ben satisfied?']],
    ["I'm satisfied with ana, but she should help ben", ['ana satisfied?', 'ben satisfied?']],
    ["I'm satisfied with ana, do the same for ben", ['ana satisfied?', 'ben satisfied?']],
    ['shut down ana and ben', ['ana shutdown?', 'ben shutdown?']],
    ['ben was satisfied with the draft of ana', ['ana satisfied?', 'ben satisfied?']],
  ])('the text "%s" about two members is read for each of them', (text, expected) => {
    expect(read(text)).toEqual(expected);
  });

  test.each([
    ["I'm satisfied with ana. But ben should go on.", ['ana satisfied']],
    ["I'm satisfied with ana. But ana should add a test first.", ['ana satisfied?']],
    ["I'm satisfied with ana. But first a test, please.", ['ana satisfied?']],
    ["I'm satisfied with ana. Not!", ['ana satisfied?']],
    ["Ana did well. I'm satisfied with ana.", ['ana satisfied']],
  ])('the sentences "%s" are read together', (text, expected) => {
    expect(read(text)).toEqual(expected);
  });

  test('a text to one member releases only that one', () => {
    expect(read("I'm satisfied, but ben should go on", 'ana')).toEqual(['ana satisfied']);
    expect(read("You're done, ben continues", 'ana')).toEqual(['ana satisfied']);
    expect(read("I'm satisfied with ben", 'ana')).toEqual(['ben satisfied']);
    expect(read("I'm satisfied with you and ben", 'ana')).toEqual(['ben satisfied?']);
  });
});

test('a text about all members asks about each open one, whatever its lane is told', () => {
  const all = (text: string, to: string | null = null) =>
    readRelease(text, { members, to, all: ['ana', 'ben'] }).map(
      ({ member, how, sure }) => `${member} ${how}${sure ? '' : '?'}`,
    );
  expect(all("I'm satisfied with everyone.")).toEqual(['ana satisfied?', 'ben satisfied?']);
  expect(all('Shut down the team')).toEqual(['ana shutdown?', 'ben shutdown?']);
  expect(all('All done!')).toEqual(['ana satisfied?', 'ben satisfied?']);
  expect(all('All done with the tests?')).toEqual([]);
  expect(all('All done', 'ana')).toEqual([]);
  expect(all("I'm satisfied.")).toEqual([]);
});

describe('any text', () => {
  const release = fc.constantFrom(
    "I'm satisfied with NAME",
    'i am satisfied with NAME',
    'shut down NAME',
    'please shut down @NAME',
  );
  const wish = fc.constantFrom(
    'NAME should go on',
    'NAME goes on',
    'keep NAME',
    'NAME needs another round',
    'NAME, add a test',
    'not NAME',
    'not with NAME',
    "I'm not satisfied with NAME",
    "don't shut down NAME",
    "I'll be satisfied with NAME when the tests pass",
    'NAME must not be shut down',
    'never shut down NAME',
    'if you shut down NAME I will be angry',
    'let NAME work until I am satisfied with NAME',
  );
  const joint = fc.constantFrom(', but ', ', ', ' and ', '; ', ' while ', ' - ', '. ', ', and ', ' but ');
  const pair = fc
    .shuffledSubarray(members, { minLength: 2, maxLength: 2 })
    .map(([one = '', other = '']) => ({ one, other }));
  const named = (words: string, name: string): string => words.replaceAll('NAME', name);

  test('a member that must go on is never surely released', () => {
    fc.assert(
      fc.property(
        fc.record({ pair, says: release, wants: wish, by: joint, turned: fc.boolean() }),
        (given) => {
          const {
            pair: { one, other },
            says,
            wants,
            by,
            turned,
          } = given;
          const parts = [named(says, one), named(wants, other)];
          const text = (turned ? parts.reverse() : parts).join(by);
          const sure = readRelease(text, { members, to: null }).filter((words) => words.sure);
          expect(sure.map(({ member }) => member)).not.toContain(other);
        },
      ),
    );
  });

  test('a release that stands alone is sure, however it is written', () => {
    const polite = fc.constantFrom('', 'Perfect. ', 'Great, ', 'Ok - ', 'Thanks! ');
    fc.assert(
      fc.property(fc.constantFrom(...members), release, polite, (name, says, before) => {
        expect(read(`${before}${named(says, name)}.`)).toHaveLength(1);
        expect(read(`${before}${named(says, name)}.`)[0]).not.toContain('?');
      }),
    );
  });

  test('a negated release is never sure', () => {
    const negated = fc.constantFrom(
      "I'm not satisfied with NAME",
      'I am not yet satisfied with NAME',
      "I can't say I'm satisfied with NAME",
      "don't shut down NAME",
      'do not shut down NAME',
      'never shut down NAME',
      "I'm satisfied with NAME, not",
      "I'm hardly satisfied with NAME",
      "it is not true that I'm satisfied with NAME",
      "no, I'm satisfied with NAME only when it is blue",
    );
    fc.assert(
      fc.property(fc.constantFrom(...members), negated, (name, says) => {
        const found = readRelease(named(says, name), { members, to: null });
        expect(found.filter(({ sure }) => sure)).toEqual([]);
      }),
    );
  });
});
