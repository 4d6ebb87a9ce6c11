import { requiredText } from '@contract/bounds';
import { lazyStrictObject } from '@contract/lazy-object';
import { agentShape } from '@main/core/step/agent/agent';
import type { ActivationView } from '@main/core/step/module';
import { z } from 'zod';

const participantSchema = z.strictObject({
  name: z
    .string()
    .regex(/^[A-Za-z][A-Za-z0-9 _-]{0,39}$/, 'a name has letters, digits, spaces, - and _ only'),
  /** The participant's point of view: `You look for what can go wrong.` */
  role: z.string().optional(),
  ...agentShape,
});

export const panelConfigSchema = lazyStrictObject(() => ({
  topic: requiredText('write a topic: what does the panel discuss?'),
  participants: z.array(participantSchema).min(2).max(8),
  /** Number of contributions from each participant. */
  rounds: z.number().int().min(1).max(10).default(2),
  /** Writes the conclusion; without a moderator the transcript is the output. */
  moderator: z.strictObject({ instruction: z.string().optional(), ...agentShape }).optional(),
}));
export type PanelConfig = z.infer<typeof panelConfigSchema>;
export type View = ActivationView<PanelConfig>;
export type Participant = PanelConfig['participants'][number];
