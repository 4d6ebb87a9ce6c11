import { z } from 'zod';
import { deliverySettingsSchema } from '../delivery/target';
import { terminalNameSchema } from '../ids';

const unsteadySchema = z.object({ times: z.number(), since: z.number(), last: z.string() });
/** A process that ended again and again and was started again each time: how often, since when, and of what the last time. */
export type Unsteady = z.infer<typeof unsteadySchema>;

/** What runs now, for the status bar. Every word is observed: `since` says from when. */
export const systemStatusSchema = z.lazy(() =>
  z.object({
    core: z.object({
      state: z.enum(['starting', 'running', 'restarting', 'failed', 'attached']),
      since: z.number(),
      detail: z.string().nullable(),
      pid: z.number().nullable(),
      restarts: z.number(),
      unsteady: unsteadySchema.nullable().default(null),
    }),
    ptyHost: z.object({
      state: z.enum(['starting', 'running', 'restarting', 'failed', 'none']),
      since: z.number(),
      detail: z.string().nullable(),
      unsteady: unsteadySchema.nullable().default(null),
    }),
    store: z.object({
      state: z.enum(['ok', 'failing', 'opening']),
      since: z.number(),
      detail: z.string().nullable(),
      path: z.string(),
      bytes: z.number(),
      /** Of these, what nothing is in any more: it is written over before the file grows. */
      freeBytes: z.number().default(0),
    }),
    live: z.object({
      runs: z.number(),
      sessions: z.number(),
      turns: z.number(),
      commands: z.number(),
      gates: z.number(),
      /** When the next of the turns is sent again that wait for the end of a provider's limit. */
      limitEndsAt: z.number().nullable().default(null),
    }),
    spendToday: z.object({
      tokens: z.number(),
      costUsd: z.number(),
      untoldTurns: z.number(),
      /** Turns whose cost was not reported: without any other, the cost is unknown, not zero. */
      costUnreported: z.number().default(0),
    }),
    /** The next thing that will happen by itself. */
    next: z.object({ at: z.number(), what: z.string(), runId: z.number() }).nullable(),
    /** Things the operator was to be told at the start: a damaged database set aside, a backup taken. */
    notices: z.array(
      z.object({
        id: z.string(),
        level: z.enum(['info', 'warning', 'error']),
        text: z.string(),
        /** The change of a checkout that it is about: it can be finished or rolled back. */
        checkout: z.string().optional(),
      }),
    ),
  }),
);
export type SystemStatus = z.infer<typeof systemStatusSchema>;

/** Settings that the core and the window share. Unknown keys are refused. */
export const settingsSchema = z.lazy(() =>
  z.strictObject({
    theme: z.enum(['system', 'light', 'dark']).default('system'),
    density: z.enum(['normal', 'dense']).default('normal'),
    defaultProfile: z.string().nullable().default(null),
    editorCommand: z.string().default(''),
    notifyGates: z.boolean().default(true),
    notifyFailures: z.boolean().default(true),
    notifyFinished: z.boolean().default(false),
    /** Minutes after which what needs the operator is told once more; 0: never. */
    remindMinutes: z.number().int().min(0).max(1440).default(30),
    keepInTray: z.boolean().default(true),
    /** Seconds the window holds a decision before it sends it. */
    undoSeconds: z.number().int().min(0).max(60).default(5),
    /** What one terminal's output, and what that of all terminals together, may take on disk. */
    terminals: z
      .strictObject({
        terminalMb: z.number().int().min(1).max(65_536),
        totalMb: z.number().int().min(10).max(1_048_576),
      })
      .default({ terminalMb: 256, totalMb: 5120 }),
    httpApi: z
      .strictObject({ enabled: z.boolean(), port: z.number().int().min(0).max(65535) })
      .default({ enabled: false, port: 0 }),
    /** Where updates are sent beside the feed. */
    deliveries: deliverySettingsSchema.default({ targets: [], giveUpDays: 7 }),
    keys: z.record(z.string(), z.string()).default({}),
  }),
);
export type Settings = z.infer<typeof settingsSchema>;

/** Some settings, to be changed. Without their defaults, which would take the place of all that is left out. */
export const settingsChangeSchema = z.lazy(() => {
  const { shape } = settingsSchema.unwrap();
  const fields = {
    theme: shape.theme.unwrap(),
    density: shape.density.unwrap(),
    defaultProfile: shape.defaultProfile.unwrap(),
    editorCommand: shape.editorCommand.unwrap(),
    notifyGates: shape.notifyGates.unwrap(),
    notifyFailures: shape.notifyFailures.unwrap(),
    notifyFinished: shape.notifyFinished.unwrap(),
    remindMinutes: shape.remindMinutes.unwrap(),
    keepInTray: shape.keepInTray.unwrap(),
    undoSeconds: shape.undoSeconds.unwrap(),
    terminals: shape.terminals.unwrap(),
    httpApi: shape.httpApi.unwrap(),
    deliveries: shape.deliveries.unwrap(),
    keys: shape.keys.unwrap(),
  } satisfies Record<keyof Settings, z.ZodType>;
  return z.strictObject(fields).partial();
});

const empty = z.object({});

export const systemProcedures = {
  'system.status': { input: empty, output: systemStatusSchema },
  'system.dismissNotice': { input: z.lazy(() => z.object({ id: z.string() })), output: empty },
  'settings.get': { input: empty, output: settingsSchema },
  'settings.set': {
    input: z.lazy(() => z.object({ settings: settingsChangeSchema })),
    output: settingsSchema,
  },
  /** Goes on with all runs that were left unfinished; a core that was started for one command has not done so. */
  'system.takeUp': { input: empty, output: empty },
  /** Parks every live session and stops taking work, before the app quits. */
  'system.park': { input: z.lazy(() => z.object({ stop: z.boolean() })), output: empty },
} as const;

/** Answered by Electron's main process, not by the core. */
export const mainProcedures = {
  'app.info': {
    input: empty,
    output: z.lazy(() =>
      z.object({
        version: z.string(),
        electron: z.string(),
        standIn: z.boolean(),
        dataDir: z.string(),
        platform: z.string(),
        apiAddress: z.string().nullable(),
        /** The file with the licences of third-party packages; null if the app is not packed. */
        noticesPath: z.string().nullable(),
      }),
    ),
  },
  'app.pickFolder': {
    input: z.lazy(() => z.object({ title: z.string() })),
    output: z.lazy(() => z.object({ path: z.string().nullable() })),
  },
  'app.pickFiles': {
    input: z.lazy(() => z.object({ title: z.string() })),
    output: z.lazy(() => z.object({ paths: z.array(z.string()) })),
  },
  'app.saveAs': {
    input: z.lazy(() => z.object({ title: z.string(), name: z.string() })),
    output: z.lazy(() => z.object({ path: z.string().nullable() })),
  },
  'app.openInEditor': {
    input: z.lazy(() => z.object({ path: z.string(), line: z.number().int().positive().optional() })),
    output: empty,
  },
  /** Another try for a process that was given up, or a fresh one in place of one that is stuck. */
  'app.restartProcess': {
    input: z.lazy(() => z.object({ process: z.enum(['core', 'ptyHost']) })),
    output: empty,
  },
  'app.revealInFolder': { input: z.lazy(() => z.object({ path: z.string() })), output: empty },
  'app.copyText': { input: z.lazy(() => z.object({ text: z.string() })), output: empty },
  /** Sends the window a port to a terminal, under the number that it chose. */
  'terminal.open': {
    input: z.lazy(() =>
      z.object({ runId: z.number().int(), name: terminalNameSchema, view: z.string().max(100) }),
    ),
    output: empty,
  },
  'app.setLayout': { input: z.lazy(() => z.object({ key: z.string(), value: z.json() })), output: empty },
  'app.getLayout': { input: empty, output: z.lazy(() => z.record(z.string(), z.json())) },
  'secret.list': {
    input: empty,
    output: z.lazy(() =>
      z.object({ available: z.boolean(), names: z.array(z.string()), why: z.string().nullable() }),
    ),
  },
  'secret.set': {
    input: z.lazy(() => z.object({ name: z.string().regex(/^[A-Za-z_][A-Za-z0-9_]*$/), value: z.string() })),
    output: empty,
  },
  'secret.remove': { input: z.lazy(() => z.object({ name: z.string() })), output: empty },
} as const;
