import { plural } from '@renderer/client/format';
import { AgentText } from '@renderer/parts/text/agent-text';
import { Printed } from '@renderer/ui/code/code';
import { MOST_MARKDOWN_CHARACTERS } from '@renderer/ui/markdown/limit';
import { useState } from 'react';
import type { EvidenceProps } from './evidence-props';
import styles from './markdown-text.module.css';

/** A separator between merged answers is a line of its own, not a part of the paragraph before it. */
const SEPARATOR = /\n(─{5} .+ ─{5})\n/g;

/**
 * Evidence must be fully readable: if only its end is drawn as Markdown, the whole text is shown as source.
 */
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
