import { Changes, type OnShown } from '@areas/changes/view/parts/changes';
import type { DiffReview } from '@areas/changes/view/parts/desk/use-desk';
import { Printed } from '@renderer/ui/code/code';
import { inPlainSight } from '@renderer/ui/invisible-characters';
import type { ComponentType } from 'react';
import type { EvidenceKind, EvidencePiece } from '../../contract/evidence';
import { DiffText } from './diff-text';
import styles from './evidence.module.css';
import type { EvidenceProps } from './evidence-props';
import { FilesList } from './files-list';
import { FindingsList } from './findings-list';
import { JsonText } from './json-text';
import { MarkdownText } from './markdown-text';
import { OutputText } from './output-text';
import { TestResultsView } from './test-results-view';
import { WholeText } from './whole-text';

/** One renderer for each kind. */
const RENDERERS: Record<EvidenceKind, ComponentType<EvidenceProps>> = {
  text: Printed,
  output: OutputText,
  markdown: MarkdownText,
  diff: DiffText,
  findings: FindingsList,
  tests: TestResultsView,
  files: FilesList,
  json: JsonText,
};

/** An agent that was asked for JSON answers with JSON and nothing else. */
function isJson(text: string): boolean {
  if (!/^\s*[{[]/.test(text)) return false;
  try {
    JSON.parse(text);
    return true;
  } catch {
    return false;
  }
}

interface EvidenceListProps {
  readonly pieces: readonly EvidencePiece[];
  /** The run of a question: its recorded changes are shown as they are now. */
  readonly runId?: number | null;
  readonly review?: DiffReview | null;
  readonly onShown?: OnShown | undefined;
}

/** Pieces of evidence, each shown according to its kind. */
export function Evidence({ pieces, runId = null, review = null, onShown }: EvidenceListProps) {
  return pieces.map(({ kind, title, text, capture, large }, index) => {
    const Renderer = RENDERERS[kind === 'markdown' && isJson(text) ? 'json' : kind];
    return (
      // biome-ignore lint/suspicious/noArrayIndexKey: the pieces of an evidence never change
      <section key={index} className={styles.evidence}>
        {title !== undefined && pieces.length > 1 && <p className="reads">{inPlainSight(title)}</p>}
        {capture !== undefined && runId !== null ? (
          <Changes
            runId={runId}
            of={{ kind: 'capture', captureId: capture }}
            review={review}
            onShown={onShown}
            keys={review === null ? 'focus' : 'page'}
          />
        ) : (
          <Renderer text={text} label={title ?? 'Evidence'} review={review} />
        )}
        {large && <WholeText runId={runId} of={large} />}
      </section>
    );
  });
}
