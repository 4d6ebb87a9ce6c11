import type { RpcReply } from '@contract/ipc';
import type { StoredEvent } from '@contract/run/events';

export type FromCore =
  | { readonly kind: 'committed'; readonly events: StoredEvent[] }
  /** The store is open, nothing was decided yet; with the gates that wait. */
  | { readonly kind: 'opened'; readonly gates: RpcReply }
  | { readonly kind: 'ready' }
  | { readonly kind: 'reply'; readonly id: number; readonly reply: RpcReply };
