import type { FeatureSlices } from '@features/contract';
import { z } from 'zod';
import type { PlatformState } from './platform-state';

export type {
  ActivationState,
  CommandState,
  GateState,
  Observation,
  PromptState,
  ScopeState,
  SessionState,
  SessionStatus,
  TimerState,
  TurnState,
  WorkspaceState,
} from './platform-state';

/** The state of a run: what its events say, folded. */
export interface RunState extends PlatformState, FeatureSlices {}

/** A run in one word, for lists and filters. `unreadable`: its history stops being readable, and it has not ended. */
export const runStatusSchema = z.enum([
  'running',
  'waiting',
  'limited',
  'cancelling',
  'succeeded',
  'failed',
  'cancelled',
  'rejected',
  'unreadable',
]);
export type RunStatus = z.infer<typeof runStatusSchema>;
