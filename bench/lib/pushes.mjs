/** In the page: the events of a push of a run, which come packed from a core of the app's own (contract/ipc.ts). */
export const EVENTS_OF = '(push) => (push.packed === undefined ? push : JSON.parse(push.packed)).events';
