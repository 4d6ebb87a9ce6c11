import { type LineComment, putComment, readComments } from '@areas/changes/view/parts/comments';
import type { DiffReview } from '@areas/changes/view/parts/desk/use-desk';
import { useDraft } from '@renderer/client/hooks';
import { useMemo } from 'react';
import type { GateFace } from '../face';

interface GateComments {
  readonly comments: readonly LineComment[];
  readonly review: DiffReview;
  readonly clear: () => void;
}

/** The operator's comments on lines of the diff at a gate. They are added to the reason of the answer. */
export function useGateComments({ runId, gateId }: Pick<GateFace, 'runId' | 'gateId'>): GateComments {
  const drafts = `gate/${runId}/${gateId}`;
  const [text, setText] = useDraft(`${drafts}/comments`);
  const comments = useMemo(() => readComments(text), [text]);
  const onComment = (comment: LineComment) =>
    setText((now) => {
      const all = putComment(readComments(now), comment);
      return all.length === 0 ? '' : JSON.stringify(all);
    });
  return { comments, review: { comments, onComment, drafts, sentWith: 'answer' }, clear: () => setText('') };
}
