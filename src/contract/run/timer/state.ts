import type { LocalId } from '../../ids';

export interface TimerState {
  readonly id: LocalId;
  readonly activationId: LocalId;
  readonly dueAt: number;
  readonly purpose: string;
  /** The turn whose agent it watches. */
  readonly watches: LocalId | null;
  readonly fired: boolean;
  readonly heardAt: number | null;
}
