import { capabilitiesOf } from '@areas/agents/contract/agent-kinds';
import { sessionStanding } from '@areas/sessions/contract/standing';
import type { StepDefinition } from '@areas/workflows/contract/definition';
import { ownValue } from '@contract/own';
import { profileName } from '@contract/run/profile-name';
import type { ActivationState, RunState } from '@contract/run/state';
import { hashOf } from '@renderer/client/route';
import { Agent } from '@renderer/parts/marks/agent-name';
import { Marked, StepIcon } from '@renderer/parts/marks/marks';
import { ErrorNote } from '@renderer/parts/problems/error-note';
import { Ago, Elapsed } from '@renderer/parts/text/ago';
import { sessionWords, stepWords, type Word } from '@renderer/parts/words/status-words';
import { memo } from 'react';
import { activationWord, asksInside } from '../parts/run-now';
import styles from './activation-head.module.css';

interface ActivationHeadProps {
  readonly activation: ActivationState;
  readonly step: StepDefinition;
  readonly state: RunState;
}

export function ActivationHead({ activation, step, state }: ActivationHeadProps) {
  const sessions = activation.sessionIds
    .map((id) => state.sessions[id])
    .filter((session) => session !== undefined);
  const last = sessions.at(-1);
  const isOpen = activation.status === 'running' && (activation.scopes?.open ?? 0) > 0;
  const asks = isOpen && asksInside(state, activation.stepId);
  const troubled =
    last !== undefined && activation.status === 'running' && !['ready', 'closed'].includes(last.status);
  return (
    <header className={styles.activationHead}>
      <Line
        activation={activation}
        step={step}
        word={asks ? stepWords.waiting : activationWord(state, activation)}
        agent={last === undefined ? null : profileName(state, last.profileId)}
        isRehearsed={isRehearsed(state, last?.profileId ?? null)}
        model={last?.model ?? null}
      />
      {activation.adopted && (
        <p className="note quiet">
          Taken from <a href={hashOf('run', activation.adopted.uid)}>an earlier run</a>, where it ended{' '}
          <Ago at={activation.adopted.at} />. It was not executed here.
        </p>
      )}
      {last && troubled && (
        <p className={`note quiet ${styles.activationSession}`}>
          <Marked word={sessionWords[sessionStanding(last)]} />
          {last.reason && `: ${last.reason}`} <Elapsed from={last.since} to={null} />
        </p>
      )}
      {last?.error && troubled && <ErrorNote error={last.error} />}
      {last?.notice && <p className={`note quiet ${styles.activationSession}`}>{last.notice}</p>}
    </header>
  );
}

function isRehearsed({ profiles }: RunState, id: string | null): boolean {
  const profile = id === null ? undefined : ownValue(profiles, id);
  return profile !== undefined && capabilitiesOf(profile).rehearsed;
}

interface LineProps {
  readonly activation: ActivationState;
  readonly step: StepDefinition;
  readonly word: Word;
  readonly agent: string | null;
  /** The agent follows a script: no model answers. */
  readonly isRehearsed: boolean;
  readonly model: string | null;
}

const Line = memo(function Line(props: LineProps) {
  const { activation, step, word, agent, isRehearsed, model } = props;
  return (
    <div className={styles.activationLine}>
      <span className={styles.activationIcon}>
        <StepIcon type={step.type} />
      </span>
      <h2 className="cut">{step.title ?? step.id}</h2>
      {activation.attempt > 1 && <span className="count">attempt {activation.attempt}</span>}
      {agent && (
        <span className="quiet note cut">
          <Agent id={model ? `${agent} · ${model}` : agent} />
        </span>
      )}
      {isRehearsed && <span className="count">rehearsal</span>}
      <span className="grow" />
      <Marked word={word} />
      <span className="faint note">
        <Elapsed from={activation.startedAt} to={activation.finishedAt} />
      </span>
    </div>
  );
});
