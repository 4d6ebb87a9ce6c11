import { expect, test } from './part';

const days = [
  { day: '2026-11-21', value: 1 },
  { day: '2026-11-22', value: 3 },
  { day: '2026-11-23', value: 2 },
];

test('the bars of a chart have the colour of the window in both themes', async ({ part }) => {
  const chart = await part.mount('chart', { days });
  await expect(chart).toContainText('The highest is $3.00 on Sun, Nov 22.');
  const seen: string[] = [];
  for (const theme of ['light', 'dark'] as const) {
    await part.page.evaluate((to) => document.documentElement.setAttribute('data-theme', to), theme);
    // Neither black, which a canvas paints for a colour that it does not know, nor grey as lines and words are.
    const bar = () =>
      chart.locator('canvas').evaluate((canvas: HTMLCanvasElement) => {
        const pixels = canvas.getContext('2d')?.getImageData(0, 0, canvas.width, canvas.height).data ?? [];
        const counts = new Map<string, number>();
        for (let at = 0; at < pixels.length; at += 4) {
          const [red = 0, green = 0, blue = 0, alpha = 0] = pixels.slice(at, at + 4);
          if (alpha < 255 || Math.max(red, green, blue) - Math.min(red, green, blue) < 40) continue;
          const name = `${red} ${green} ${blue}`;
          counts.set(name, (counts.get(name) ?? 0) + 1);
        }
        return [...counts].sort(([, a], [, b]) => b - a)[0]?.[0] ?? 'no colour';
      });
    await expect.poll(bar).not.toBe('no colour');
    await expect.poll(async () => seen.includes(await bar())).toBe(false);
    seen.push(await bar());
  }
  expect(new Set(seen).size).toBe(2);
});

test('the bars of a chart stay where they are when it is drawn again', async ({ part }) => {
  const chart = await part.mount('chart', { days });
  /** The first and the last column that a bar covers. */
  const span = () =>
    chart.locator('canvas').evaluate((canvas: HTMLCanvasElement) => {
      const { width, height } = canvas;
      const pixels = canvas.getContext('2d')?.getImageData(0, 0, width, height).data ?? [];
      const columns: number[] = [];
      for (let at = 0; at < pixels.length; at += 4) {
        const [red = 0, green = 0, blue = 0, alpha = 0] = pixels.slice(at, at + 4);
        if (alpha === 255 && Math.max(red, green, blue) - Math.min(red, green, blue) >= 40)
          columns.push((at / 4) % width);
      }
      return columns.length === 0 ? null : [Math.min(...columns), Math.max(...columns)];
    });
  await expect.poll(span).not.toBeNull();
  const before = await span();
  for (const theme of ['dark', 'light', 'dark', 'light'])
    await part.page.evaluate((to) => document.documentElement.setAttribute('data-theme', to), theme);
  await expect.poll(span).toEqual(before);
});
