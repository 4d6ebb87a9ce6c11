import { expect, test } from 'vitest';
import { lowestBetween, place, placeNow } from '../layout/place';
import { canvasGraph } from './graph';
import { shownPorts } from './ports';
import { stepTroubles } from './troubles';
import { nextCable, nextStep } from './walk';

const step = (id: string, more = {}) => ({ id, type: 'step.agent_task', config: {}, ...more });
const PORTS = {
  inputs: [{ name: 'data_in', label: 'Data', kind: 'bundle' as const }],
  outputs: [
    { name: 'data_out', label: 'Output', kind: 'bundle' as const },
    { name: 'revise_out', label: 'Revise', kind: 'bundle' as const, leadsBack: true },
  ],
};
const LOOP = step('again', {
  config: {
    body: { steps: [step('fix'), step('check')], cables: [{ from: 'fix.data_out', to: 'check.data_in' }] },
  },
});
const CABLES = [
  { from: 'plan.data_out', to: 'again.data_in' },
  { from: 'again.data_out', to: 'ask.data_in' },
  { from: 'ask.revise_out', to: 'plan.data_in' },
  { from: 'ask.old_out', to: 'gone.data_in' },
];
const graph = (open: string[] = [], steps = [step('plan'), LOOP, step('ask')]) =>
  canvasGraph({
    steps,
    cables: CABLES,
    open: new Set(open),
    ports: { plan: PORTS, again: PORTS, ask: PORTS },
  });
const options = {
  height: 56,
  arrange: async ({ nodes }: { nodes: readonly { id: string }[] }) =>
    new Map(nodes.map(({ id }, index) => [id, { x: index * 300, y: 0 }])),
};

test('cables that close a circle lead back, and those without an end are dangling', () => {
  const { steps, cables } = graph();
  expect(cables.map(({ back, dangling }) => [back, dangling])).toEqual([
    [false, false],
    [false, false],
    [true, false],
    [false, true],
  ]);
  expect(steps.map(({ key, step }) => [key, step !== null])).toEqual([
    ['plan', true],
    ['again', true],
    ['ask', true],
    ['gone', false],
  ]);
  const ask = steps.find(({ key }) => key === 'ask');
  expect(ask?.outputs.find(({ name }) => name === 'old_out')).toMatchObject({ known: false, wired: true });
});

test('a body is drawn only where it is open, with keys behind that of its step', () => {
  expect(graph().steps).toHaveLength(4);
  const { steps, cables } = graph(['again']);
  expect(steps.map(({ key }) => key)).toEqual(['plan', 'again', 'again/fix', 'again/check', 'ask', 'gone']);
  expect(cables.some(({ to }) => to.step === 'again/check')).toBe(true);
});

test('a step with many ports shows those with a cable and a few others', () => {
  const ports = Array.from({ length: 300 }, (_, index) => ({
    name: `p${index}`,
    label: `${index}`,
    kind: 'bundle' as const,
    known: true,
    wired: index === 250 || index === 2,
  }));
  const shown = shownPorts(ports).map(({ name }) => name);
  expect(shown).toEqual(['p0', 'p1', 'p2', 'p3', 'p250']);
});

test('responses of an agent are shown before signals and receipts where a step has many ports', () => {
  const port = (name: string, kind: 'bundle' | 'signal' | 'receipt' = 'bundle') => {
    return { name, label: name, kind, known: true, wired: false };
  };
  const ports = [port('data'), port('signal', 'signal'), port('receipt', 'receipt')];
  const shown = shownPorts([...ports, port('original'), port('first'), port('second')]);
  expect(shown.map(({ name }) => name)).toEqual(['data', 'signal', 'original', 'first', 'second']);
});

test('a step stands where the file says, and the others keep the places that they were given', async () => {
  const moved = [step('plan', { position: { x: -50, y: 400 } }), LOOP, step('ask')];
  const before = await place(graph(), options);
  const after = await place(graph([], moved), options);
  expect(after.at.get('plan')).toEqual({ x: -50, y: 400 });
  for (const key of ['again', 'ask', 'gone']) expect(after.at.get(key)).toEqual(before.at.get(key));
});

test('a step that the file gives no place stands beside the one before it, and covers no other', async () => {
  const placed = (id: string, x: number) => step(id, { position: { x, y: 0 } });
  const { at, sizes } = await place(
    graph([], [placed('plan', 0), placed('again', 300), placed('far', 2000), step('ask')]),
    options,
  );
  expect(at.get('ask')?.x).toBe(300 + (sizes.get('again')?.width ?? 0) + 64);
});

test('many steps without a place are shown at once, and what the file says stays', () => {
  const many = Array.from({ length: 500 }, (_, index) => step(`s${index}`));
  const cables = many.slice(5).map(({ id }, index) => ({ from: `s${index}.data_out`, to: `${id}.data_in` }));
  const drawn = (steps: typeof many) => canvasGraph({ steps, cables, open: new Set(), ports: {} });
  const placed = placeNow(drawn(many), options);
  expect(placed?.at.size).toBe(500);
  const fixed = many.map((one, index) => (index < 200 ? { ...one, position: { x: index, y: 7 } } : one));
  expect(placeNow(drawn(fixed), options)?.at.get('s150')).toEqual({ x: 150, y: 7 });
  // A few are worth the wait for the better layout.
  expect(
    placeNow(canvasGraph({ steps: many.slice(0, 20), cables: [], open: new Set(), ports: {} }), options),
  ).toBeNull();
});

test('keys walk along cables, into an open body and out of it', async () => {
  const seen = { graph: graph(['again']), placement: await place(graph(['again']), options) };
  expect(nextStep(seen, null, 'right')).toBe('plan');
  expect(nextStep(seen, 'plan', 'right')).toBe('again');
  expect(nextStep(seen, 'again', 'down')).toBe('again/fix');
  expect(nextStep(seen, 'again/fix', 'right')).toBe('again/check');
  expect(nextStep(seen, 'again/fix', 'left')).toBe('again');
  expect(nextStep(seen, 'ask', 'left')).toBe('again');
  const first = nextCable(seen.graph, 'again', null);
  expect(first?.cable.from).toBe('plan.data_out');
  expect(nextCable(seen.graph, 'again', first?.key ?? null)?.cable.to).toBe('ask.data_in');
});

test('a problem stands at the innermost step that its path leads to', () => {
  const problem = (path: string, severity: 'error' | 'warning') => ({
    code: 'validation.config' as const,
    severity,
    message: path,
    where: { path },
  });
  const found = stepTroubles({ steps: [step('plan'), LOOP] }, [
    problem('steps[1].config.body.steps[1].config.script', 'error'),
    problem('steps[0].when', 'warning'),
    problem('steps[0].config.x', 'error'),
  ]);
  expect([...found]).toEqual([
    ['again/check', { severity: 'error', text: 'steps[1].config.body.steps[1].config.script' }],
    ['plan', { severity: 'error', text: 'steps[0].config.x' }],
  ]);
});

test('a cable back runs below every step that it goes past', async () => {
  const drawn = graph(['again']);
  const placement = await place(drawn, options);
  const back = drawn.cables.find((cable) => cable.back);
  const body = (placement.at.get('again')?.y ?? 0) + (placement.sizes.get('again')?.height ?? 0);
  expect(body).toBeGreaterThan(placement.sizes.get('ask')?.height ?? 0);
  expect(back && lowestBetween(drawn, placement, back)).toBe(body + 26);
});

test('a cable back does not squeeze through between two steps below each other, but takes a wide gap', async () => {
  const placed = (id: string, x: number, y: number) => step(id, { position: { x, y } });
  const runsAt = async (second: number) => {
    const drawn = graph(
      [],
      [placed('plan', 0, 0), placed('second', 300, second), placed('again', 300, 0), placed('ask', 600, 0)],
    );
    const back = drawn.cables.find((cable) => cable.back);
    return back && lowestBetween(drawn, await place(drawn, options), back);
  };
  expect(await runsAt(96)).toBe(96 + 56 + 26);
  expect(await runsAt(300)).toBe(56 + 26);
});

test('ports of an unknown step are called by the names in its cables', () => {
  const { steps } = canvasGraph({
    steps: [step('plan'), step('ask')],
    cables: CABLES,
    open: new Set(),
    ports: {},
  });
  expect(steps[1]?.outputs.map(({ label, known }) => [label, known])).toEqual([
    ['Revise', true],
    ['Old', true],
  ]);
});

test('what is switched off includes the steps of its body, and no cable out of it is taken but those of a skip', () => {
  const step = (id: string, more: object = {}) => ({ id, type: 'step.command', config: {}, ...more });
  const body = { steps: [step('inner'), step('last')], cables: [{ from: 'inner.out', to: 'last.in' }] };
  const firing = { name: 'always', label: 'Always', kind: 'signal' as const, firesWhenSkipped: true };
  const { steps, cables } = canvasGraph({
    steps: [
      step('first'),
      step('off', { type: 'step.loop', disabled: true, config: { body } }),
      step('next'),
    ],
    cables: [
      { from: 'first.out', to: 'off.in' },
      { from: 'off.out', to: 'next.in' },
      { from: 'off.always', to: 'next.then' },
    ],
    ports: { off: { inputs: [], outputs: [firing] } },
    open: new Set(['off']),
  });
  expect(steps.filter(({ off }) => off).map(({ key }) => key)).toEqual(['off', 'off/inner', 'off/last']);
  expect(cables.filter(({ off }) => off).map(({ cable }) => cable.from)).toEqual(['inner.out', 'off.out']);
});
