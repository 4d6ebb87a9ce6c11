import { double } from '@contract/testing/double';
import { expect, test } from 'vitest';
import type { SessionListener } from '../../../core/ports/ports';
import { defaultLimits } from '../limits';
import { cliPresets } from '../program/presets';
import type { AgentProgram } from '../program/program';
import type { TerminalTurn } from '../turn/turn';
import { Vitals } from './vitals';
import { LifeWatch } from './watch';

/** An agent whose hooks report its questions, but not that they were answered. */
function claude() {
  let at = 0;
  let screen = '';
  const vitals = new Vitals(() => at, defaultLimits);
  vitals.ready();
  vitals.resumeTurn({ atRest: 0, stallMs: 600_000 });
  const seen: string[] = [];
  const program = double<AgentProgram>({
    vitals,
    deaf: false,
    lastLines: () => screen,
    question: () => null,
    screen: () => ({ lines: screen.split('\n'), pasteMode: true }),
  });
  const listener = double<SessionListener>({ observed: (_, { state }) => void seen.push(state) });
  const turn = double<TerminalTurn>({ id: 1, cause: null, notice: () => undefined });
  const parts = { program, preset: cliPresets.claude, limits: defaultLimits, listener };
  const watch = new LifeWatch({ ...parts, agent: 'Claude', now: () => at });
  return {
    turn,
    vitals,
    watch,
    seen,
    draws: (text: string, ms: number) => {
      at += ms;
      screen = text;
      vitals.printed();
    },
    rest: (ms: number) => {
      at += ms;
    },
    look: () => {
      watch.look();
      watch.report(turn);
      return seen.at(-1);
    },
  };
}

test('an agent that was answered and works on for long does not count as waiting until its next word', () => {
  const { draws, look, rest, vitals } = claude();
  draws('✻ Thinking (esc to interrupt)', 1000);
  expect(look()).toBe('working');
  vitals.told('waiting', 'may it use Bash?');
  draws('Do you want to proceed?\n❯ 1. Yes\nEsc to cancel', 200);
  // Its gate is to show the question, which may not be drawn yet.
  expect(look()).toBe('working');
  rest(defaultLimits.settleMs);
  expect(look()).toBe('waits');
  draws('Do you want to proceed?\n  1. Yes\n❯ 2. No\nEsc to cancel', 5000);
  expect(look()).toBe('waits');
  draws('⏺ Bash(make)\n✻ Running (esc to interrupt)', 1000);
  expect(look()).toBe('working');
});

test('an agent that does not come to its prompt does not count as working on a prompt that was not typed', () => {
  const { rest, seen, turn, vitals, watch } = claude();
  vitals.endTurn();
  watch.tell(turn);
  expect(seen).toEqual([]);
  watch.tellAway(turn, 5);
  expect(seen).toEqual(['unknown']);
  vitals.asks('Do you trust this folder?');
  rest(defaultLimits.settleMs);
  watch.tellAway(turn, 5);
  expect(seen).toEqual(['unknown', 'waits']);
});
