import { Glyph } from '@renderer/ui/controls/icon';
import { ChevronRight } from 'lucide-react';
import type { ReactNode } from 'react';
import styles from './card-head.module.css';

interface CardHeadProps {
  readonly name: string;
  readonly open: boolean;
  readonly onToggle: () => void;
  readonly children: ReactNode;
}

/** The head of a card in a trail: it expands and collapses the card, with its facts beside it. */
export function CardHead({ name, open, onToggle, children }: CardHeadProps) {
  return (
    <header className={styles.cardHead}>
      <button
        type="button"
        className={`${styles.cardToggle} ${open ? styles.isOpen : ''}`}
        aria-expanded={open}
        onClick={onToggle}
      >
        <Glyph of={ChevronRight} size={14} />
        <h2>{name}</h2>
      </button>
      {children}
    </header>
  );
}
