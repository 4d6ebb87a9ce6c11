import { z } from 'zod';
import { appErrorSchema } from './errors';
import { lazyStrictObject } from './lazy-object';

/**
 * Messages between processes, without the input and output of each procedure (ipc.ts): a process that only
 * forwards messages need not build hundreds of schemas.
 */

/** A call on the one `rpc` channel. */
export const rpcRequestSchema = z.object({ name: z.string(), input: z.unknown() });
export const rpcReplySchema = z.lazy(() =>
  z.union([
    z.object({ ok: z.literal(true), value: z.unknown() }),
    z.object({ ok: z.literal(false), error: appErrorSchema }),
  ]),
);
export type RpcReply = z.infer<typeof rpcReplySchema>;

/**
 * Queries with large answers that are repeated after each change of a workflow file. Their answers reach the window as
 * text: each process on the way would copy about ten thousand objects, and the window can compare the text at once.
 */
export const LARGE_ANSWERS: ReadonlySet<string> = new Set([
  'workflow.list',
  'workflow.get',
  'workflow.check',
  'workflow.templates',
]);

/** The same reply with its value as text. */
export const packedReply = (reply: RpcReply): RpcReply =>
  reply.ok ? { ok: true, value: { packed: JSON.stringify(reply.value) } } : reply;

/** The text of a packed value; null for one that came as it is, as from the core of another program. */
export const packedText = (value: unknown): string | null =>
  packedSchema.safeParse(value).data?.packed ?? null;
const packedSchema = lazyStrictObject(() => ({ packed: z.string() }));

/** `run:ID` and `stream:ID` follow one run; the other topics are global. */
export const topicSchema = z
  .string()
  .regex(
    /^(runs|gates|attention|feed|deliveries|pulls|hosts|settings|profiles|rules|system|workflows|run:\d+|stream:\d+)$/,
  );
export type Topic = string;

/** A run topic: its pushes go from our own core straight to the window, bypassing main. */
export const isOfRun = (topic: Topic): boolean => topic.startsWith('run:') || topic.startsWith('stream:');

/** The window's topics; replaces the previous ones. */
export const subscribeSchema = z.object({ topics: z.array(topicSchema).max(64) });

/** The topic of a push. */
export const pushTopic = (push: { readonly topic: string; readonly runId?: number }): Topic =>
  push.topic === 'run' || push.topic === 'stream' ? `${push.topic}:${push.runId}` : push.topic;
