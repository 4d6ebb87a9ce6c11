import type { FeatureSlices } from '@features/contract';
import { z } from 'zod';
import type { PlatformState } from './platform-state';

export type {
  ActivationState,
  CaptureState,
  CommandState,
  GateState,
  Observation,
  PromptState,
  ScopeState,
  SessionState,
  SessionStatus,
  TurnState,
  WorkspaceState,
} from './platform-state';
export type { TimerState } from './timer/state';

/** The state of a run: its events, folded. */
export interface RunState extends PlatformState, FeatureSlices {}

/**
 * A run's status, for lists and filters. `unreadable`: part of its history cannot be read, and it has not
 * ended.
 */
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
