import { double } from '@contract/testing/double';
import { afterAll, beforeAll, beforeEach, describe, expect, test, vi } from 'vitest';
import { ActionRegistry } from './actions';

beforeAll(() => {
  // There is no window here; no press comes from a text field.
  vi.stubGlobal('HTMLElement', class {});
});
afterAll(() => vi.unstubAllGlobals());

let registry: ActionRegistry;
let done: string[];
let time = 0;

function press(key: string, after = 50, repeat = false): boolean {
  time += after;
  const plain = {
    ctrlKey: false,
    metaKey: false,
    altKey: false,
    shiftKey: false,
    target: null,
    repeat,
    composedPath: () => [],
  };
  return registry.press(double<KeyboardEvent>({ key, timeStamp: time, ...plain }));
}

beforeEach(() => {
  registry = new ActionRegistry(false);
  done = [];
  registry.declare({
    'go.inbox': { title: 'Go to Inbox', keys: 'g i', group: 'Everywhere' },
    'gate.approve': { title: 'Approve', keys: 'a', group: 'Gate' },
    'gate.text': { title: 'Text', keys: 't, mod+t', group: 'Gate' },
    'list.next': { title: 'Next', keys: 'j', group: 'Lists', quiet: true, repeats: true },
  });
});

const does = (id: string) => ({ [id]: () => void done.push(id) });

describe('the action registry', () => {
  test('the action registry runs the action that has the pressed keys and can be done now', () => {
    registry.add(does('gate.approve'));
    expect(press('a')).toBe(true);
    expect(press('x')).toBe(false);
    expect(done).toEqual(['gate.approve']);
  });

  test('a key that is held down does a decision once, and a movement again and again', () => {
    registry.add({ ...does('gate.approve'), ...does('list.next') });
    press('a');
    expect(press('a', 30, true)).toBe(true);
    press('j');
    press('j', 30, true);
    expect(done).toEqual(['gate.approve', 'list.next', 'list.next']);
  });

  test('an action that cannot be done leaves its key alone', () => {
    registry.add({ 'gate.approve': null });
    expect(press('a')).toBe(false);
    expect(registry.available()).toEqual([]);
  });

  test('a held key decides once, and moves on and on', () => {
    registry.add({ ...does('gate.approve'), ...does('list.next') });
    press('a');
    expect(press('a', 30, true)).toBe(true);
    press('a', 30, true);
    press('j');
    press('j', 30, true);
    expect(done).toEqual(['gate.approve', 'list.next', 'list.next']);
  });

  test('the innermost place gets a key first, and only while it holds', () => {
    let inside = true;
    registry.add({ 'list.next': () => void done.push('outer') });
    registry.add({ 'list.next': () => void done.push('inner') }, () => inside);
    press('j');
    inside = false;
    press('j');
    expect(done).toEqual(['inner', 'outer']);
  });

  test('the registry waits for the second key of two, for a while', () => {
    registry.add({ ...does('go.inbox'), ...does('gate.approve') });
    expect(press('g')).toBe(true);
    expect(press('i')).toBe(true);
    press('g');
    press('i', 2000);
    press('g');
    press('a');
    expect(done).toEqual(['go.inbox', 'gate.approve']);
  });

  test('the registry takes the keys that the operator chose', () => {
    registry.add(does('gate.approve'));
    registry.setKeys({ 'gate.approve': 'y' });
    press('a');
    press('y');
    expect(done).toEqual(['gate.approve']);
    expect(registry.capsOf('gate.approve')).toEqual(['y']);
  });

  test('the registry names actions with the same keys in the same place', () => {
    expect(registry.conflicts('gate.approve', 't')).toEqual(['gate.text']);
    expect(registry.conflicts('gate.approve', 'g i')).toEqual(['go.inbox']);
    expect(registry.conflicts('gate.approve', 'j')).toEqual([]);
  });

  test('the registry knows which keys would do nothing, wherever the focus is', () => {
    registry.add({ ...does('gate.approve'), 'gate.text': null }, () => false);
    expect(['gate.approve', 'gate.text', 'list.next'].map((id) => registry.isHandled(id))).toEqual([
      true,
      false,
      false,
    ]);
  });

  test('the registry walks from the press of a movement to the next other press, or to the mouse', () => {
    registry.add({ ...does('gate.approve'), ...does('list.next') });
    press('j');
    expect(registry.walks).toBe(true);
    press('a');
    expect(registry.walks).toBe(false);
    press('j');
    press('x');
    expect(registry.walks).toBe(false);
    press('j');
    registry.stopWalking();
    expect(registry.walks).toBe(false);
  });

  test('the registry forgets a removed place', () => {
    const layer = registry.add(does('gate.approve'));
    layer.remove();
    expect(press('a')).toBe(false);
  });
});

test('a place that takes all keys recognizes the presses of an action, also those that the operator chose', () => {
  const registry = new ActionRegistry(false);
  registry.declare({ leave: { title: 'Leave', keys: 'mod+shift+x, mod+shift+esc', group: 'Here' } });
  const press = (key: string) =>
    ({ key, ctrlKey: true, shiftKey: true, altKey: false, metaKey: false }) as KeyboardEvent;
  expect(['X', 'x', 'Escape', 'y'].map((key) => registry.isWhole('leave', press(key)))).toEqual([
    ...[true, true, true, false],
  ]);
  registry.setKeys({ leave: 'mod+shift+y' });
  expect(['X', 'y'].map((key) => registry.isWhole('leave', press(key)))).toEqual([false, true]);
});
