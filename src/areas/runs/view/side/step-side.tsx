import { GateInPlace } from '@areas/gates/view/parts/gate-in-place';
import { ownValue } from '@contract/own';
import type { StepState } from '@contract/run/platform-state';
import type { RunRow } from '@contract/run/procedures';
import { profileName } from '@contract/run/profile-name';
import { stepDefinition } from '@contract/run/scope/path';
import type { ActivationState, RunState } from '@contract/run/state';
import { hashOf } from '@renderer/client/route';
import { atMoment } from '@renderer/client/runs/moment';
import { ActivationHead } from '../timeline/activation-head';
import { ActivationResult } from '../timeline/activation-result';
import styles from './step-side.module.css';

interface StepSideProps {
  readonly row: RunRow;
  readonly state: RunState;
  /** Null if none of it has begun. */
  readonly stepKey: string | null;
  readonly title: string;
}

/** A step of a run beside the canvas: its state, its gates, its outputs, and links to details. */
export function StepSide({ row, state, stepKey, title }: StepSideProps) {
  const step = stepKey === null ? undefined : stepDefinition(state, stepKey);
  const known = stepKey === null ? undefined : ownValue(state.steps, stepKey);
  const activations = (known?.activationIds ?? []).flatMap((id) => state.activations[id] ?? []).reverse();
  if (step === undefined || activations.length === 0)
    return (
      <section className={styles.activation}>
        <h2>{title}</h2>
        <p className="quiet">{whyNotRun(known)}</p>
      </section>
    );
  return activations.map((activation) => (
    <section key={activation.id} className={styles.activation} aria-label={`Attempt ${activation.attempt}`}>
      <ActivationHead activation={activation} step={step} state={state} />
      <Links row={row} state={state} activation={activation} />
      {activation.gateIds
        .flatMap((id) => state.gates[id] ?? [])
        .map((gate) => (
          <GateInPlace key={gate.id} runId={row.id} gate={gate} keys={false} />
        ))}
      {activation.status === 'finished' && <ActivationResult runId={row.id} activation={activation} />}
    </section>
  ));
}

interface LinksProps {
  readonly row: RunRow;
  readonly state: RunState;
  readonly activation: ActivationState;
}

function Links({ row, state, activation }: LinksProps) {
  const { sessionIds, commandIds, id } = activation;
  return (
    <p className={styles.links}>
      <a href={atMoment(hashOf('run', row.uid, 'activation', id))}>Timeline</a>
      {sessionIds.map((session) => {
        const at = hashOf('session', row.id, session);
        const agent = profileName(state, state.sessions[session]?.profileId ?? '');
        return (
          <span key={session} className={styles.links}>
            <a href={at}>Session{sessionIds.length > 1 && ` of ${agent}`}</a>
            <a href={`${at}?show=terminal`}>Terminal</a>
            <a href={`${at}?show=changes`}>Changes</a>
          </span>
        );
      })}
      {commandIds.map((command) => (
        <a key={command} href={atMoment(hashOf('run', row.uid, 'command', command))}>
          Output
        </a>
      ))}
    </p>
  );
}

/** Why a step has no activation. */
function whyNotRun(step: Pick<StepState, 'skipped' | 'skipCause'> | undefined): string {
  if (step?.skipCause === 'disabled') return 'This step is switched off: the run skips it.';
  return step?.skipped ? `Skipped: ${step.skipped}` : 'This step has not started.';
}
