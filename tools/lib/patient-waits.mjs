/** For vitest's `setupFiles`: a wait for a state has no time of its own; its limit only ends one that hangs. */
import { vi } from 'vitest';

const LIMIT = 120_000;
const waitFor = vi.waitFor;
vi.waitFor = (act, options) =>
  waitFor(act, { timeout: LIMIT, ...(typeof options === 'number' ? { timeout: options } : options) });
