import type { MusterBridge } from '@contract/ipc';

/** There is no core: a call gets the answer that the test gave for it, else it succeeds with nothing in it. */
const answers = new Map<string, unknown>();
/** What was called, with what. */
const calls: { readonly name: string; readonly input: unknown }[] = [];

const muster: MusterBridge = {
  call: async (name, input) => {
    calls.push({ name, input });
    return { ok: true, value: answers.get(name) ?? {} };
  },
  subscribe: () => undefined,
  onPush: () => () => undefined,
  // Tests name files by their whole path.
  pathOf: ({ name }) => name,
};

Object.assign(window, { muster, answers, calls });
