import { stepWords } from '@renderer/parts/words/status-words';
import { expect, test } from 'vitest';
import { canvasGraph } from '../graph/graph';
import type { StepFace } from './faces';
import { firstView } from './initial-view';

const step = (id: string) => ({ id, type: 'step.command', config: {} });
const size = { width: 200, height: 60 };

/** Steps of one row, 300 from each other. */
function row(count: number) {
  const steps = Array.from({ length: count }, (_, index) => step(`s${index}`));
  const graph = canvasGraph({ steps, cables: [], ports: {}, open: new Set<string>() });
  const at = new Map(steps.map(({ id }, index) => [id, { x: index * 300, y: 0 }]));
  const sizes = new Map(steps.map(({ id }) => [id, size]));
  return { graph, placement: { at, sizes, origins: new Map() }, faces: null };
}

const box = { width: 900, height: 700 };
/** Between which steps of the row the left and the right edge lie. */
const seen = ({ x, zoom }: { x: number; zoom: number }) => [-x / zoom, (box.width - x) / zoom];

test('a canvas opens with all steps where their text can be read then', () => {
  const { zoom, ...view } = firstView(row(3), box, null);
  expect(zoom).toBeGreaterThanOrEqual(0.65);
  const [left, right] = seen({ zoom, ...view });
  expect(left).toBeLessThan(0);
  expect(right).toBeGreaterThan(800);
});

test('a canvas with more steps than can be read at once shows the first ones', () => {
  const view = firstView(row(9), box, null);
  expect(view.zoom).toBe(0.65);
  const [left = 0, right = 0] = seen(view);
  expect([left < 0, left > -60, right < 1400]).toEqual([true, true, true]);
});

test('the active step opens in the middle, and nothing beyond the last step is seen', () => {
  const [left = 0, right = 0] = seen(firstView(row(9), box, 's4'));
  expect((left + right) / 2).toBeCloseTo(4 * 300 + 100);
  const end = seen(firstView(row(9), box, 's8'))[1] ?? 0;
  expect(end).toBeLessThan(8 * 300 + 200 + 60);
});

test('a run opens at the step that waits for the operator, else at the one that works', () => {
  const shown = row(9);
  const face = (word: StepFace['word']) => ({ word }) as StepFace;
  const running = new Map([['s5', face(stepWords.running)]]);
  const waits = new Map([...running, ['s3', face(stepWords.waiting)] as const]);
  const middle = (faces: ReadonlyMap<string, StepFace>) => {
    const [left = 0, right = 0] = seen(firstView({ ...shown, faces }, box, null));
    return Math.round((left + right) / 2);
  };
  expect([middle(running), middle(waits)]).toEqual([1600, 1000]);
});

test('a large workflow opens as a whole', () => {
  const view = firstView(row(60), box, 's40');
  const [left = 0, right = 0] = seen(view);
  expect([left < 0, right > 59 * 300 + 200]).toEqual([true, true]);
});
