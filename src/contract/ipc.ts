import { catalogProcedures } from '@areas/agents/contract/procedures';
import { decisionProcedures } from '@areas/attention/contract/held-decisions';
import { attentionProcedures, besidesSchema } from '@areas/attention/contract/procedures';
import { backupProcedures } from '@areas/backups/contract/procedures';
import { workspaceProcedures } from '@areas/changes/contract/procedures';
import { deliveryProcedures } from '@areas/deliveries/contract/procedures';
import { diagnosticProcedures } from '@areas/diagnostics/contract/procedures';
import { doctorProcedures } from '@areas/doctor/contract/procedures';
import { updateProcedures, updateRowSchema } from '@areas/feed/contract/procedures';
import { forgeProcedures } from '@areas/forges/contract/procedures';
import { gateProcedures, gateRowSchema } from '@areas/gates/contract/procedures';
import { homeProcedures } from '@areas/home/contract/procedures';
import { hostProcedures } from '@areas/hosts/contract/procedures';
import { ruleProcedures } from '@areas/permissions/contract/procedures';
import { checkoutProcedures } from '@areas/projects/contract/procedures';
import { promptProcedures } from '@areas/prompts/contract/procedures';
import { sessionProcedures } from '@areas/sessions/contract/procedures';
import { transcriptItemSchema } from '@areas/sessions/contract/session';
import { spendProcedures } from '@areas/spend/contract/procedures';
import { featureProcedures } from '@features/procedures';
import { z } from 'zod';
import { amount } from './bounds';
import { lazyObject } from './lazy-object';
import { storedEventSchema } from './run/events';
import { runProcedures, runRowSchema } from './run/procedures';
import { mainProcedures, settingsSchema, systemProcedures, systemStatusSchema } from './system/procedures';

export type { RpcReply, Topic } from './wire';

/** Procedures that the core answers, by name: for the window, the local socket and the HTTP API alike. */
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
  ...forgeProcedures,
  ...hostProcedures,
  ...backupProcedures,
  ...diagnosticProcedures,
  ...doctorProcedures,
  ...systemProcedures,
} as const;
type CoreProcedures = typeof coreProcedures;
export type CoreProcedureName = keyof CoreProcedures;

export const procedures = { ...coreProcedures, ...mainProcedures } as const;
type Procedures = typeof procedures;
export type ProcedureName = keyof Procedures;
/** Input as the caller gives it: fields with a default may be left out. */
export type ProcedureInput<N extends ProcedureName> = z.input<Procedures[N]['input']>;
/** Input as the handler receives it. */
export type ParsedInput<N extends ProcedureName> = z.output<Procedures[N]['input']>;
export type ProcedureOutput<N extends ProcedureName> = z.output<Procedures[N]['output']>;

/** Pushes of the core on the one `event` channel, always after the commit. */
export const pushSchema = z.lazy(() =>
  z.discriminatedUnion('topic', [
    z.object({ topic: z.literal('run'), runId: amount(), events: z.array(storedEventSchema) }),
    z.object({ topic: z.literal('runs'), rows: z.array(runRowSchema) }),
    z.object({ topic: z.literal('gates'), rows: z.array(gateRowSchema) }),
    /** Everything beside the gates that needs the operator, sent whole at each change. */
    z.object({ topic: z.literal('attention'), besides: besidesSchema }),
    z.object({ topic: z.literal('feed'), rows: z.array(updateRowSchema) }),
    /** Deliveries have changed; readers query for the details. */
    z.object({ topic: z.literal('deliveries') }),
    /** Pull requests have changed; readers query for the details. */
    z.object({ topic: z.literal('pulls') }),
    /** A host was added or removed, or its connection changed; readers query for the details. */
    z.object({ topic: z.literal('hosts') }),
    /** The current settings, whichever client changed them. */
    z.object({ topic: z.literal('settings'), settings: settingsSchema }),
    /** Agent profiles or permission rules have changed; readers query for the details. */
    z.object({ topic: z.literal('profiles') }),
    z.object({ topic: z.literal('rules') }),
    z.object({ topic: z.literal('system'), status: systemStatusSchema }),
    z.object({ topic: z.literal('workflows'), projectId: amount() }),
    /** Streamed items of a turn in flight; `from` is the index of the first, so that readers detect gaps. */
    z.object({
      topic: z.literal('stream'),
      runId: amount(),
      turnId: amount(),
      from: amount(),
      items: z.array(transcriptItemSchema),
    }),
  ]),
);
export type Push = z.infer<typeof pushSchema>;

/**
 * A push serialised as JSON text. Main only forwards it to the window, and copying a string is cheaper than
 * structured cloning of many small objects.
 */
const packedPushSchema = lazyObject(() => ({
  topic: z.enum(['run', 'stream']),
  runId: amount(),
  /** The push as JSON. */
  packed: z.string(),
}));
/** A push on its way: only its topic is certain to be readable before it reaches its receiver. */
export type RoutedPush = Push | z.infer<typeof packedPushSchema>;

/** Packs pushes that main need not read. */
export const packedPush = (push: Push): RoutedPush =>
  push.topic === 'run' || push.topic === 'stream'
    ? { topic: push.topic, runId: push.runId, packed: JSON.stringify(push) }
    : push;

/** Unpacks a packed push, still unchecked; returns anything else unchanged. */
export function unpackedPush(raw: unknown): unknown {
  const packed = packedPushSchema.safeParse(raw);
  if (!packed.success) return raw;
  try {
    return JSON.parse(packed.data.packed);
  } catch {
    return raw;
  }
}

/** What the preload script exposes as `window.muster`. */
export interface MusterBridge {
  call(name: string, input: unknown): Promise<unknown>;
  subscribe(topics: string[]): void;
  onPush(listener: (pushes: unknown) => void): () => void;
  /** The path of a file dropped on the window. */
  pathOf(file: unknown): string;
}
