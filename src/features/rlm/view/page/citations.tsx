import { useQuery } from '@renderer/client/hooks';
import { ErrorNote } from '@renderer/parts/problems/error-note';
import { NumberedLines } from '@renderer/ui/code/numbered-lines';
import { Glyph } from '@renderer/ui/controls/icon';
import { Fold } from '@renderer/ui/layout/fold';
import { CircleCheck, CircleX } from 'lucide-react';
import type { RlmState } from '../../contract/state';
import styles from './page.module.css';
import { quotedLines } from './quoted-lines';

interface CitationsProps {
  readonly runId: number;
  readonly rlm: RlmState;
}

/** The answer's references, and whether they exist. A quotation opens its document. */
export function Citations({ runId, rlm }: CitationsProps) {
  const { citations } = rlm;
  const documents = rlm.documents ?? [];
  if (citations === null) return <p className="quiet note">The answer has no citations to check.</p>;
  if (citations.trouble !== null)
    return <p className="waits-text note">The citations could not be checked: {citations.trouble}</p>;
  const { unread = [] } = citations;
  return (
    <section aria-label="Citations" className={styles.citations}>
      <h3>Citations</h3>
      <ul>
        {citations.documents.map(({ index, found }) => (
          <li key={index} className={styles.citation}>
            <Checked found={found} />
            <span>
              {found ? documents[index]?.name : `Document ${index} does not exist.`}
              {found && <span className="faint note"> · document {index}</span>}
            </span>
          </li>
        ))}
        {unread.map(({ index, why }) => (
          <li key={`unread ${index}`} className={styles.citation}>
            <Checked found={false} />
            <span className="reads">
              {documents[index]?.name ?? `Document ${index}`} could not be searched: {why}
            </span>
          </li>
        ))}
        {citations.quotes.map(({ text, document, line }) => {
          const path = document === null ? undefined : documents[document]?.path;
          if (path === undefined || line === null)
            return (
              <li key={text} className={styles.citation}>
                <Checked found={false} />
                <span className="reads">
                  “{text}” is in none of the documents{unread.length > 0 ? ' that could be read' : ''}.
                </span>
              </li>
            );
          return (
            <li key={text}>
              <Fold
                head={
                  <span className={styles.citation}>
                    <Checked found />
                    <span className="cut">“{text}”</span>
                    <span className="faint note cut">
                      {documents[document ?? 0]?.name}, line {line}
                    </span>
                  </span>
                }
              >
                <Excerpt runId={runId} path={path} line={line} quote={text} />
              </Fold>
            </li>
          );
        })}
      </ul>
    </section>
  );
}

function Checked({ found }: { readonly found: boolean }) {
  return (
    <span className={`status ${found ? 'done' : 'failed'}`}>
      <Glyph of={found ? CircleCheck : CircleX} size={13} />
      <span className="hidden-text">{found ? 'found' : 'not found'}</span>
    </span>
  );
}

interface ExcerptProps {
  readonly runId: number;
  readonly path: string;
  readonly line: number;
  readonly quote: string;
}

function Excerpt({ runId, path, line, quote }: ExcerptProps) {
  const { value, error } = useQuery('rlm.excerpt', { runId, path, line });
  if (error) return <ErrorNote error={error} />;
  if (value === null) return <p className="faint note">Reading…</p>;
  return (
    <NumberedLines
      label={`Document from line ${value.from}`}
      text={value.text}
      from={value.from}
      marked={quotedLines(value, { quote, line })}
    />
  );
}
