import { AgentText } from '../agent-text';
import type { EvidenceProps } from './evidence-props';
import styles from './markdown-text.module.css';

/** A line between merged answers is a line of its own, not a part of the paragraph before it. */
const SEPARATOR = /\n(─{5} .+ ─{5})\n/g;

export function MarkdownText({ text }: EvidenceProps) {
  return (
    <div className={styles.evidenceBox}>
      <AgentText text={text.replace(SEPARATOR, '\n\n$1\n\n')} />
    </div>
  );
}
