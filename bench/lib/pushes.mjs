/**
 * In the page: the events in a push of a run, which arrive packed from the app's own core (contract/ipc.ts).
 */
export const EVENTS_OF = '(push) => (push.packed === undefined ? push : JSON.parse(push.packed)).events';
