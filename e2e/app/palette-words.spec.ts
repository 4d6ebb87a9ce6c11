import { expect, test } from '../fixtures/test';

/** What an operator types, and the entry that has another name. */
const WORDS = [
  ['cost', 'Spend'],
  ['help', 'Show the keys of this page'],
  ['apply', 'Runs'],
  ['install', 'Agents'],
  ['shortcut', 'Show the keys of this page'],
  ['chat', 'Sessions'],
  ['clean', 'Settings'],
  ['pull request', 'Issues'],
  ['language', 'Prompts'],
  ['sidebar', 'Show or hide the names of the views'],
] as const;

test('the palette finds views and actions by the other words that operators use for them', async ({
  shared: bench,
}) => {
  const muster = await bench.launch();
  const { page } = muster;
  await bench.project(muster, {});
  await page.keyboard.press('ControlOrMeta+k');
  const palette = page.getByRole('dialog');
  for (const [word, title] of WORDS) {
    await palette.getByRole('combobox').fill(word);
    await expect(palette.getByRole('option').filter({ hasText: title }).first(), word).toBeVisible();
  }
});
