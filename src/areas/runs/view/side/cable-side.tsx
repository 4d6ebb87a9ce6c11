import type { CanvasCable } from '@areas/workflows/view/parts/canvas/graph/graph';
import { ownValue } from '@contract/own';
import type { ActivationState, RunState } from '@contract/run/state';
import { Ago } from '@renderer/parts/text/ago';
import { Content } from '../timeline/content';
import styles from './cable-side.module.css';

interface CableSideProps {
  readonly runId: number;
  readonly state: RunState;
  readonly cable: CanvasCable;
  /** The key of the source step; null if none of it has begun. */
  readonly from: string | null;
}

/** The activations of a step with an output on a port, the newest first. */
function crossings(state: RunState, stepKey: string | null, port: string): readonly ActivationState[] {
  const ids = stepKey === null ? [] : (ownValue(state.steps, stepKey)?.activationIds ?? []);
  return ids
    .flatMap((id) => state.activations[id] ?? [])
    .filter(({ outputs, signals }) => Object.hasOwn(outputs, port) || signals.includes(port))
    .reverse();
}

/** Everything that crossed a cable, the newest first. */
export function CableSide({ runId, state, cable, from }: CableSideProps) {
  const { port } = cable.from;
  const crossed = crossings(state, from, port);
  const title = `${cable.cable.from} to ${cable.cable.to}`;
  if (crossed.length === 0)
    return (
      <>
        <h2 className={styles.title}>{title}</h2>
        <p className="quiet">Nothing has passed through this cable.</p>
      </>
    );
  return (
    <>
      <h2 className={styles.title}>{title}</h2>
      {crossed.map((activation) => (
        <Crossed key={activation.id} runId={runId} activation={activation} port={port} />
      ))}
    </>
  );
}

interface OutputValueProps {
  readonly runId: number;
  readonly state: RunState;
  /** Null if none of the step has begun. */
  readonly stepKey: string | null;
  readonly port: string;
}

/** The last output of a step on a port. */
export function OutputValue({ runId, state, stepKey, port }: OutputValueProps) {
  const last = crossings(state, stepKey, port)[0];
  const bundle = last === undefined ? undefined : ownValue(last.outputs, port);
  if (bundle !== undefined) return <Content runId={runId} bundle={bundle} />;
  return <p className="quiet">{last === undefined ? 'Nothing yet.' : 'A signal: it carries nothing.'}</p>;
}

interface CrossedProps {
  readonly runId: number;
  readonly activation: ActivationState;
  readonly port: string;
}

function Crossed({ runId, activation, port }: CrossedProps) {
  const bundle = ownValue(activation.outputs, port);
  return (
    <section className={styles.crossed} aria-label={`Attempt ${activation.attempt}`}>
      <p className="note faint">
        {activation.attempt > 1 && `Attempt ${activation.attempt}, `}
        {activation.finishedAt !== null && <Ago at={activation.finishedAt} />}
      </p>
      {bundle === undefined ? (
        <p className="quiet">A signal: it carries nothing.</p>
      ) : (
        <Content runId={runId} bundle={bundle} />
      )}
    </section>
  );
}
