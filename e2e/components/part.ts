import { join } from 'node:path';
import { _electron, test as base, type Locator, type Page } from '@playwright/test';

export interface Part {
  readonly page: Page;
  /** Shows one part alone; what was shown before is gone. */
  mount(name: string, props?: object): Promise<Locator>;
  /** What calls of the core are answered with from now on, by the name of the procedure. */
  answer(answers: Record<string, unknown>): Promise<void>;
  /** Calls of a procedure fail like this from now on; with null they succeed again. */
  refuse(name: string, error: { code: string; message: string; mend?: string } | null): Promise<void>;
  /** Leaves calls of a procedure without an answer until the function that it gives is called. */
  hold(name: string): Promise<() => Promise<void>>;
  /** The inputs of all calls of a procedure so far. */
  called(name: string): Promise<readonly unknown[]>;
}

const root = join(import.meta.dirname, '..', '..');
const built = join(root, '.cache', 'components');

/** Tests of single parts of the window in the installed Electron. All of a worker share one page. */
export const test = base.extend<{ asNew: undefined }, { part: Part }>({
  /** The page keeps nothing of the test before: neither its size nor where a canvas was seen. */
  asNew: [
    async ({ part }, use) => {
      await part.page.setViewportSize({ width: 1280, height: 800 });
      await part.page.evaluate(() => window.sessionStorage.clear());
      await use(undefined);
    },
    { auto: true },
  ],
  part: [
    // biome-ignore lint/correctness/noEmptyPattern: Playwright reads the names of fixtures from the pattern
    async ({}, use) => {
      const app = await _electron.launch({
        args: [join(built, 'host', 'host.cjs'), join(built, 'page'), join(built, 'host', 'preload.cjs')],
        cwd: root,
      });
      const page = await app.firstWindow();
      await page.waitForFunction(() => 'mount' in window);
      await use({
        page,
        answer: (answers) =>
          page.evaluate((given) => {
            for (const [name, value] of Object.entries(given)) window.answers.set(name, value);
          }, answers),
        refuse: (name, error) =>
          page.evaluate(
            ([name, error]) => {
              const { refused } = window;
              if (error === null) refused.delete(name);
              else refused.set(name, error);
            },
            [name, error] as const,
          ),
        hold: async (name) => {
          const letGo = await page.evaluateHandle((name) => window.hold(name), name);
          return () => letGo.evaluate((end) => end());
        },
        called: (name) =>
          page.evaluate(
            (wanted) => window.calls.filter((one) => one.name === wanted).map(({ input }) => input),
            name,
          ),
        mount: async (name, props = {}) => {
          await page.evaluate(([part, given]) => window.mount(part, given), [name, props] as const);
          return page.locator('main');
        },
      });
      await app.close();
    },
    { scope: 'worker' },
  ],
});

export { expect } from '@playwright/test';
