import { appErrorSchema } from '@contract/errors';
import { lazyObject } from '@contract/lazy-object';
import { z } from 'zod';
import { hostStatsSchema } from './host';

/**
 * The protocol between the desktop's core and the host process: frames of a length and JSON. A change that an older
 * side would misread gets the next number.
 */
export const HOST_PROTOCOL = 1;

/** The first bytes that the host sends. Text before them comes from the login shell. */
export const HOST_PREAMBLE = 'MUSTER-HOST\n';

/** How programs' output is divided: as `LaunchSpec.output`. */
const outputKindSchema = z.enum(['lines', 'merged', 'split']);

const exitSchema = lazyObject(() => ({
  code: z.number().int().nullable(),
  signal: z.string().nullable(),
  host: z.enum(['guard', 'terminals']).optional(),
}));

/** One part of a path, which leads nowhere else. */
const fileName = () => z.string().regex(/^[A-Za-z0-9_][A-Za-z0-9._-]{0,199}$/);
const objectId = () => z.string().regex(/^[0-9a-f]{40,64}$/);

/** Requests by method. Those in `CHANGING` carry a key, and are done once however often they arrive. */
export const hostMethods = {
  stats: { input: z.object({}), output: hostStatsSchema },
  /** Which of these programs are installed, by name. */
  agents: {
    input: lazyObject(() => ({ programs: z.array(z.string()) })),
    output: lazyObject(() => ({ found: z.record(z.string(), z.string()) })),
  },
  'process.start': {
    input: lazyObject(() => ({
      stream: z.string(),
      command: z.string(),
      args: z.array(z.string()),
      cwd: z.string(),
      env: z.record(z.string(), z.string()),
      owner: z.string(),
      stdin: z.enum(['pipe', 'none']),
      input: z.string().nullable(),
      output: outputKindSchema,
    })),
    output: lazyObject(() => ({ pid: z.number().int() })),
  },
  /** Ends the program and everything that it started. */
  'process.end': { input: lazyObject(() => ({ stream: z.string() })), output: z.object({}) },
  /** The desktop has everything of the stream: the host forgets it. */
  'process.forget': { input: lazyObject(() => ({ stream: z.string() })), output: z.object({}) },
  /** A bare repository of a project, made if it is missing. */
  'workspace.open': {
    input: lazyObject(() => ({ project: fileName() })),
    output: lazyObject(() => ({ repository: z.string() })),
  },
  /** A folder of a run gets exactly the state of a commit in the repository, on top of `head`. */
  'workspace.put': {
    input: lazyObject(() => ({
      project: fileName(),
      folder: fileName(),
      commit: objectId(),
      head: objectId(),
      branch: z.string().nullable(),
    })),
    output: lazyObject(() => ({ path: z.string() })),
  },
  /** Saves the state of a folder under a ref. */
  'workspace.take': {
    input: lazyObject(() => ({ project: fileName(), folder: fileName(), ref: z.string() })),
    output: lazyObject(() => ({ commit: objectId(), head: objectId() })),
  },
  /** Removes folders of runs, except those of runs whose uid ends so. Their state stays in the repository. */
  'workspace.clean': {
    input: lazyObject(() => ({ keep: z.array(z.string().regex(/^[0-9a-z]{8}$/)) })),
    output: lazyObject(() => ({ removed: z.array(z.string()) })),
  },
  /** A piece of a file beside a folder, in base64; `first` begins it. */
  'files.write': {
    input: lazyObject(() => ({ folder: fileName(), name: fileName(), data: z.string(), first: z.boolean() })),
    output: lazyObject(() => ({ path: z.string() })),
  },
} as const;
export type HostMethod = keyof typeof hostMethods;
export type HostInput<M extends HostMethod> = z.output<(typeof hostMethods)[M]['input']>;
export type HostOutput<M extends HostMethod> = z.output<(typeof hostMethods)[M]['output']>;

export const CHANGING: ReadonlySet<HostMethod> = new Set([
  ...(['process.start', 'process.end', 'process.forget'] as const),
  ...(['workspace.open', 'workspace.put', 'workspace.take', 'workspace.clean', 'files.write'] as const),
]);

const methodSchema = z.enum(Object.keys(hostMethods) as [HostMethod, ...HostMethod[]]);

/** From the desktop. */
export const toHostSchema = z.lazy(() =>
  z.discriminatedUnion('kind', [
    z.object({
      kind: z.literal('hello'),
      protocol: z.number().int(),
      /** The newest core of a desktop wins: `epoch` grows with each start. */
      core: z.object({ uid: z.string(), epoch: z.number().int() }),
    }),
    z.object({
      kind: z.literal('request'),
      id: z.number().int(),
      key: z.string().nullable(),
      method: methodSchema,
      params: z.unknown(),
    }),
    /** The result of this changing request has arrived. */
    z.object({ kind: z.literal('taken'), key: z.string() }),
    /** Text for a program's standard input, numbered from 1. */
    z.object({ kind: z.literal('in'), stream: z.string(), n: z.number().int(), text: z.string() }),
    /** Everything up to this frame has arrived. */
    z.object({ kind: z.literal('acked'), stream: z.string(), n: z.number().int() }),
    /** Sends the frames after this one again. */
    z.object({ kind: z.literal('attach'), stream: z.string(), after: z.number().int() }),
  ]),
);
export type ToHost = z.infer<typeof toHostSchema>;

/** What a program did. Frames of a stream are numbered from 1; `gone` is the last. `data` is base64. */
const streamFrameSchema = z.lazy(() =>
  z.discriminatedUnion('part', [
    z.object({ part: z.enum(['out', 'err']), data: z.string() }),
    z.object({ part: z.literal('exit'), exit: exitSchema.unwrap() }),
    z.object({ part: z.literal('gone') }),
  ]),
);
export type StreamFrame = z.infer<typeof streamFrameSchema>;

/** From the host. */
export const fromHostSchema = z.lazy(() =>
  z.discriminatedUnion('kind', [
    z.object({
      kind: z.literal('hello'),
      protocol: z.number().int(),
      /** The hash of its code. */
      version: z.string(),
      /** A host process with another one has lost all streams of the former. */
      bootId: z.string(),
      node: z.string(),
      /** The streams of this desktop, and the number of the last input that was written. */
      streams: z.array(z.object({ id: z.string(), taken: z.number().int() })),
    }),
    z.object({ kind: z.literal('refused'), error: appErrorSchema.unwrap() }),
    z.object({
      kind: z.literal('response'),
      id: z.number().int(),
      result: z.union([
        z.object({ ok: z.literal(true), value: z.unknown() }),
        z.object({ ok: z.literal(false), error: appErrorSchema.unwrap() }),
      ]),
    }),
    z.object({
      kind: z.literal('frame'),
      stream: z.string(),
      n: z.number().int(),
      frame: streamFrameSchema.unwrap(),
    }),
    z.object({ kind: z.literal('acked'), stream: z.string(), n: z.number().int() }),
  ]),
);
export type FromHost = z.infer<typeof fromHostSchema>;
