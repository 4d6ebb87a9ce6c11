import type { RunState } from '@contract/run/state';
import { useMemo } from 'react';
import { Elapsed } from '../../parts/ago';
import { graphOrder } from '../../parts/graph-order';
import { Marked } from '../../parts/marks';
import { Bar } from '../../ui/status';
import { attempts, stepNow } from './now';
import styles from './outline.module.css';

interface OutlineProps {
  readonly state: RunState;
  readonly onStep: (stepId: string) => void;
}

/** The steps in the order of the graph, each with what it does now. */
export function Outline({ state, onStep }: OutlineProps) {
  const order = useMemo(() => graphOrder(state.definition), [state.definition]);
  return (
    <nav className={`${styles.outline} scroll`} aria-label="Steps">
      <h2>Steps</h2>
      <ol>
        {order.map(({ id, depth }) => (
          <li key={id} style={{ paddingInlineStart: `${Math.min(depth, 6) * 6}px` }}>
            <OutlineStep state={state} stepId={id} onStep={onStep} />
          </li>
        ))}
      </ol>
    </nav>
  );
}

interface OutlineStepProps {
  readonly state: RunState;
  readonly stepId: string;
  readonly onStep: (stepId: string) => void;
}

function OutlineStep({ state, stepId, onStep }: OutlineStepProps) {
  const now = stepNow(state, stepId);
  const step = state.definition.steps.find((step) => step.id === stepId);
  const times = attempts(state, stepId);
  return (
    <button
      type="button"
      className={styles.outlineStep}
      disabled={now.last === null}
      title={now.note ?? undefined}
      onClick={() => onStep(stepId)}
    >
      <Marked word={now.word} markOnly />
      <span className="cut grow">{step?.title ?? stepId}</span>
      {times > 1 && <span className="count" title={`${times} activations`}>{`×${times}`}</span>}
      {now.last && (
        <span className={`${styles.outlineNote} cut`}>
          {now.last.status === 'running' && now.note && `${now.note} · `}
          <Elapsed from={now.last.startedAt} to={now.last.finishedAt} />
        </span>
      )}
      {now.part !== null && <Bar part={now.part} label="Prompts done" />}
    </button>
  );
}
