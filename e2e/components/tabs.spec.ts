import { findingsOfThemes } from '../fixtures/axe';
import { expect, test } from './part';

test('tabs are one stop of the Tab key, and the arrows, Home and End choose among them', async ({ part }) => {
  const body = await part.mount('tabs', {});
  const tab = (name: string) => body.getByRole('tab', { name });
  const chosen = async (name: string) => {
    await expect(tab(name)).toBeFocused();
    await expect(tab(name)).toHaveAttribute('aria-selected', 'true');
    await expect(body.getByRole('tab', { selected: true })).toHaveCount(1);
  };
  await part.page.keyboard.press('Tab');
  await chosen('Turn');
  for (const [key, name] of [
    ['ArrowRight', 'Diff'],
    ['End', 'Terminal'],
    ['ArrowRight', 'Turn'],
    ['ArrowLeft', 'Terminal'],
    ['Home', 'Turn'],
  ] as const) {
    await part.page.keyboard.press(key);
    await chosen(name);
  }
  await expect(body.locator('[role=tab][tabindex="0"]')).toHaveText(['Turn']);
  expect(await findingsOfThemes(part.page, 'tabs', 'main')).toEqual([]);
});
