import type { DeliverySubject } from '@areas/deliveries/contract/procedures';
import type { RunEvent } from '@contract/run/events';
import { announcedStep } from '@contract/run/features/feature-answers';
import { stepDefinition, stepTitle } from '@contract/run/scope/path';
import { isLimitTimer } from '@contract/run/status';
import { type Db, writing } from '../sql';
import type { Fact } from './fact';

interface Said {
  readonly subject: Exclude<DeliverySubject, 'update'>;
  readonly trouble: boolean;
}

/** Records the questions, waits and end of an announced step, which the outbox delivers. */
export function announcementProjection(db: Db) {
  const insert = writing(
    db,
    `insert into announcements (event_id, run_id, subject, step_type, step_title, trouble)
     values (?, ?, ?, ?, ?, ?)`,
  );
  const note = ({ id, runId, state }: Fact, event: { activationId: number | null }, said: Said): void => {
    const activation = event.activationId === null ? undefined : state.activations[event.activationId];
    const step = activation && stepDefinition(state, activation.stepId);
    if (activation === undefined || step === undefined || announcedStep(step.type) === undefined) return;
    insert.run(id, runId, said.subject, step.type, stepTitle(state, activation.stepId), said.trouble ? 1 : 0);
  };
  return {
    follow(fact: Fact, event: RunEvent): void {
      // If a permission rule answers a gate in the same commit, the operator is not asked.
      if (event.type === 'gate.opened' && event.rule === undefined)
        note(fact, event, { subject: 'question', trouble: true });
      else if (event.type === 'timer.set' && isLimitTimer(event))
        note(fact, event, { subject: 'wait', trouble: false });
      else if (event.type === 'activation.finished')
        note(fact, event, { subject: 'end', trouble: event.outcome !== 'succeeded' });
    },
  };
}
