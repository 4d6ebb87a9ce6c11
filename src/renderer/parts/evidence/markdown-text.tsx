import { useState } from 'react';
import { plural } from '../../client/format';
import { Printed } from '../../ui/code';
import { MOST_MARKDOWN_CHARACTERS } from '../../ui/markdown-limit';
import { AgentText } from '../agent-text';
import type { EvidenceProps } from './evidence-props';
import styles from './markdown-text.module.css';

/** A line between merged answers is a line of its own, not a part of the paragraph before it. */
const SEPARATOR = /\n(─{5} .+ ─{5})\n/g;

/** What is decided on can be read whole: where only the end is drawn as Markdown, all of it is shown as it is written. */
export function MarkdownText({ text, label }: EvidenceProps) {
  const [whole, setWhole] = useState(false);
  if (whole) return <Printed text={text} label={label} />;
  return (
    <div className={styles.evidenceBox}>
      {text.length > MOST_MARKDOWN_CHARACTERS && (
        <button type="button" className="text-button" onClick={() => setWhole(true)}>
          Show all {plural(text.length, 'character')} from the beginning
        </button>
      )}
      <AgentText text={text.replace(SEPARATOR, '\n\n$1\n\n')} />
    </div>
  );
}
