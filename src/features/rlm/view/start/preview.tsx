import type { AppError } from '@contract/errors';
import type { ProcedureOutput } from '@contract/ipc';
import { bytes, count, plural } from '@renderer/client/format';
import { ErrorNote } from '@renderer/parts/problems/error-note';
import { Fold } from '@renderer/ui/layout/fold';
import styles from './question-form.module.css';

interface PreviewProps {
  readonly preview: ProcedureOutput<'rlm.preview'> | null;
  readonly error: AppError | null;
  readonly iterations: string;
}

/** The documents to be read, and an estimate of the question's tokens. */
export function Preview({ preview, error, iterations }: PreviewProps) {
  if (error) return <ErrorNote error={error} />;
  if (preview === null) return null;
  const { files, estimate } = preview;
  const more = preview.count - files.length;
  return (
    <section className={styles.questionPreview} aria-label="Documents and estimate">
      <Fold
        head={
          <span>
            {plural(preview.count, 'file')}, {bytes(preview.bytes)}
            {preview.leftOut > 0 && (
              <span className="faint"> · {plural(preview.leftOut, 'file')} left out: empty or no text</span>
            )}
          </span>
        }
      >
        <ul>
          {files.map((file) => (
            <li key={file.name} className="mono note cut">
              {file.name} <span className="faint">{bytes(file.bytes)}</span>
            </li>
          ))}
        </ul>
        {more > 0 && <p className="quiet note">and {plural(more, 'more file', 'more files')}</p>}
      </Fold>
      <p
        className="quiet note"
        title="Assumes four characters per token. The root model reads the whole conversation in each iteration."
      >
        The first iteration reads about {count(estimate.first)} tokens. All {iterations} read{' '}
        {count(estimate.least)} to {count(estimate.most)}, most questions far less. Sub-calls that read every
        document once take about {count(estimate.documents)} more.
      </p>
    </section>
  );
}
