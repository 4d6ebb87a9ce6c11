import type { AppError } from '@contract/errors';
import type { MusterBridge } from '@contract/ipc';

/** There is no core: a call gets the answer that the test gave for it, else it succeeds with nothing in it. */
const answers = new Map<string, unknown>();
/** Calls that fail, and how. */
const refused = new Map<string, AppError>();
/** Calls that get no answer until their promise is kept, as on a slow disk. */
const held = new Map<string, Promise<void>>();
/** What was called, with what. */
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
  // Tests name files by their whole path.
  pathOf: ({ name }) => name,
};

/** Answers no call of this name until the function that it gives is called. */
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
