import { z } from 'zod';
import { appErrorSchema } from '../errors';
import type { Push, RoutedPush } from '../ipc';
import { rpcReplySchema, topicSchema } from '../wire';
import { systemStatusSchema } from './procedures';

/**
 * The wire between the core and its host: Electron's main process over a utility process's port, the command
 * line in its own process, another program over the local socket (`socket*` below). One message, one object.
 */

/** Values of the keychain by name. They travel in memory only and are kept in memory only. */
const secretsSchema = z.record(z.string(), z.string());

/** The name of the key of answer tokens among these. An operator cannot give a secret this name. */
export const ANSWER_KEY = 'muster.answer-key';

/** How to run a plain Node script in this installation: Electron's own executable needs ELECTRON_RUN_AS_NODE. */
const nodeRuntimeSchema = z.lazy(() =>
  z.object({ execPath: z.string(), env: z.record(z.string(), z.string()) }),
);

/** The first message to a core. Everything that it needs to know of the world is in it. */
const coreInitSchema = z.lazy(() =>
  z.object({
    kind: z.literal('init'),
    version: z.string(),
    dataDir: z.string(),
    dbPath: z.string(),
    /** New at each start of the host: marks the processes that this instance starts. */
    instanceId: z.string(),
    resourcesDir: z.string(),
    /** out/main: where the files of the other processes lie (`scripted-agent.js`). */
    processDir: z.string(),
    nodeRuntime: nodeRuntimeSchema,
    secrets: secretsSchema,
    /** The file, in the data folder, in which the core writes the address and token of its local socket. */
    socket: z.object({ endpointFile: z.string() }),
    /** The host has a keychain, and makes the key of answer tokens in it when it is asked to. */
    keychain: z.boolean().optional(),
    /** The process of the host, where it starts the core again when that dies. */
    hostPid: z.number().int().optional(),
  }),
);
export type CoreInit = z.infer<typeof coreInitSchema>;

const coreCallSchema = z.lazy(() =>
  z.object({
    kind: z.literal('rpc'),
    id: z.number().int(),
    name: z.string(),
    input: z.unknown(),
  }),
);
/** Replaces what was subscribed before. */
const coreSubscribeSchema = z.lazy(() =>
  z.object({
    kind: z.literal('subscribe'),
    topics: z.array(topicSchema).max(512),
  }),
);

/**
 * To the core. A `pty` message carries one end of a channel to a pty host as its only port, a `line` message one of a
 * channel to the window's page; each replaces the one before. `processes` is what the host knows of the processes, for `system.status`.
 */
export const toCoreSchema = z.lazy(() =>
  z.discriminatedUnion('kind', [
    coreInitSchema,
    coreCallSchema,
    coreSubscribeSchema.unwrap().extend({
      /** What is told on the line to the window, and not to main. */
      line: z.array(topicSchema).max(512).optional(),
    }),
    z.object({ kind: z.literal('line') }),
    z.object({ kind: z.literal('secrets'), secrets: secretsSchema }),
    z.object({ kind: z.literal('pty') }),
    z.object({
      kind: z.literal('processes'),
      ptyHost: systemStatusSchema.unwrap().shape.ptyHost,
      restarts: z.number(),
    }),
    /** The machine woke up: timers are read again. */
    z.object({ kind: z.literal('wake') }),
    /** Parks every session (`stop`: ends every run), closes the store, answers `stopped` and exits. */
    z.object({ kind: z.literal('shutdown'), stop: z.boolean() }),
  ]),
);
export type ToCore = z.infer<typeof toCoreSchema>;

/** A push is routed by its topic and read by the window, which checks the rest of it. */
const routeSchema = z.lazy(() => z.looseObject({ topic: z.string(), runId: z.number().optional() }));
const isRouted = (push: unknown): boolean => routeSchema.safeParse(push).success;
const routedPushSchema = z.custom<Push>(isRouted);

/** From the core. Nothing is answered before `ready`. */
export const fromCoreSchema = z.lazy(() =>
  z.discriminatedUnion('kind', [
    z.object({
      kind: z.literal('ready'),
      pid: z.number().int(),
      version: z.string(),
      apiAddress: z.string().nullable(),
    }),
    /**
     * The core cannot start or continue, and exits. It is not started again by itself, except that `store.locked` makes the
     * host look for the core that holds the database.
     */
    z.object({ kind: z.literal('fatal'), error: appErrorSchema }),
    z.object({ kind: z.literal('reply'), id: z.number().int(), reply: rpcReplySchema }),
    z.object({ kind: z.literal('push'), pushes: z.array(routedPushSchema) }),
    /** The same from the core that main hosts itself. */
    z.object({ kind: z.literal('packed'), pushes: z.array(z.custom<RoutedPush>(isRouted)) }),
    /** The address of the HTTP API after it was switched on or off. */
    z.object({ kind: z.literal('api'), address: z.string().nullable() }),
    /** A key for answer tokens is needed in the keychain; it comes with the next `secrets`. */
    z.object({ kind: z.literal('answer-key') }),
    z.object({ kind: z.literal('stopped') }),
  ]),
);
export type FromCore = z.infer<typeof fromCoreSchema>;

/** What is in the endpoint file (mode 0600): the socket's path or the pipe's name, and the token to say first. */
export const socketEndpointSchema = z.lazy(() =>
  z.object({
    path: z.string(),
    token: z.string().min(16),
    pid: z.number().int(),
    version: z.string(),
    /** The database that it works on. */
    dbPath: z.string().optional(),
    /** The process that starts it again when it dies; in its terminals live on what the next core takes up. */
    host: z.number().int().optional(),
  }),
);
export type SocketEndpoint = z.infer<typeof socketEndpointSchema>;
export const socketEndpointFile = 'core-endpoint.json';

/** The socket speaks JSON lines. A client's first line; the core answers with `ready`, or with `fatal` and the end. */
export const socketHelloSchema = z.object({ token: z.string() });
/** All other lines of a client. The core's are those of `fromCoreSchema` without `stopped`. */
export const socketLineSchema = z.discriminatedUnion('kind', [coreCallSchema, coreSubscribeSchema]);
export type SocketLine = z.infer<typeof socketLineSchema>;
