import { z } from 'zod';
import { profileIdSchema } from '../catalog/profile';

/** What a target gets: updates, questions (a loop or team waits or seems stuck), ends (a loop or team has ended). */
export const deliveryKindSchema = z.enum(['updates', 'questions', 'ends']);
export type DeliveryKind = z.infer<typeof deliveryKindSchema>;
export const deliveryKinds: readonly DeliveryKind[] = deliveryKindSchema.options;

/**
 * Which questions can be answered from a target. `questions`: all but those that give an agent permission, write to
 * the operator's checkout or type into a terminal. `everything`: these too.
 */
export const answerPolicySchema = z.enum(['none', 'questions', 'everything']);
export type AnswerPolicy = z.infer<typeof answerPolicySchema>;

/**
 * Narrows what a target gets to loops over stories, or to trouble: blocked and failed updates, questions, and ends that
 * are no success.
 */
export const deliveryFilterSchema = z.enum(['everything', 'loops', 'trouble']);
export type DeliveryFilter = z.infer<typeof deliveryFilterSchema>;

const common = {
  /** Never given to another target: what was delivered names it, and it is a part of each delivery's key. */
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

/** Texts leave the machine encrypted or not at all. */
const webhookUrlSchema = z.lazy(() =>
  z
    .union([
      z.url({ protocol: /^https$/, error: addressError }),
      z.url({ protocol: /^http$/, hostname: /^(localhost|127\.0\.0\.1|\[::1\])$/, error: addressError }),
    ])
    .refine((url) => !/^[a-z]+:\/\/[^/?#]*@/i.test(url), { error: addressError }),
);

/** Where updates are sent beside the feed. */
export const deliveryTargetSchema = z.lazy(() =>
  z.discriminatedUnion('kind', [
    z.strictObject({
      kind: z.literal('openclaw'),
      ...common,
      /** A gateway profile with `api: openclaw`; its agent's main session gets the text. */
      profile: profileIdSchema,
    }),
    z.strictObject({
      kind: z.literal('webhook'),
      ...common,
      url: webhookUrlSchema,
      /** The header that a secret is sent in, as it is in the keychain under its name. */
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
      /** A line for the shell; it reads the text from its standard input. */
      command: z.string().min(1).max(4000),
      seconds: z.number().int().min(1).max(600).default(30),
    }),
  ]),
);
export type DeliveryTarget = z.infer<typeof deliveryTargetSchema>;
export type DeliveryTargetOf<K extends DeliveryTarget['kind']> = Extract<DeliveryTarget, { kind: K }>;

/** The part of the settings that says where updates go, and after how many days of trying one is given up. */
export const deliverySettingsSchema = z.lazy(() =>
  z.strictObject({
    targets: z
      .array(deliveryTargetSchema)
      .max(20)
      .refine((targets) => new Set(targets.map(({ id }) => id)).size === targets.length, {
        error: 'two targets have the same id',
      }),
    giveUpDays: z.number().int().min(1).max(90),
  }),
);
