import { plural } from '@renderer/client/format';
import { useHandlers } from '@renderer/client/hooks';
import { useCaps } from '@renderer/parts/controls/act';
import { Button } from '@renderer/ui/controls/button';
import { Glyph } from '@renderer/ui/controls/icon';
import { CircleQuestionMark } from 'lucide-react';
import { useEffect, useRef } from 'react';
import type { Meant, ReleaseAsk } from '../../contract/procedures';
import styles from '../teams.module.css';

interface ReleaseQuestionProps {
  readonly asks: readonly ReleaseAsk[];
  /** False while the operator keeps typing: those keys are no answer. */
  readonly takesFocus: boolean;
  readonly onAnswer: (meant: Meant) => void;
  readonly onClose: () => void;
}

/** The words may end members: each is confirmed with one key. Nothing has happened before. */
export function ReleaseQuestion({ asks, takesFocus, onAnswer, onClose }: ReleaseQuestionProps) {
  const ref = useRef<HTMLElement>(null);
  const yes = useCaps('release.yes');
  const no = useCaps('release.no');
  useEffect(() => {
    if (takesFocus) ref.current?.focus();
  }, [takesFocus]);
  useHandlers({ 'release.yes': () => onAnswer('release'), 'release.no': () => onAnswer('message') });
  const [first] = asks;
  const name = first?.member ?? '';
  const more = asks.length - 1;
  return (
    <section
      ref={ref}
      className={styles.releaseQuestion}
      role="alertdialog"
      aria-label={`Release ${name}?`}
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
        <strong>Release {name}?</strong>{' '}
        <span className="quiet">
          It would have one last round and then stop.
          {more > 0 && ` ${plural(more, 'more question')} after this.`}
        </span>
      </span>
      <Button caps={no} onClick={() => onAnswer('message')}>
        No, send it as a message
      </Button>
      <span className={styles.resultGap} />
      <Button tone="primary" caps={yes} onClick={() => onAnswer('release')}>
        Yes, release
      </Button>
    </section>
  );
}
