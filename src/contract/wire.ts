import { z } from 'zod';
import { appErrorSchema } from './errors';

/**
 * The forms of what crosses between processes, without what each procedure takes and gives (ipc.ts): who only hands
 * messages on is spared the making of some hundred schemas.
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

/** `run:ID` and `stream:ID` follow one run; the others are whole. */
export const topicSchema = z
  .string()
  .regex(
    /^(runs|gates|attention|feed|deliveries|settings|profiles|rules|system|workflows|run:\d+|stream:\d+)$/,
  );
export type Topic = string;

/** Follows one run: what the core of our own tells the window itself, over a line past main. */
export const isOfRun = (topic: Topic): boolean => topic.startsWith('run:') || topic.startsWith('stream:');

/** The topics that a window wants; replaces what it wanted before. */
export const subscribeSchema = z.object({ topics: z.array(topicSchema).max(64) });

/** The topic on which something is told. */
export const pushTopic = (push: { readonly topic: string; readonly runId?: number }): Topic =>
  push.topic === 'run' || push.topic === 'stream' ? `${push.topic}:${push.runId}` : push.topic;
