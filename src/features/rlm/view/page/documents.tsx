import { count, plural } from '@renderer/client/format';
import { Fold } from '@renderer/ui/layout/fold';
import type { RlmState } from '../../contract/state';

const MOST_DOCUMENTS = 200;

interface DocumentsProps {
  readonly rlm: RlmState;
  /** The files of prompt texts that are not Muster’s own. */
  readonly texts: readonly string[];
}

/** The question's documents, and what was left out and why. */
export function Documents({ rlm, texts }: DocumentsProps) {
  const { documents, leftOut, confined } = rlm;
  if (documents === null) return <p className="quiet">Reading the documents</p>;
  const chars = documents.reduce((sum, one) => sum + one.chars, 0);
  return (
    <>
      <Fold
        head={
          <span className="quiet">
            {plural(documents.length, 'document')}, {count(chars)} characters
            {leftOut.length > 0 && `; ${leftOut.length} left out`}
          </span>
        }
      >
        <ol start={0} aria-label="Documents">
          {documents.slice(0, MOST_DOCUMENTS).map(({ name, chars: length }, index) => (
            // biome-ignore lint/suspicious/noArrayIndexKey: a document is identified by its index
            <li key={index} className="note">
              <span className="mono">{name}</span> <span className="faint">{count(length)} characters</span>
            </li>
          ))}
        </ol>
        {documents.length > MOST_DOCUMENTS && (
          <p className="quiet note">and {documents.length - MOST_DOCUMENTS} more</p>
        )}
        {leftOut.slice(0, MOST_DOCUMENTS).map(({ name, why }) => (
          <p key={name} className="waits-text note">
            Left out: <span className="mono">{name}</span>: {why}
          </p>
        ))}
      </Fold>
      {texts.length > 0 && (
        <p className="quiet note">
          {plural(texts.length, 'prompt text')} not Muster’s own:{' '}
          <span className="mono">{texts.join(', ')}</span>
        </p>
      )}
      {confined?.osSandbox === false && (
        <p className="waits-text note">
          The code runs without the operating system’s sandbox ({confined.detail}).
        </p>
      )}
    </>
  );
}
