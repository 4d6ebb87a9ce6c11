import type { MusterBridge } from '@contract/ipc';

/** There is no core: every call succeeds with nothing in it. */
const muster: MusterBridge = {
  call: async () => ({ ok: true, value: {} }),
  subscribe: () => undefined,
  onPush: () => () => undefined,
  pathOf: () => '',
};

Object.assign(window, { muster });
