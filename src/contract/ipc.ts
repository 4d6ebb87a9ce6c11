import { featureProcedures } from '@features/procedures';
import { z } from 'zod';
import { decisionProcedures } from './attention/held-decisions';
import { attentionProcedures, besidesSchema } from './attention/procedures';
import { catalogProcedures } from './catalog/procedures';
import { checkoutProcedures } from './checkout/procedures';
import { deliveryProcedures } from './delivery/procedures';
import { gateProcedures, gateRowSchema } from './gate/procedures';
import { homeProcedures } from './home/procedures';
import { ruleProcedures } from './permission/procedures';
import { promptProcedures } from './prompts/procedures';
import { storedEventSchema } from './run/events';
import { runProcedures, runRowSchema } from './run/procedures';
import { sessionProcedures } from './session/procedures';
import { transcriptItemSchema } from './session/session';
import { spendProcedures } from './spend/procedures';
import { mainProcedures, settingsSchema, systemProcedures, systemStatusSchema } from './system/procedures';
import { updateProcedures, updateRowSchema } from './update/procedures';
import { workspaceProcedures } from './workspace/procedures';

export type { RpcReply, Topic } from './wire';

/** Answered by the core, by name. Served to the window, the local socket and the HTTP API alike. */
export const coreProcedures = {
  ...catalogProcedures,
  ...runProcedures,
  ...gateProcedures,
  ...attentionProcedures,
  ...decisionProcedures,
  ...ruleProcedures,
  ...spendProcedures,
  ...homeProcedures,
  ...sessionProcedures,
  ...promptProcedures,
  ...featureProcedures,
  ...updateProcedures,
  ...deliveryProcedures,
  ...workspaceProcedures,
  ...checkoutProcedures,
  ...systemProcedures,
} as const;
export type CoreProcedures = typeof coreProcedures;
export type CoreProcedureName = keyof CoreProcedures;

export const procedures = { ...coreProcedures, ...mainProcedures } as const;
export type Procedures = typeof procedures;
export type ProcedureName = keyof Procedures;
/** What a caller gives: fields with a default may be left out. */
export type ProcedureInput<N extends ProcedureName> = z.input<Procedures[N]['input']>;
/** What a handler gets. */
export type ParsedInput<N extends ProcedureName> = z.output<Procedures[N]['input']>;
export type ProcedureOutput<N extends ProcedureName> = z.output<Procedures[N]['output']>;

/** What the core tells on the one `event` channel, always after the commit. */
export const pushSchema = z.lazy(() =>
  z.discriminatedUnion('topic', [
    z.object({ topic: z.literal('run'), runId: z.number(), events: z.array(storedEventSchema) }),
    z.object({ topic: z.literal('runs'), rows: z.array(runRowSchema) }),
    z.object({ topic: z.literal('gates'), rows: z.array(gateRowSchema) }),
    /** What needs the operator beside the gates: all of it, whenever any of it changes. */
    z.object({ topic: z.literal('attention'), besides: besidesSchema }),
    z.object({ topic: z.literal('feed'), rows: z.array(updateRowSchema) }),
    /** Something about deliveries is different now; what, is asked. */
    z.object({ topic: z.literal('deliveries') }),
    /** The settings as they are now, whichever client set them. */
    z.object({ topic: z.literal('settings'), settings: settingsSchema }),
    /** Agent profiles, or permission rules, are others now; which, is asked. */
    z.object({ topic: z.literal('profiles') }),
    z.object({ topic: z.literal('rules') }),
    z.object({ topic: z.literal('system'), status: systemStatusSchema }),
    z.object({ topic: z.literal('workflows'), projectId: z.number() }),
    /** Streaming items of a turn in flight; `from` is the index of the first, so that a reader knows of a gap. */
    z.object({
      topic: z.literal('stream'),
      runId: z.number(),
      turnId: z.number(),
      from: z.number(),
      items: z.array(transcriptItemSchema),
    }),
  ]),
);
export type Push = z.infer<typeof pushSchema>;

/**
 * A push that is only handed on by who hears it, and read by the window: as text it costs main nothing but its copy.
 * Of many small objects each message would be taken apart and put together again there.
 */
const packedPushSchema = z.lazy(() =>
  z.object({
    topic: z.enum(['run', 'stream']),
    runId: z.number(),
    /** The push as JSON. */
    packed: z.string(),
  }),
);
/** A push on its way: its topic can be read, the rest perhaps only by who it is for. */
export type RoutedPush = Push | z.infer<typeof packedPushSchema>;

/** Packs what main need not read. */
export const packedPush = (push: Push): RoutedPush =>
  push.topic === 'run' || push.topic === 'stream'
    ? { topic: push.topic, runId: push.runId, packed: JSON.stringify(push) }
    : push;

/** A push as it was before it was packed, still to be checked; anything else as it is. */
export function unpackedPush(raw: unknown): unknown {
  const packed = packedPushSchema.safeParse(raw);
  if (!packed.success) return raw;
  try {
    return JSON.parse(packed.data.packed);
  } catch {
    return raw;
  }
}

/** What the preload script puts on `window.muster`. */
export interface MusterBridge {
  call(name: string, input: unknown): Promise<unknown>;
  subscribe(topics: string[]): void;
  onPush(listener: (pushes: unknown) => void): () => void;
  /** The path of a file that was dropped on the window. */
  pathOf(file: unknown): string;
}
