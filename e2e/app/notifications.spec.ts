/** The system's notifications, caught where Muster hands them to Electron. */
import type { ElectronApplication } from '@playwright/test';
import type { Muster } from '../fixtures/launch';
import { type Bench, expect, test } from '../fixtures/test';

interface Shown {
  readonly title: string;
  readonly body: string;
  readonly urgency: string;
  readonly buttons: readonly string[];
}

const workflow = (name: string, step: string) => ({
  [`.muster/workflows/${name}.yaml`]: `name: ${name}\nsteps:\n  - ${step}\n`,
});
const FILES = {
  ...workflow('Asks', '{id: ok, type: step.approval, title: Ship it?, config: {message: Shall it go out?}}'),
  ...workflow('Breaks', '{id: no, type: step.command, config: {script: exit 3, terminal: false}}'),
  ...workflow('Ends', '{id: yes, type: step.command, config: {script: echo done, terminal: false}}'),
};

/** Keeps each notification instead of showing it, and says of the window what the test wants to be seen. */
async function record(app: ElectronApplication): Promise<void> {
  await app.evaluate(({ Notification, BrowserWindow }) => {
    const kept: Electron.Notification[] = [];
    Object.assign(globalThis, { keptNotifications: kept });
    Notification.isSupported = () => true;
    Notification.prototype.show = function show() {
      kept.push(this);
    };
    for (const window of BrowserWindow.getAllWindows()) window.isFocused = () => false;
  });
}

const lookAtWindow = (app: ElectronApplication, looks: boolean) =>
  app.evaluate(({ BrowserWindow }, is) => {
    for (const window of BrowserWindow.getAllWindows()) window.isFocused = () => is;
  }, looks);

const shown = (app: ElectronApplication) =>
  app.evaluate((): Shown[] => {
    return globalThis.keptNotifications.map(({ title, body, urgency, actions }) => ({
      title,
      body,
      urgency,
      buttons: actions.map(({ text = '' }) => text),
    }));
  });

/** The operator clicks the notification with this title, or one of its buttons. */
const press = (app: ElectronApplication, wish: { readonly title: string; readonly button?: number }) =>
  app.evaluate((_, { title, button }) => {
    const found = globalThis.keptNotifications.find((one) => one.title === title);
    if (button === undefined) found?.emit('click');
    else found?.emit('action', { actionIndex: button });
  }, wish);

async function start(muster: Muster, projectId: number, name: string) {
  const { runId } = await muster.call('run.start', { projectId, file: `.muster/workflows/${name}.yaml` });
  const { row } = await muster.call('run.get', { runId });
  return row;
}

const asked = (bench: Bench, muster: Muster, runId: number) =>
  bench.until(muster, runId, ({ row }) => row.openGates === 1);

test('a question, a failure and an end are notified while no one looks at the window, and a click opens their place', async ({
  bench,
}) => {
  const muster = await bench.launch();
  const { app, page } = muster;
  const { id } = await bench.project(muster, FILES);
  await muster.call('settings.set', { settings: { notifyFinished: true } });
  await record(app);
  const asks = await start(muster, id, 'Asks');
  const breaks = await start(muster, id, 'Breaks');
  const ends = await start(muster, id, 'Ends');
  const titles = async () => (await shown(app)).map(({ title }) => title).sort();
  await expect.poll(titles).toEqual(['Breaks: failed', 'Ends: succeeded', 'Ship it?']);
  expect(await shown(app)).toEqual(
    expect.arrayContaining([
      expect.objectContaining({ title: 'Ship it?', urgency: 'normal' }),
      expect.objectContaining({ title: 'Breaks: failed', urgency: 'critical' }),
      expect.objectContaining({ title: 'Ends: succeeded', urgency: 'normal' }),
    ]),
  );

  await press(app, { title: 'Ship it?' });
  await expect(page).toHaveURL(new RegExp(`#/gate/${asks.id}/1`));
  await expect(page.getByRole('article', { name: 'Ship it?' })).toContainText('Shall it go out?');
  await press(app, { title: 'Breaks: failed' });
  await expect(page).toHaveURL(new RegExp(`#/run/${breaks.uid}`));
  await expect(page.getByRole('article', { name: 'Run Breaks' })).toBeVisible();
  await press(app, { title: 'Ends: succeeded' });
  await expect(page).toHaveURL(new RegExp(`#/run/${ends.uid}`));

  // Who looks at the window sees it there: the count rises, and nothing is shown beside it.
  await lookAtWindow(app, true);
  const watched = await start(muster, id, 'Asks');
  await asked(bench, muster, watched.id);
  await expect(page.getByRole('navigation', { name: 'Views' })).toContainText('3');
  await lookAtWindow(app, false);
  await asked(bench, muster, (await start(muster, id, 'Asks')).id);
  await expect.poll(titles).toEqual(['Breaks: failed', 'Ends: succeeded', 'Ship it?', 'Ship it?']);
});

test('a button of a notification snoozes the question or dismisses the failure, and open ones are notified again after the set time', async ({
  bench,
}) => {
  const muster = await bench.launch();
  const { app } = muster;
  const { id } = await bench.project(muster, FILES);
  await record(app);
  await muster.call('settings.set', { settings: { remindMinutes: 30 } });
  await app.evaluate(() => {
    // A system whose notifications have buttons.
    Object.defineProperty(process, 'platform', { value: 'darwin' });
  });
  const asks = await start(muster, id, 'Asks');
  await expect.poll(() => shown(app)).toMatchObject([{ title: 'Ship it?', buttons: ['Snooze for 1 hour'] }]);
  await press(app, { title: 'Ship it?', button: 0 });
  const snoozed = async () => {
    const [gate] = await muster.call('gate.list', { runId: asks.id });
    return (gate?.snoozedUntil ?? 0) > Date.now();
  };
  await expect.poll(snoozed).toBe(true);

  await start(muster, id, 'Breaks');
  await expect
    .poll(async () => (await shown(app)).at(-1))
    .toMatchObject({ title: 'Breaks: failed', buttons: ['Dismiss'] });
  const failures = async () => (await muster.call('attention.list', {})).count;
  await expect.poll(failures).toBe(1);
  await press(app, { title: 'Breaks: failed', button: 0 });
  await expect.poll(failures).toBe(0);

  // Nothing is told again before its time, and what was snoozed is not meant.
  const late = await start(muster, id, 'Asks');
  await asked(bench, muster, late.id);
  await expect.poll(async () => (await shown(app)).length).toBe(3);
  await app.evaluate(() => {
    const now = Date.now;
    Date.now = () => now() + 31 * 60_000;
  });
  await expect
    .poll(async () => (await shown(app)).slice(3))
    .toEqual([
      {
        title: 'Still waiting: Ship it?',
        body: 'For 30 min and longer',
        urgency: 'critical',
        buttons: [],
      },
    ]);
});
