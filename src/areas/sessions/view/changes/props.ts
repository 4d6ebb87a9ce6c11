import type { LineComment } from '@areas/changes/view/parts/comments';
import type { RunState, SessionState } from '@contract/run/state';

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
