import type { GateOption } from '@areas/gates/contract/gate';
import type { FinishDecision, StepDecisions } from '@main/core/step/decision';
import { type ActivationView, defineStep } from '@main/core/step/module';
import { makeBundle } from '@main/core/step/output/bundle';
import { z } from 'zod';

const configSchema = z.strictObject({ items: z.array(z.string().min(1)).min(1) });
type ChecklistConfig = z.infer<typeof configSchema>;

const TICK: GateOption = { id: 'tick', label: 'Done', effect: 'The next item follows.', tone: 'approve' };

/** Asks for one item after the other, and records the done ones in its own state. */
export const checklist = defineStep<ChecklistConfig>({
  type: 'step.checklist',
  version: 1,
  title: 'Checklist',
  description: 'Waits until the operator has ticked every item.',
  config: configSchema,
  onInterrupt: null,
  ports: () => ({
    inputs: [{ name: 'signal_in', label: 'Signal', kind: 'signal' }],
    outputs: [{ name: 'data_out', label: 'Items', kind: 'bundle' }],
  }),
  sessions: () => ({ persist: false, continues: false, gives: false }),
  decide,
});

function decide(view: ActivationView<ChecklistConfig>): StepDecisions {
  const { activationId, config, gates } = view;
  const ticked = view.part('checklists')?.ticked ?? [];
  const item = config.items[ticked.length];
  if (item === undefined) return [finished(view, ticked)];
  const asked = gates[ticked.length];
  if (asked === undefined)
    return [{ kind: 'gate', gate: 'approval', title: item, message: item, evidence: null, options: [TICK] }];
  return asked.answer === null
    ? []
    : [{ kind: 'tell', events: [{ type: 'checklist.ticked', activationId, item }] }];
}

function finished(view: ActivationView<ChecklistConfig>, ticked: readonly string[]): FinishDecision {
  const { stepId, activationId } = view;
  const data_out = makeBundle(ticked.join('\n'), {
    stepId,
    activationId,
    sessionKey: null,
    port: 'data_out',
    kind: 'text',
  });
  return {
    kind: 'finish',
    outcome: 'succeeded',
    outputs: { data_out },
    signals: ['data_out'],
    receipt: { items: ticked.length },
    warnings: [],
    error: null,
  };
}
