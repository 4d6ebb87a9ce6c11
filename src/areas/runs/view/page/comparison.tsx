import type { ComparedStep } from '@contract/run/comparison/comparison';
import type { RunRow } from '@contract/run/procedures';
import { duration } from '@contract/time-words';
import { spend } from '@renderer/client/format';
import { useHandlers, useQuery } from '@renderer/client/hooks';
import { hashOf, setQuery } from '@renderer/client/route';
import { fullTime } from '@renderer/client/time';
import { ActButton } from '@renderer/parts/controls/act';
import { Marked } from '@renderer/parts/marks/marks';
import { ErrorNote } from '@renderer/parts/problems/error-note';
import { outcomeWords, stepWords, type Word } from '@renderer/parts/words/status-words';
import { Printed } from '@renderer/ui/code/code';
import { Select } from '@renderer/ui/controls/field';
import { Fold } from '@renderer/ui/layout/fold';
import styles from './comparison.module.css';

/** In the address while no other run is chosen. */
export const CHOOSE = 'choose';

interface ComparisonProps {
  readonly row: RunRow;
  /** The uid of the other run, or `CHOOSE`. */
  readonly other: string;
}

/** This run beside another one of the workflow, step by step. */
export function Comparison({ row, other }: ComparisonProps) {
  const list = useQuery('run.list', { search: row.workflowName, limit: 200 });
  const others = (list.value?.rows ?? []).filter(
    ({ id, workflowName }) => id !== row.id && workflowName === row.workflowName,
  );
  const found = useQuery('run.find', other === CHOOSE ? null : { name: other });
  const chosen = found.value;
  const compared = useQuery('run.compare', chosen === null ? null : { runId: chosen.id, otherId: row.id });
  const rows = chosen === null || others.some(({ id }) => id === chosen.id) ? others : [chosen, ...others];
  useHandlers({ 'run.compare.close': () => setQuery({ with: '' }) });
  return (
    <section className={`${styles.comparison} scroll`} aria-label="Comparison">
      <p className={styles.head}>
        <label htmlFor="compared-run">Compare with</label>
        <Select
          id="compared-run"
          value={chosen?.uid ?? ''}
          onChange={(event) => setQuery({ with: event.target.value })}
        >
          {chosen === null && <option value="">Choose a run</option>}
          {rows.map(({ uid, startedAt, status }) => (
            <option key={uid} value={uid}>
              {fullTime(startedAt)}, {status}
            </option>
          ))}
        </Select>
        {chosen && <a href={hashOf('run', chosen.uid)}>Open it</a>}
        <span className="grow" />
        <ActButton action="run.compare.close">Back to the run</ActButton>
      </p>
      {found.error && <ErrorNote error={found.error} />}
      {compared.error && <ErrorNote error={compared.error} />}
      {list.status === 'ready' && rows.length === 0 && (
        <p className="quiet">There is no other run of this workflow yet.</p>
      )}
      {compared.value && (
        <table className={styles.table}>
          <thead>
            <tr>
              <th scope="col">Step</th>
              <th scope="col">The other run</th>
              <th scope="col">This run</th>
              <th scope="col">Output</th>
            </tr>
          </thead>
          <tbody>
            {compared.value.steps.map(({ stepId, title, depth, a, b, changed, diff, truncated }) => (
              <tr key={stepId}>
                <th scope="row" style={{ paddingInlineStart: `${depth * 16}px` }}>
                  {title}
                  {changed && <span className="faint note"> configured differently</span>}
                </th>
                <td>
                  <Facts step={a} inside={depth > 0} />
                </td>
                <td>
                  <Facts step={b} inside={depth > 0} />
                </td>
                <td className={styles.difference}>
                  {diff === '' ? (
                    <span className="quiet">{hasOutput(a) && hasOutput(b) ? 'same' : ''}</span>
                  ) : (
                    <Fold head="differs">
                      <Printed text={diff} label={`Difference of ${title}`} />
                      {truncated && <p className="faint note">The rest is not shown.</p>}
                    </Fold>
                  )}
                </td>
              </tr>
            ))}
          </tbody>
        </table>
      )}
    </section>
  );
}

const NO_OUTPUT: readonly ComparedStep['outcome'][] = ['pending', 'running', 'waiting', 'skipped'];

/** It came to its end: what has no output yet is not called the same. */
const hasOutput = (step: ComparedStep | null): boolean => step !== null && !NO_OUTPUT.includes(step.outcome);

function wordOf({ outcome }: ComparedStep): Word {
  if (outcome === 'pending' || outcome === 'running' || outcome === 'waiting' || outcome === 'skipped')
    return stepWords[outcome];
  return outcomeWords[outcome];
}

interface FactsProps {
  readonly step: ComparedStep | null;
  /** The step is inside another one, which executes it once for each pass or item. */
  readonly inside: boolean;
}

function Facts({ step, inside }: FactsProps) {
  if (step === null) return <span className="faint">step missing</span>;
  const used = spend(step.tokens ?? 0, step.costUsd ?? 0);
  return (
    <div className={styles.facts}>
      <Marked word={wordOf(step)} />
      <span className="note quiet">
        {step.isAdopted ? 'taken from an earlier run' : step.ms !== null && duration(step.ms)}
        {step.attempts > 1 && `, ${step.attempts} ${inside ? 'times' : 'attempts'}`}
        {!step.isAdopted && used !== '' && `, ${used}`}
      </span>
    </div>
  );
}
