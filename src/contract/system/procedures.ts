import { deliverySettingsSchema } from '@areas/deliveries/contract/target';
import { z } from 'zod';
import { whole } from '../bounds';
import { terminalNameSchema } from '../ids';
import { lazyObject, lazyStrictObject } from '../lazy-object';

const unsteadySchema = z.object({ times: z.number(), since: z.number(), last: z.string() });
/** A process that kept dying and was restarted each time: how often, since when, and the last cause. */
export type Unsteady = z.infer<typeof unsteadySchema>;

/** Current activity for the status bar. All values are observed; `since` says from when. */
export const systemStatusSchema = lazyObject(() => ({
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
    /** Unused part of the file, which is filled before the file grows. */
    freeBytes: z.number().default(0),
  }),
  live: z.object({
    runs: z.number(),
    sessions: z.number(),
    turns: z.number(),
    commands: z.number(),
    gates: z.number(),
    /** Steps with work in progress that is neither a turn nor a command, such as reading documents. */
    steps: z.number().default(0),
    /** When the next turn that waits for a provider's limit is resent. */
    limitEndsAt: z.number().nullable().default(null),
  }),
  spendToday: z.object({
    tokens: z.number(),
    costUsd: z.number(),
    untoldTurns: z.number(),
    /** Turns with unreported cost: if there are no others, the cost is unknown, not zero. */
    costUnreported: z.number().default(0),
  }),
  /** The next thing that will happen by itself. */
  next: z.object({ at: z.number(), what: z.string(), runId: z.number() }).nullable(),
  /** Notices about the start: a damaged database set aside, a backup taken. */
  notices: z.array(
    z.object({
      id: z.string(),
      level: z.enum(['info', 'warning', 'error']),
      text: z.string(),
      /** The interrupted checkout change in question: it can be finished or rolled back. */
      checkout: z.string().optional(),
      /** What can be done about it, besides dismissing it. */
      act: z.enum(['diagnostics', 'leaveSafeMode']).optional(),
    }),
  ),
}));
export type SystemStatus = z.infer<typeof systemStatusSchema>;

/** Settings shared by the core and the window. Unknown keys are refused. */
export const settingsSchema = lazyStrictObject(() => ({
  theme: z.enum(['system', 'light', 'dark']).default('system'),
  density: z.enum(['normal', 'dense']).default('normal'),
  rail: z.enum(['words', 'icons']).default('words'),
  /** How the lines of changes are shown: in one column, or old beside new. */
  diffLayout: z.enum(['unified', 'split']).default('unified'),
  defaultProfile: z.string().nullable().default(null),
  editorCommand: z.string().default(''),
  notifyGates: z.boolean().default(true),
  notifyFailures: z.boolean().default(true),
  notifyFinished: z.boolean().default(false),
  /** Minutes after which the operator is reminded of what needs them; 0: never. */
  remindMinutes: z.number().int().min(0).max(1440).default(30),
  keepInTray: z.boolean().default(true),
  /** Seconds for which the window holds a decision before sending it. */
  undoSeconds: z.number().int().min(0).max(60).default(5),
  /** Maximum size on disk of one terminal's output, and of all terminals together. */
  terminals: z
    .strictObject({
      terminalMb: z.number().int().min(1).max(65_536),
      totalMb: z.number().int().min(10).max(1_048_576),
    })
    .default({ terminalMb: 256, totalMb: 5120 }),
  httpApi: z
    .strictObject({ enabled: z.boolean(), port: z.number().int().min(0).max(65535) })
    .default({ enabled: false, port: 0 }),
  /** Where updates are sent in addition to the feed. */
  deliveries: deliverySettingsSchema.default({ targets: [], giveUpDays: 7 }),
  keys: z.record(z.string(), z.string()).default({}),
}));
export type Settings = z.infer<typeof settingsSchema>;

/** A partial change of settings. Without defaults, which would overwrite omitted settings. */
const settingsChangeSchema = z.lazy(() => {
  const { shape } = settingsSchema.unwrap();
  const fields = {
    theme: shape.theme.unwrap(),
    density: shape.density.unwrap(),
    rail: shape.rail.unwrap(),
    diffLayout: shape.diffLayout.unwrap(),
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
  'system.dismissNotice': { input: lazyObject(() => ({ id: z.string() })), output: empty },
  'settings.get': { input: empty, output: settingsSchema },
  'settings.set': {
    input: lazyObject(() => ({ settings: settingsChangeSchema })),
    output: settingsSchema,
  },
  /** Resumes all unfinished runs; a core that was started for a single command has not done so. */
  'system.takeUp': { input: empty, output: empty },
} as const;

/** Answered by Electron's main process, not by the core. */
export const mainProcedures = {
  'app.info': {
    input: empty,
    output: lazyObject(() => ({
      version: z.string(),
      electron: z.string(),
      standIn: z.boolean(),
      dataDir: z.string(),
      platform: z.string(),
      apiAddress: z.string().nullable(),
      /** The file with the licences of third-party packages; null if the app is not packaged. */
      noticesPath: z.string().nullable(),
    })),
  },
  'app.pickFolder': {
    input: lazyObject(() => ({ title: z.string() })),
    output: lazyObject(() => ({ path: z.string().nullable() })),
  },
  'app.pickFiles': {
    input: lazyObject(() => ({ title: z.string() })),
    output: lazyObject(() => ({ paths: z.array(z.string()) })),
  },
  'app.saveAs': {
    input: lazyObject(() => ({ title: z.string(), name: z.string() })),
    output: lazyObject(() => ({ path: z.string().nullable() })),
  },
  'app.openInEditor': {
    input: lazyObject(() => ({ path: z.string(), line: whole().positive().optional() })),
    output: empty,
  },
  /** Restarts a process that was given up on or is stuck. */
  'app.restartProcess': {
    input: lazyObject(() => ({ process: z.enum(['core', 'ptyHost']) })),
    output: empty,
  },
  /** Restarts the core on this backup. The database that is in use stays under another name. */
  'app.restoreBackup': { input: lazyObject(() => ({ path: z.string() })), output: empty },
  /** Starts Muster again as usual. */
  'app.leaveSafeMode': { input: empty, output: empty },
  'app.revealInFolder': { input: lazyObject(() => ({ path: z.string() })), output: empty },
  'app.copyText': { input: lazyObject(() => ({ text: z.string() })), output: empty },
  /** Sends the window a port to a terminal, with the number that the window chose. */
  'terminal.open': {
    input: lazyObject(() => ({
      runId: whole(),
      name: terminalNameSchema,
      view: z.string().max(100),
    })),
    output: empty,
  },
  'app.setLayout': { input: lazyObject(() => ({ key: z.string(), value: z.json() })), output: empty },
  /** Writes to the disk what the page has put into its own storage, such as drafts. */
  'app.flushStorage': { input: empty, output: empty },
  'app.getLayout': { input: empty, output: z.lazy(() => z.record(z.string(), z.json())) },
  'secret.list': {
    input: empty,
    output: lazyObject(() => ({
      available: z.boolean(),
      names: z.array(z.string()),
      why: z.string().nullable(),
    })),
  },
  'secret.set': {
    input: lazyObject(() => ({ name: z.string().regex(/^[A-Za-z_][A-Za-z0-9_]*$/), value: z.string() })),
    output: empty,
  },
  'secret.remove': { input: lazyObject(() => ({ name: z.string() })), output: empty },
} as const;
