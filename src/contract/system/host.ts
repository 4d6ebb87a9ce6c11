import { z } from 'zod';
import { amount, whole } from '../bounds';
import { appErrorSchema } from '../errors';
import type { Push, RoutedPush } from '../ipc';
import { lazyObject } from '../lazy-object';
import { rpcReplySchema, topicSchema } from '../wire';
import { systemStatusSchema } from './procedures';

/**
 * The protocol between the core and its host: Electron's main process over a utility process's port, the
 * command line in its own process, or another program over the local socket (`socket*` below). Each message
 * is one object.
 */

/** Keychain values by name. They are only ever sent and held in memory. */
const secretsSchema = z.record(z.string(), z.string());

/** The keychain name of the key for answer tokens. Operators cannot give a secret this name. */
export const ANSWER_KEY = 'muster.answer-key';

/** How to run a plain Node script in this installation: Electron's executable needs ELECTRON_RUN_AS_NODE. */
const nodeRuntimeSchema = lazyObject(() => ({ execPath: z.string(), env: z.record(z.string(), z.string()) }));

/** The first message to a core, with everything it needs to know about its environment. */
const coreInitSchema = lazyObject(() => ({
  kind: z.literal('init'),
  version: z.string(),
  dataDir: z.string(),
  dbPath: z.string(),
  /** New at each start of the host; marks the processes that this instance starts. */
  instanceId: z.string(),
  resourcesDir: z.string(),
  /** out/main: the folder of the other processes' scripts (`scripted-agent.js`). */
  processDir: z.string(),
  nodeRuntime: nodeRuntimeSchema,
  secrets: secretsSchema,
  /** The file in the data folder for the address and token of the core's local socket. */
  socket: z.object({ endpointFile: z.string() }),
  /** The host has a keychain and creates the key for answer tokens on request. */
  keychain: z.boolean().optional(),
  /** A backup to put in the place of the database before it is opened. */
  restore: z.string().optional(),
  /** Nothing is resumed, started, delivered or changed, and settings are the defaults. */
  safeMode: z.boolean().optional(),
  /** The host's process id, if it restarts a dead core. */
  hostPid: whole().optional(),
}));
export type CoreInit = z.infer<typeof coreInitSchema>;

const coreCallSchema = lazyObject(() => ({
  kind: z.literal('rpc'),
  id: whole(),
  name: z.string(),
  input: z.unknown(),
}));
/** Replaces the previous subscription. */
const coreSubscribeSchema = lazyObject(() => ({
  kind: z.literal('subscribe'),
  topics: z.array(topicSchema).max(512),
}));

/**
 * Messages to the core. The only port of a `pty` message leads to a pty host, that of a `line` message to the
 * window's page; each replaces the previous one. `processes` is the host's knowledge of the processes, for
 * `system.status`.
 */
export const toCoreSchema = z.lazy(() =>
  z.discriminatedUnion('kind', [
    coreInitSchema,
    coreCallSchema,
    coreSubscribeSchema.unwrap().extend({
      /** Topics that are pushed on the line to the window instead of to main. */
      line: z.array(topicSchema).max(512).optional(),
    }),
    z.object({ kind: z.literal('line') }),
    z.object({ kind: z.literal('secrets'), secrets: secretsSchema }),
    z.object({ kind: z.literal('pty') }),
    z.object({
      kind: z.literal('processes'),
      ptyHost: systemStatusSchema.unwrap().shape.ptyHost,
      restarts: amount(),
    }),
    /** The machine woke up: timers are checked again. */
    z.object({ kind: z.literal('wake') }),
    /** Parks every session (`stop`: ends every run), closes the store, answers `stopped` and exits. */
    z.object({ kind: z.literal('shutdown'), stop: z.boolean() }),
  ]),
);
export type ToCore = z.infer<typeof toCoreSchema>;

/** A push is routed by its topic; the window validates the rest. */
const routeSchema = z.lazy(() => z.looseObject({ topic: z.string(), runId: amount().optional() }));
const isRouted = (push: unknown): boolean => routeSchema.safeParse(push).success;
const routedPushSchema = z.custom<Push>(isRouted);

/** Messages from the core. Requests are answered only after `ready`. */
export const fromCoreSchema = z.lazy(() =>
  z.discriminatedUnion('kind', [
    z.object({
      kind: z.literal('ready'),
      pid: whole(),
      version: z.string(),
      apiAddress: z.string().nullable(),
    }),
    /**
     * The core cannot start or continue, and exits. It is not restarted automatically; on `store.locked` the
     * host looks for the core that holds the database.
     */
    z.object({ kind: z.literal('fatal'), error: appErrorSchema }),
    z.object({ kind: z.literal('reply'), id: whole(), reply: rpcReplySchema }),
    z.object({ kind: z.literal('push'), pushes: z.array(routedPushSchema) }),
    /** The same from the core inside main. */
    z.object({ kind: z.literal('packed'), pushes: z.array(z.custom<RoutedPush>(isRouted)) }),
    /** The address of the HTTP API after it was switched on or off. */
    z.object({ kind: z.literal('api'), address: z.string().nullable() }),
    /** Requests a key for answer tokens in the keychain; it arrives with the next `secrets`. */
    z.object({ kind: z.literal('answer-key') }),
    z.object({ kind: z.literal('stopped') }),
  ]),
);
export type FromCore = z.infer<typeof fromCoreSchema>;

/** The endpoint file (mode 0600): the socket's path or the pipe's name, and the token for the first line. */
export const socketEndpointSchema = lazyObject(() => ({
  path: z.string(),
  token: z.string().min(16),
  pid: whole(),
  version: z.string(),
  /** The database that it works on. */
  dbPath: z.string().optional(),
  /** The process that restarts a dead core; programs survive in its terminals for the next core. */
  host: whole().optional(),
}));
export type SocketEndpoint = z.infer<typeof socketEndpointSchema>;
export const socketEndpointFile = 'core-endpoint.json';

/**
 * The socket speaks JSON lines. A client's first line; the core answers with `ready`, or with `fatal` and
 * closes.
 */
export const socketHelloSchema = z.object({ token: z.string() });
/** All other lines of a client. The core's lines are those of `fromCoreSchema` except `stopped`. */
export const socketLineSchema = z.discriminatedUnion('kind', [coreCallSchema, coreSubscribeSchema]);
export type SocketLine = z.infer<typeof socketLineSchema>;
