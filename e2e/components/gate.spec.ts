import { findings, findingsOfThemes } from '../fixtures/axe';
import { expect, type Part, test } from './part';

const approve = { id: 'approve', label: 'Approve', effect: 'The run goes on.', tone: 'approve' };
const reject = {
  id: 'reject',
  label: 'Reject',
  effect: 'It is done again.',
  tone: 'reject',
  needs: 'reason',
};
const other = { id: 'later', label: 'Ask later', effect: 'It waits.', tone: 'neutral' };
const text = { id: 'answer', label: 'Send answer', effect: 'It is told.', tone: 'approve', needs: 'text' };

let gates = 0;

/** A new open gate with these options; its keys count. */
const gate = ({ mount }: Part, options: readonly object[], more: object = {}) => {
  gates += 1;
  return mount('gate-answer', {
    keys: true,
    gate: {
      runId: 1,
      gateId: gates,
      sessionId: null,
      asker: null,
      kind: 'approval',
      status: 'open',
      title: 'Release it?',
      message: '',
      evidence: null,
      changes: null,
      request: null,
      why: null,
      evidence_parts: null,
      openedAt: 1,
      closedAt: null,
      answer: null,
      by: null,
      options,
      withdrawn: null,
      delivered: null,
      ...more,
    },
  });
};

const settled = (part: Part) =>
  expect(part.page.getByRole('region', { name: 'Your answer' })).not.toHaveAttribute('data-resting');

test('a gate shows what each option does, approval first and rejection last, without accessibility faults', async ({
  part,
}) => {
  const body = await gate(part, [reject, other, approve]);
  await settled(part);
  const words = await body.getByRole('region', { name: 'Your answer' }).textContent();
  const places = [approve, other, reject].map(({ effect }) => words?.indexOf(effect) ?? -1);
  expect(places).toEqual(places.toSorted((one, two) => one - two));
  expect(Math.min(...places)).toBeGreaterThanOrEqual(0);
  expect(await findings(part.page, 'a gate', 'main')).toEqual([]);
});

test('a rejection asks for its reason, and cannot be sent without one', async ({ part }) => {
  const body = await gate(part, [approve, reject]);
  await settled(part);
  await body.getByRole('button', { name: /^Reject/ }).click();
  const field = body.getByRole('textbox', { name: 'Reason for "Reject"' });
  await expect(field).toBeFocused();
  const send = body.getByRole('button', { name: /^Reject/ }).last();
  await expect(send).toBeDisabled();
  await field.fill('It has no tests.');
  await expect(send).toBeEnabled();
  expect(await findings(part.page, 'a reason', 'main')).toEqual([]);
});

test('an answer that needs no reason offers the field for one, and is sent without', async ({ part }) => {
  const body = await gate(part, [approve, { ...reject, id: 'decline', label: 'Not now', needs: undefined }]);
  await settled(part);
  await body.getByRole('button', { name: /^Not now/ }).click();
  const field = body.getByRole('textbox', { name: 'Reason for "Not now"' });
  await expect(field).toHaveAttribute('placeholder', /You can leave this empty\.$/);
  await expect(body.getByRole('button', { name: /^Not now/ }).last()).toBeEnabled();
});

test('a gate that asks for a text opens with its field, and sends nothing while it is empty', async ({
  part,
}) => {
  const body = await gate(part, [text, other]);
  await settled(part);
  const field = body.getByRole('textbox');
  await expect(field).toBeVisible();
  await expect(body.getByRole('button', { name: /^Send answer/ })).toBeDisabled();
  await field.fill('Use the second one.');
  await expect(body.getByRole('button', { name: /^Send answer/ })).toBeEnabled();
  expect(await findings(part.page, 'a text', 'main')).toEqual([]);
});

test('a gate with many options offers each by its number, and all in a menu by one key', async ({ part }) => {
  const choices = ['First', 'Second', 'Third'].map((label, index) => ({
    id: `c${index}`,
    label,
    effect: `${label} is done.`,
    tone: 'neutral',
  }));
  const body = await gate(part, choices);
  await settled(part);
  await part.page.keyboard.press('Shift+C');
  const menu = body.getByRole('menu', { name: 'Options' });
  await expect(menu.getByRole('menuitem')).toHaveCount(3);
  await expect(menu).toContainText('Third is done.');
  expect(await findingsOfThemes(part.page, 'the options of a gate', 'main')).toEqual([]);
  await part.page.keyboard.press('Escape');
  await expect(menu).toHaveCount(0);
  await expect(body.getByRole('button', { name: /^Second/ })).toContainText('2');
});

test('every outcome has its word beside its colour, also where only the mark is drawn', async ({ part }) => {
  const body = await part.mount('outcomes');
  const rows = await body.locator('p').count();
  expect(rows).toBeGreaterThan(3);
  for (let at = 0; at < rows; at += 1) {
    const words = await body.locator('p').nth(at).locator('.status').allTextContents();
    expect([words.length, new Set(words).size, words[0] === '']).toEqual([3, 1, false]);
  }
  for (const theme of ['light', 'dark'] as const) {
    await part.page.evaluate((to) => document.documentElement.setAttribute('data-theme', to), theme);
    expect(await findings(part.page, `outcomes in the ${theme} theme`, 'main')).toEqual([]);
  }
});

test('the answers of a gate stay buttons of one width on a wide window', async ({ part }) => {
  const body = await gate(part, [approve, { ...other, effect: 'It waits for a day. '.repeat(8) }, reject]);
  await settled(part);
  const options = body.locator('[data-part="gate-option"]');
  await expect(options).toHaveCount(3);
  const widths = await options.evaluateAll((all) => all.map((one) => one.getBoundingClientRect().width));
  expect(new Set(widths).size).toBe(1);
  expect(Math.max(...widths)).toBeLessThanOrEqual(600);
  const overflows = await options.evaluateAll((all) => all.some((one) => one.scrollWidth > one.clientWidth));
  expect(overflows).toBe(false);
});
