import { fail, ok } from '@contract/result';
import { expect, test } from 'vitest';
import { FakeCore } from '../api/testing/fake-core';
import { commands } from './commands';
import { runProgram } from './program';
import { FakeLink } from './testing/fake-link';
import { fakeWorld } from './testing/fake-world';
import { finished, row, started } from './testing/story';

const gate = {
  ...{ runId: 1, runName: 'notes', gateId: 1, kind: 'iteration_blocked', status: 'open', stepId: 'ok' },
  ...{
    stepTitle: null,
    agent: null,
    title: 'Blocked',
    message: '',
    evidence: null,
    request: null,
    why: null,
  },
  ...{ openedAt: 1, closedAt: null, answer: null, by: null, snoozedUntil: null },
  options: ['approve', 'reject', 'continue', 'skip', 'resume', 'stop'].map((id) => ({
    ...{ id, label: id, effect: '' },
    tone: id === 'reject' ? 'reject' : 'approve',
  })),
};

/** Knows one run with one gate; what else is asked is not there. */
function coreWithGate(): FakeCore {
  const core: FakeCore = new FakeCore({
    'run.find': () => row,
    'run.get': () => ({ row, state: { seq: 1 } }),
    'run.list': () => ({ rows: [row], more: false }),
    'gate.list': ({ status }: { status: string }) => (status === 'closed' ? [] : [gate]),
    'gate.resolve': () => {
      core.commit(1, finished('succeeded'));
      return { ...gate, status: 'resolved' };
    },
  });
  core.commit(1, [started]);
  return core;
}

/** Every verb of every command, with words that parse. */
const lines = commands.flatMap(({ name, more, words }) => {
  const verbs = [...(more ?? '').matchAll(/^ {2}([a-z]+)((?: \[?[A-Z|/[\]]+)*) {2,}/gm)];
  const filled = (text: string): string[] =>
    text
      .split(' ')
      .filter((word) => word !== '')
      .map(() => '1');
  if (verbs.length === 0) return [[name, ...filled(words.replace(/\[.*$/, ''))]];
  return verbs.map(([, verb = '', rest = '']) => [name, verb, ...filled(rest.replace(/\[.*$/, ''))]);
});

test('the list of verbs is complete enough to name those that answer a gate of a loop', () => {
  expect(lines).toContainEqual(['loop', 'continue', '1']);
  expect(lines).toContainEqual(['loop', 'skip', '1']);
  expect(lines.length).toBeGreaterThan(commands.length);
});

test.each(['hosted', 'attached'] as const)(
  'no verb takes the lease of the database from itself when its core is %s',
  async (kind) => {
    const locked: string[] = [];
    for (const line of lines.filter(([name]) => name !== 'serve')) {
      const links: FakeLink[] = [];
      const { world, stop } = fakeWorld([...line, '--json']);
      const code = await runProgram({
        ...world,
        async open() {
          if (kind === 'hosted' && links.some(({ closed }) => !closed)) {
            locked.push(line.join(' '));
            return fail('store.locked', 'Another Muster uses this database.');
          }
          const link = new FakeLink(coreWithGate(), kind);
          links.push(link);
          return ok(link);
        },
      });
      stop.abort();
      expect(code, line.join(' ')).toBeTypeOf('number');
      expect(
        links.filter(({ closed }) => !closed),
        `${line.join(' ')} leaves a core open`,
      ).toEqual([]);
    }
    expect(locked).toEqual([]);
  },
);
