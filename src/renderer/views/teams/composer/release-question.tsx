import type { Meant, ReleaseAsk } from '@contract/team/procedures';
import { CircleQuestionMark } from 'lucide-react';
import { useEffect, useRef } from 'react';
import { useHandlers } from '../../../client/hooks';
import { useCaps } from '../../../parts/act';
import { Button } from '../../../ui/button';
import { Glyph } from '../../../ui/icon';

interface ReleaseQuestionProps {
  readonly asks: readonly ReleaseAsk[];
  /** False where somebody writes on meanwhile: what they type next is no answer. */
  readonly takesFocus: boolean;
  readonly onAnswer: (meant: Meant) => void;
  readonly onClose: () => void;
}

/** The words may end a member or not: one key says which. Nothing has happened before it is pressed. */
export function ReleaseQuestion({ asks, takesFocus, onAnswer, onClose }: ReleaseQuestionProps) {
  const ref = useRef<HTMLElement>(null);
  const yes = useCaps('release.yes');
  const no = useCaps('release.no');
  useEffect(() => {
    if (takesFocus) ref.current?.focus();
  }, [takesFocus]);
  useHandlers({ 'release.yes': () => onAnswer('release'), 'release.no': () => onAnswer('message') });
  const names = asks.map(({ member }) => member).join(', ');
  return (
    <section
      ref={ref}
      className="release-question"
      role="alertdialog"
      aria-label={`Release ${names}?`}
      tabIndex={-1}
      onKeyDown={(event) => {
        if (event.key !== 'Escape') return;
        event.preventDefault();
        event.stopPropagation();
        onClose();
      }}
    >
      <Glyph of={CircleQuestionMark} size={15} />
      <span className="grow">
        <strong>Release {names}?</strong>{' '}
        <span className="quiet">It would have one last round and then stop.</span>
      </span>
      <Button caps={no} onClick={() => onAnswer('message')}>
        No, it is a message
      </Button>
      <span className="result-gap" />
      <Button tone="primary" caps={yes} onClick={() => onAnswer('release')}>
        Yes, release
      </Button>
    </section>
  );
}
