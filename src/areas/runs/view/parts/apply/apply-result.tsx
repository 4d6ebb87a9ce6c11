import type { DiffScope } from '@areas/changes/contract/diff-scope';
import { Changes } from '@areas/changes/view/parts/changes';
import { onFormKey } from '@areas/gates/view/parts/answer/form-key';
import type { AppError } from '@contract/errors';
import type { ApplyHow, ApplyPreview } from '@contract/run/results/apply';
import type { ApplyOutcome, ShownResult } from '@contract/run/results/results';
import { plural } from '@renderer/client/format';
import { useQuery } from '@renderer/client/hooks';
import { call } from '@renderer/client/rpc';
import { refresh } from '@renderer/client/wire/query';
import { sendCaps } from '@renderer/parts/controls/act';
import { ErrorNote } from '@renderer/parts/problems/error-note';
import { Button } from '@renderer/ui/controls/button';
import { Question } from '@renderer/ui/controls/dialog';
import { Field, Segments, Select, TextArea } from '@renderer/ui/controls/field';
import { inPlainSight } from '@renderer/ui/invisible-characters';
import { Note } from '@renderer/ui/layout/note';
import { GitMerge } from 'lucide-react';
import { type KeyboardEvent, useEffect, useRef, useState } from 'react';
import styles from './apply-result.module.css';

interface ApplyResultProps {
  readonly runId: number;
  /** Those that can be applied; at least one. */
  readonly results: readonly ShownResult[];
  /** The one to begin with. */
  readonly first: ShownResult;
  readonly onApplied: (outcome: ApplyOutcome) => void;
  readonly onClose: () => void;
}

/** Shows what applying a result would change in the checkout, and applies exactly that. */
export function ApplyResult({ runId, results, first, onApplied, onClose }: ApplyResultProps) {
  const [address, setAddress] = useState(first.address);
  const step = address === null ? {} : { step: address };
  const of: DiffScope = { kind: 'result', ...step };
  const { value: diff } = useQuery('workspace.diff', { runId, of });
  const { value: preview, error: unread } = useQuery('run.apply-preview', { runId, ...step });
  const [how, setHow] = useState<ApplyHow>('squash');
  const [written, setWritten] = useState<string | null>(null);
  const [applying, setApplying] = useState(false);
  const [error, setError] = useState<AppError | null>(null);
  const message = written ?? preview?.message ?? '';
  // Both were read by themselves, and only one state of the result is confirmed.
  const shown = diff !== null && diff.shown === preview?.shown ? diff.shown : null;
  const ready = shown !== null && !applying && (how === 'files' || message.trim() !== '');
  const apply = async () => {
    if (shown === null || !ready) return;
    setApplying(true);
    setError(null);
    const words = how === 'files' ? {} : { message };
    const done = await call('run.apply', { runId, shown, how, ...words, ...step });
    setApplying(false);
    if (done.ok) {
      onClose();
      return onApplied(done.value);
    }
    setError(done.error);
    return refresh('workspace.diff', 'run.apply-preview');
  };
  const onKey = (event: KeyboardEvent) => onFormKey(event, () => void apply(), onClose);
  return (
    <Question
      title="Apply to your checkout"
      className={styles.apply ?? ''}
      onClose={onClose}
      footer={
        <>
          <Button onClick={onClose} onKeyDown={onKey}>
            Cancel
          </Button>
          <Button
            onKeyDown={onKey}
            icon={GitMerge}
            tone="primary"
            caps={sendCaps}
            disabled={!ready}
            onClick={() => void apply()}
          >
            {applying ? 'Applying' : 'Apply'}
          </Button>
        </>
      }
    >
      {/* biome-ignore lint/a11y/noStaticElementInteractions: the key of its fields, as printed on the button */}
      <div className={styles.form} onKeyDown={onKey}>
        {error && <ErrorNote error={error} />}
        {unread && !error && <ErrorNote error={unread} />}
        {results.length > 1 && (
          <WhichResult
            results={results}
            address={address}
            onChoose={(one) => {
              setAddress(one);
              setWritten(null);
            }}
          />
        )}
        {preview !== null && (
          <Choices
            preview={preview}
            branch={results.find((one) => one.address === address)?.branch ?? null}
            how={how}
            onHow={setHow}
            message={message}
            onMessage={setWritten}
          />
        )}
        {preview !== null && preview.conflicts.length === 0 && (
          <div className={`${styles.changes} scroll`}>
            <Changes runId={runId} of={of} />
          </div>
        )}
      </div>
    </Question>
  );
}

interface WhichResultProps extends Pick<ApplyResultProps, 'results'> {
  readonly address: string | null;
  readonly onChoose: (address: string) => void;
}

const WhichResult = ({ results, address, onChoose }: WhichResultProps) => (
  <Field label="Result">
    {(ids) => (
      <Select {...ids} value={address ?? ''} onChange={({ target }) => onChoose(target.value)}>
        {results.map((one) => (
          <option key={one.address} value={one.address ?? ''}>
            {one.address}
          </option>
        ))}
      </Select>
    )}
  </Field>
);

interface ChoicesProps {
  readonly preview: ApplyPreview;
  /** The branch of the result. */
  readonly branch: string | null;
  readonly how: ApplyHow;
  readonly onHow: (how: ApplyHow) => void;
  readonly message: string;
  readonly onMessage: (message: string) => void;
}

const SHOWN_COMMITS = 10;

function Choices({ preview, branch, how, onHow, message, onMessage }: ChoicesProps) {
  const { target, files, conflicts, inTheWay, commits, commitCount } = preview;
  const area = useRef<HTMLTextAreaElement>(null);
  // The dialog may have opened before there was anything to write in, or be about to open.
  useEffect(() => queueMicrotask(() => area.current?.focus()), []);
  if (conflicts.length > 0) return <Conflicts preview={preview} branch={branch} />;
  const kept = commits.slice(0, SHOWN_COMMITS);
  return (
    <>
      <p>
        Changes {plural(files, 'file')} in <strong>{inPlainSight(target)}</strong>.
      </p>
      {inTheWay.length > 0 && (
        <Note tone="waits">
          You have uncommitted changes in {plural(inTheWay.length, 'file')} of this result:{' '}
          {inPlainSight(inTheWay.join(', '))}. Commit or stash them first.
        </Note>
      )}
      <Field label="As" hint={HINTS[how]}>
        {() => (
          <Segments
            label="As"
            value={how}
            options={[
              { value: 'squash', label: 'One commit' },
              { value: 'keep', label: `The agents’ ${plural(commitCount, 'commit')}` },
              { value: 'files', label: 'Files only' },
            ]}
            onChange={onHow}
          />
        )}
      </Field>
      {how === 'keep' && (
        <ul className={styles.commits} aria-label="Commits">
          {kept.map(({ commit, author, subject }) => (
            <li key={commit}>
              <span className="mono">{commit.slice(0, 8)}</span>{' '}
              <span className="reads">{inPlainSight(subject)}</span>{' '}
              <span className="quiet">{inPlainSight(author)}</span>
            </li>
          ))}
          {commitCount > kept.length && (
            <li className="quiet">and {plural(commitCount - kept.length, 'more', 'more')}</li>
          )}
        </ul>
      )}
      {how !== 'files' && (
        <Field label="Commit message" error={message.trim() === '' ? 'A commit needs a message.' : null}>
          {(ids) => (
            <TextArea
              {...ids}
              ref={area}
              rows={5}
              spellCheck
              value={message}
              onChange={({ target: written }) => onMessage(written.value)}
            />
          )}
        </Field>
      )}
    </>
  );
}

const HINTS: Record<ApplyHow, string> = {
  squash: 'Your branch gets one new commit.',
  keep: 'Your branch gets a merge commit, and the commits of the agents with it.',
  files: 'The changes are staged in your checkout, and you commit them yourself.',
};

function Conflicts({ preview: { conflicts, target }, branch }: Pick<ChoicesProps, 'preview' | 'branch'>) {
  return (
    <Note tone="failed">
      <span>
        {plural(conflicts.length, 'file conflicts', 'files conflict')} with {inPlainSight(target)}:
      </span>
      <ul className={styles.commits} aria-label="Conflicts">
        {conflicts.map((path) => (
          <li key={path} className="mono">
            {inPlainSight(path)}
          </li>
        ))}
      </ul>
      {branch !== null && (
        <span>
          Nothing was applied. Merge it by hand: <code>git merge {branch}</code>
        </span>
      )}
    </Note>
  );
}
