import type { SessionState } from '@contract/run/state';
import { z } from 'zod';

export const sessionStandingSchema = z.enum([
  'starting',
  'resuming',
  'ready',
  'parked',
  'resumable',
  'lost',
  'failed',
  'closed',
]);
export type SessionStanding = z.infer<typeof sessionStandingSchema>;

/**
 * A session's status, as in every list and page. `resumable`: its program has ended, and the next turn
 * restarts it with its conversation. `lost`: the next turn begins a new conversation.
 */
export const sessionStanding = ({
  status,
  providerSessionId,
  capabilities,
}: Pick<SessionState, 'status' | 'providerSessionId' | 'capabilities'>): SessionStanding =>
  status === 'lost' && providerSessionId !== null && capabilities?.resume !== false ? 'resumable' : status;
