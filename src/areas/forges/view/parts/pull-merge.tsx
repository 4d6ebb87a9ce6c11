import { call } from '@renderer/client/rpc';
import { attempt } from '@renderer/client/toasts';
import { refresh } from '@renderer/client/wire/query';
import { Button } from '@renderer/ui/controls/button';
import { Question } from '@renderer/ui/controls/dialog';
import { Field, Select } from '@renderer/ui/controls/field';
import { inPlainSight } from '@renderer/ui/invisible-characters';
import { GitMerge } from 'lucide-react';
import { useState } from 'react';
import { type MergeMethod, mergeMethodSchema, type PullView } from '../../contract/forge';
import type { PullRecord } from '../../contract/pull';
import { mergeWords } from './pull-words';

interface PullMergeProps {
  readonly record: PullRecord;
  readonly view: PullView;
  readonly onClose: () => void;
}

/** Merges the commit that is shown, by the rules of the repository: a later commit is not merged. */
export function PullMerge({ record, view, onClose }: PullMergeProps) {
  // What was shown when it was opened, even if the pull request is read again meanwhile.
  const [{ head, base, methods }] = useState(view);
  const [method, setMethod] = useState<MergeMethod | undefined>(methods[0]);
  const [merging, setMerging] = useState(false);
  const { runId, repository, number } = record;
  const merge = async () => {
    if (merging || method === undefined) return;
    setMerging(true);
    const done = await attempt(
      call('pull.merge', { runId, method, commit: head.commit }),
      `Merged #${number ?? ''} into ${base}`,
    );
    setMerging(false);
    await refresh('pull.record');
    if (done !== null) onClose();
  };
  return (
    <Question
      title={`Merge ${repository}#${number ?? ''}`}
      onClose={onClose}
      footer={
        <>
          <Button onClick={onClose}>Cancel</Button>
          <Button
            tone="primary"
            icon={GitMerge}
            disabled={merging || method === undefined}
            onClick={() => void merge()}
          >
            {merging ? 'Merging' : `Merge into ${inPlainSight(base)}`}
          </Button>
        </>
      }
    >
      <div className="fields">
        <p className="reads">
          Commit <span className="mono">{head.commit.slice(0, 12)}</span> of{' '}
          <span className="mono">{inPlainSight(head.branch)}</span> goes into{' '}
          <span className="mono">{inPlainSight(base)}</span>. The forge refuses it if its rules are not met.
        </p>
        <Field label="How">
          {(ids) => (
            <Select
              {...ids}
              value={method ?? ''}
              onChange={(event) => setMethod(mergeMethodSchema.safeParse(event.target.value).data)}
            >
              {methods.map((one) => (
                <option key={one} value={one}>
                  {mergeWords[one]}
                </option>
              ))}
            </Select>
          )}
        </Field>
      </div>
    </Question>
  );
}
