import { profileIdSchema } from '@areas/agents/contract/profile';
import { whole } from '@contract/bounds';
import { lazyStrictObject } from '@contract/lazy-object';
import { z } from 'zod';

/**
 * What a target receives: updates; questions (a loop or team waits or seems stuck); ends (of a loop or team).
 */
const deliveryKindSchema = z.enum(['updates', 'questions', 'ends']);
export type DeliveryKind = z.infer<typeof deliveryKindSchema>;
export const deliveryKinds: readonly DeliveryKind[] = deliveryKindSchema.options;

/**
 * Which questions can be answered from a target. `questions`: all except those that give an agent permission,
 * write to the operator's checkout or type into a terminal. `everything`: those too.
 */
const answerPolicySchema = z.enum(['none', 'questions', 'everything']);
export type AnswerPolicy = z.infer<typeof answerPolicySchema>;

/**
 * Restricts a target to loops over stories, or to trouble: blocked and failed updates, questions, and
 * unsuccessful ends.
 */
const deliveryFilterSchema = z.enum(['everything', 'loops', 'trouble']);
export type DeliveryFilter = z.infer<typeof deliveryFilterSchema>;

const common = {
  /** Never reused for another target: past deliveries name it, and it is a part of each delivery's key. */
  id: z.string().regex(/^[a-z0-9][a-z0-9-]{0,31}$/, 'a target id has small letters, digits and - only'),
  name: z.string().min(1).max(80),
  enabled: z.boolean().default(true),
  filter: deliveryFilterSchema.default('everything'),
  sends: z
    .array(deliveryKindSchema)
    .min(1, 'choose at least one of updates, questions and ends')
    .default(['updates', 'questions', 'ends']),
  answers: answerPolicySchema.default('questions'),
};

const addressError = 'an address with https://, or with http:// on this machine, and without a password';

/** HTTPS or local only: texts leave the machine encrypted or not at all. */
const webhookUrlSchema = z.lazy(() =>
  z
    .union([
      z.url({ protocol: /^https$/, error: addressError }),
      z.url({ protocol: /^http$/, hostname: /^(localhost|127\.0\.0\.1|\[::1\])$/, error: addressError }),
    ])
    .refine((url) => !/^[a-z]+:\/\/[^/?#]*@/i.test(url), { error: addressError }),
);

/** Where updates are sent in addition to the feed. */
export const deliveryTargetSchema = z.lazy(() =>
  z.discriminatedUnion('kind', [
    z.strictObject({
      kind: z.literal('openclaw'),
      ...common,
      /** A gateway profile with `api: openclaw`; the text goes to its agent's main session. */
      profile: profileIdSchema,
    }),
    z.strictObject({
      kind: z.literal('webhook'),
      ...common,
      url: webhookUrlSchema,
      /** The header that carries the secret, exactly as stored in the keychain. */
      header: z
        .string()
        .regex(/^[A-Za-z0-9-]{1,64}$/, 'a header has letters, digits and - only')
        .default('Authorization'),
      secret: z
        .string()
        .regex(/^[A-Za-z_][A-Za-z0-9_]*$/)
        .nullable()
        .default(null),
    }),
    z.strictObject({
      kind: z.literal('command'),
      ...common,
      /** A shell command that reads the text from standard input. */
      command: z.string().min(1).max(4000),
      seconds: whole().min(1).max(600).default(30),
    }),
  ]),
);
export type DeliveryTarget = z.infer<typeof deliveryTargetSchema>;
export type DeliveryTargetOf<K extends DeliveryTarget['kind']> = Extract<DeliveryTarget, { kind: K }>;

/** The settings for deliveries: the targets, and after how many days of trying a delivery is given up. */
export const deliverySettingsSchema = lazyStrictObject(() => ({
  targets: z
    .array(deliveryTargetSchema)
    .max(20)
    .refine((targets) => new Set(targets.map(({ id }) => id)).size === targets.length, {
      error: 'two targets have the same id',
    }),
  giveUpDays: whole().min(1).max(90),
}));
