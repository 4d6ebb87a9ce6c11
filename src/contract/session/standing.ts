import { z } from 'zod';
import type { SessionState } from '../run/state';

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
 * How a session stands, in the one word that every list and page uses. `resumable`: its program is gone, and its next turn
 * starts it again with its conversation. `lost`: the next turn begins a new conversation.
 */
export const sessionStanding = ({
  status,
  providerSessionId,
  capabilities,
}: Pick<SessionState, 'status' | 'providerSessionId' | 'capabilities'>): SessionStanding =>
  status === 'lost' && providerSessionId !== null && capabilities?.resume !== false ? 'resumable' : status;
