import type { AppError } from '@contract/errors';
import type { MusterBridge } from '@contract/ipc';

/** There is no core: a call gets the test's answer, or else succeeds with an empty result. */
const answers = new Map<string, unknown>();
/** Calls that fail, with their errors. */
const refused = new Map<string, AppError>();
/** Calls that get no answer until their promise resolves, as on a slow disk. */
const held = new Map<string, Promise<void>>();
/** All calls with their inputs. */
const calls: { readonly name: string; readonly input: unknown }[] = [];

const muster: MusterBridge = {
  call: async (name, input) => {
    calls.push({ name, input });
    await held.get(name);
    const error = refused.get(name);
    if (error !== undefined) return { ok: false, error };
    return { ok: true, value: answers.get(name) ?? {} };
  },
  subscribe: () => undefined,
  onPush: () => () => undefined,
  // Tests name files by their absolute paths.
  pathOf: ({ name }) => name,
};

/** Answers no call of this name until the returned function is called. */
function hold(name: string): () => void {
  let end = () => {};
  held.set(
    name,
    new Promise((resolve) => {
      end = resolve;
    }),
  );
  return () => {
    held.delete(name);
    end();
  };
}

Object.assign(window, { muster, answers, refused, calls, hold });
