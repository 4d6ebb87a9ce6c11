import { timestampSchema } from '@contract/ids';
import { type EventIn, event } from '@contract/run/event-table';
import { hostNameSchema } from './host';

export const hostEvents = [
  /** The connection broke while the run has work there, which continues. */
  event('host.disconnected', () => ({ host: hostNameSchema, since: timestampSchema })),
  event('host.reconnected', () => ({ host: hostNameSchema })),
] as const;
export type HostEvent = EventIn<typeof hostEvents>;
