import type { RunState, SessionState } from '@contract/run/state';
import type { LineComment } from '../../../parts/diff/comments';

export interface ChangesProps {
  readonly runId: number;
  readonly state: RunState;
  readonly session: SessionState;
  /** `turn/3`, `session` or `workspace`. */
  readonly scope: string;
  readonly onScope: (scope: string) => void;
  readonly comments: readonly LineComment[];
  readonly onComment: (comment: LineComment) => void;
}
