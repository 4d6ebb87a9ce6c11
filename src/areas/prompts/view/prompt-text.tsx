import type { Problem } from '@contract/errors';
import { plural } from '@renderer/client/format';
import { openInEditor } from '@renderer/parts/problems/error-note';
import { useMemo } from 'react';
import type { PromptDetail, PromptPiece } from '../contract/procedures';
import styles from './prompt-text.module.css';
import promptsStyles from './prompts.module.css';
import { linesOf } from './rows';

/** The text with line numbers, marked placeholders, and problems at their lines. */
export function PromptText({ value }: { value: PromptDetail }) {
  const lines = useMemo(
    () => linesOf(value.pieces).map((pieces, index) => ({ pieces, number: index + 1 })),
    [value.pieces],
  );
  const isOverride = value.source === 'override';
  return (
    <section className="numbered scroll reads" aria-label="Text">
      <div className="numbered-inner">
        {lines.map(({ pieces, number }) => {
          const problems = value.problems.filter(({ where }) => where?.line === number);
          return (
            <div key={number} className={`numbered-line ${problems.length > 0 ? 'error' : ''}`}>
              <button
                type="button"
                tabIndex={-1}
                disabled={!isOverride}
                title={isOverride ? `Open at line ${number}` : undefined}
                onClick={() => openInEditor(value.absolutePath, number)}
              >
                {number}
              </button>
              <code>{pieces.length === 0 ? ' ' : <Pieces pieces={pieces} value={value} />}</code>
              {problems.length > 0 && <span className="numbered-mark">{wordsOf(problems)}</span>}
            </div>
          );
        })}
      </div>
    </section>
  );
}

const wordsOf = ([first, ...rest]: readonly Problem[]): string =>
  `${first?.message ?? ''}${rest.length > 0 ? `, and ${plural(rest.length, 'more problem')}` : ''}`;

function Pieces({ pieces, value }: { pieces: readonly PromptPiece[]; value: PromptDetail }) {
  const counted = pieces.map((piece, index) => ({ piece, id: `${index}` }));
  return (
    <>
      {counted.map(({ piece, id }) => (
        <Piece key={id} piece={piece} value={value} />
      ))}
    </>
  );
}

function Piece({ piece: { kind, raw }, value }: { piece: PromptPiece; value: PromptDetail }) {
  if (kind === 'text') return raw;
  if (kind === 'brace') {
    return (
      <span className={styles.promptBrace} title="A literal brace">
        {raw}
      </span>
    );
  }
  const known = value.schema.placeholders.find(({ name }) => raw === `{${name}}`);
  return (
    <mark className={known ? promptsStyles.promptPlaceholder : styles.promptWrong} title={known?.says}>
      {raw}
    </mark>
  );
}
