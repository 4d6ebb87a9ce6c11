import { join } from 'node:path';
import type { Push, RoutedPush, RpcReply } from '@contract/ipc';
import { ANSWER_KEY, type CoreInit, socketEndpointFile } from '@contract/system/host';
import { type Settings, type SystemStatus, settingsSchema } from '@contract/system/procedures';
import { app, type IpcMainEvent, nativeTheme } from 'electron';
import { z } from 'zod';
import { rpcServer } from '../ipc/rpc';
import type { WindowServer } from '../ipc/serve';
import { Subscriptions } from '../ipc/subscriptions';
import { LATE_START_MS, PRESENCE_CHECK_MS, QUIT_ASK_MS } from '../limits/main';
import type { Log, Transport } from '../supervise/transport';
import type { OpenedWindow } from '../windows/main-window';
import { Attention } from './attention/attention';
import { showCount, systemNotifications } from './attention/notifications';
import { Notifier } from './attention/notifier';
import type { TrayHandle } from './attention/tray';
import { ConsoleWindow } from './console-window';
import { placeOf } from './launch';
import { setMenu } from './menu';
import type { Places } from './places';
import { mayBeThere, WakeLock, watchPower } from './power';
import { mainHandlers } from './procedures';
import { Processes } from './processes/processes';
import { Quit } from './quit';
import { startAsUsual } from './safe-mode';
import { Safety, type SafetyOptions } from './safety';
import { JsonFile } from './stored/json-file';
import { systemKeychain } from './stored/keychain';
import { Layout } from './stored/layout';
import { logFault } from './stored/log-file';
import { Secrets } from './stored/secrets';
import { type DesktopState, desktopStateSchema, firstDesktopState } from './stored/state-file';
import { keepsAwake } from './wake-reasons';

interface DeskOptions extends Omit<SafetyOptions, 'processes' | 'reload'> {
  readonly dbPath: string;
  readonly places: Places;
  readonly log: Log;
  /** The page's address: differs from the built page only in development. */
  readonly page: string;
  /** The first core, just started; later ones are started here. */
  readonly core: Transport;
  /** The first window, which is being positioned. */
  readonly window: OpenedWindow;
}

type Words = typeof import('./processes/core-words');

const secondSchema = z.object({ link: z.string().nullable() });

/** Main's parts and their connections. */
export class DesktopApp implements WindowServer {
  readonly answer: WindowServer['answer'];
  readonly #state: JsonFile<DesktopState>;
  readonly #layout: Layout;
  readonly #secrets: Secrets;
  readonly #console: ConsoleWindow;
  readonly #subscriptions: Subscriptions;
  readonly #processes: Processes;
  readonly #attention: Attention;
  readonly #quit: Quit;
  readonly #safety: Safety;
  readonly #wakeLock = new WakeLock();
  /** Unique among starts on this machine. Not `randomUUID`: loading node:crypto delays a start by 5 ms. */
  readonly #instanceId = `${process.pid}-${Date.now().toString(36)}-${process.hrtime.bigint().toString(36)}`;
  #tray: TrayHandle | null = null;
  #trayWanted = false;
  /** How many items need the operator. */
  #waiting = 0;
  #words: Words | null = null;
  /** How often changed settings were received. */
  #settingsHeard = 0;
  /** The window has had time to draw its first view: other work would take the processor from it. */
  readonly #rested: Promise<void>;

  constructor(private readonly options: DeskOptions) {
    const { dataDir, log } = options;
    this.#rested = options.window.painted.then(
      () => new Promise((resolve) => setTimeout(resolve, LATE_START_MS)),
    );
    const damaged = (aside: string): void =>
      this.#processes.notice('warning', `A damaged file was set aside as ${aside}.`);
    this.#safety = new Safety({
      ...options,
      processes: () => this.#processes,
      reload: () => this.#console.window?.webContents.reload(),
    });
    this.#console = this.#makeConsole();
    this.#subscriptions = this.#makeSubscriptions();
    this.#processes = this.#makeProcesses();
    this.#attention = this.#makeAttention();
    this.#state = new JsonFile({
      path: join(this.#safety.windowFolder, 'desktop.json'),
      schema: desktopStateSchema,
      fallback: firstDesktopState,
      damaged,
    });
    this.#layout = new Layout(join(this.#safety.windowFolder, 'layout.json'), damaged);
    this.#secrets = new Secrets(join(dataDir, 'secrets.json'), systemKeychain, damaged);
    this.#quit = new Quit({
      liveWork: () => this.#processes.liveWork(QUIT_ASK_MS),
      shutdown: (stop) => this.#shutdown(stop),
      answer: process.env.MUSTER_QUIT_ANSWER,
    });
    this.answer = this.#makeAnswer();
    log('info', `Muster ${app.getVersion()} on Electron ${process.versions.electron}, data in ${dataDir}`);
  }

  start(): void {
    nativeTheme.themeSource = this.#state.value.settings.theme;
    this.#subscriptions.begin();
    this.#processes.start();
    this.#safety.begin();
    this.#console.begin();
    void this.#rested.then(() => this.#startRest());
  }

  /** Work that the operator does not wait for while the window is empty. */
  #startRest(): void {
    this.#processes.startTerminals();
    this.#safety.tidy();
    this.#apply(this.#state.value.settings);
    setMenu({
      developer: !app.isPackaged,
      dataDir: this.options.dataDir,
      open: () => this.show(null),
    });
    watchPower({ woke: () => this.#processes.wake(), goingDown: () => void this.#quit.now() });
    this.#look();
    setInterval(() => this.#look(), PRESENCE_CHECK_MS);
  }

  /** Sets the topics that a window wants. Invalid messages, or those from elsewhere, are dropped. */
  subscribe(event: IpcMainEvent, raw: unknown): void {
    if (this.#console.isOurs(event)) this.#subscriptions.subscribe(event.sender.id, raw);
  }

  show(place: string | null): void {
    this.#quit.wanted(place);
    if (!this.#quit.leaving) this.#console.show(place);
  }

  /** A second Muster was started, and passed on its request. */
  showSecond(data: unknown): void {
    const second = secondSchema.safeParse(data);
    this.show(second.success ? placeOf(second.data.link ?? '') : null);
  }

  /** The system ends us: no one is asked. */
  leaveNow(): void {
    void this.#quit.now();
  }

  #makeConsole(): ConsoleWindow {
    const { places, page, log } = this.options;
    return new ConsoleWindow({
      places,
      page,
      log,
      first: this.options.window,
      state: () => this.#state.value.window,
      saved: (window) => void this.#keep({ window }),
      mayClose: () => this.#mayClose(),
      cleared: (windowId) => this.#subscriptions.forget(windowId),
      crashed: (why) => this.#processes.notice('error', why),
      shown: () => this.#tellPresence(),
    });
  }

  #look(): void {
    this.#tellPresence();
    this.#attention.look();
    this.#stayAwake(this.#processes.status());
  }

  #stayAwake(status: SystemStatus): void {
    this.#wakeLock.hold(keepsAwake(status, Date.now()));
  }

  #tellPresence(): void {
    this.#processes.windowShown(this.#console.onScreen && mayBeThere());
  }

  #makeSubscriptions(): Subscriptions {
    return new Subscriptions({
      always: ['system', 'gates', 'attention', 'runs', 'settings'],
      wanted: (wanted) => this.#processes.subscribe(wanted),
      fresh: () => this.#processes.renewLine(),
      send: (windowId, pushes) => this.#console.send(windowId, pushes),
    });
  }

  #makeProcesses(): Processes {
    const { dataDir, dbPath, places, log, core } = this.options;
    return new Processes({
      core,
      processDir: places.processes,
      dataDir,
      dbPath,
      endpointFile: join(dataDir, socketEndpointFile),
      log,
      init: () => this.#coreInit(),
      pushed: (pushes) => this.#pushed(pushes),
      crashed: (text) => this.options.starts.crashed(text),
      wantsAnswerKey: () => void this.#makeAnswerKey(),
      giveLine: (port) => this.#console.giveLine(port),
      up: () => void this.#coreUp(),
    });
  }

  #makeAttention(): Attention {
    const notifier = new Notifier({
      ...systemNotifications,
      opened: (place) => this.show(place),
      acted: ({ procedure, input }) => void this.#callCore(procedure, input),
    });
    return new Attention({
      settings: () => this.#state.value.settings,
      watched: () => this.#console.watched,
      now: () => Date.now(),
      notify: (notice) => notifier.show(notice),
      waiting: (gates) => {
        this.#waiting = gates;
        showCount(gates, this.#console.window);
        this.#tray?.showCount(gates);
      },
    });
  }

  #makeAnswer(): WindowServer['answer'] {
    return rpcServer({
      isOurs: (event) => this.#console.isOurs(event),
      main: mainHandlers({
        dataDir: this.options.dataDir,
        layout: this.#layout,
        secrets: this.#secrets,
        settings: () => this.#state.value.settings,
        window: () => this.#console.window,
        apiAddress: () => this.#processes.apiAddress,
        secretsChanged: () => this.#processes.setSecrets(this.#secrets.reveal().values),
        restart: (process) => this.#processes.restart(process),
        restoreBackup: (path) => this.#safety.restore(path),
        leaveSafeMode: () => void this.#quit.restart(startAsUsual),
        openTerminal: (runId, name) => this.#processes.openTerminal(runId, name),
      }),
      core: (name, input) => this.#callCore(name, input),
      report: (name, cause) => logFault(this.options.log, name, cause),
    });
  }

  #coreInit(): CoreInit {
    const { dataDir, dbPath, places } = this.options;
    const { values, unreadable: all } = this.#secrets.reveal();
    // The core requests another one when needed.
    const unreadable = all.filter((name) => name !== ANSWER_KEY);
    if (unreadable.length > 0) {
      this.#processes.notice(
        'warning',
        `The keychain cannot read these secrets: ${unreadable.join(', ')}. Enter them again under Agents, Secrets.`,
      );
    }
    return {
      kind: 'init',
      version: app.getVersion(),
      dataDir,
      dbPath,
      instanceId: this.#instanceId,
      resourcesDir: places.resources,
      processDir: places.processes,
      nodeRuntime: { execPath: process.execPath, env: { ELECTRON_RUN_AS_NODE: '1' } },
      secrets: values,
      keychain: true,
      ...this.#safety.coreInit(),
      socket: { endpointFile: join(dataDir, socketEndpointFile) },
      hostPid: process.pid,
    };
  }

  /** The core receives its secrets even without a keychain: then it keeps the key in a file. */
  async #makeAnswerKey(): Promise<void> {
    await this.#secrets.ensure(ANSWER_KEY);
    this.#processes.setSecrets(this.#secrets.reveal().values);
  }

  async #callCore(name: string, input: unknown): Promise<RpcReply> {
    const reply = await this.#processes.call(name, input);
    if (name === 'settings.set' && reply.ok) this.#heardSettings(reply.value);
    return reply;
  }

  /** What main itself follows is read again from each new core. */
  async #coreUp(): Promise<void> {
    this.#safety.coreUp();
    const before = this.#settingsHeard;
    const settings = await this.#processes.call('settings.get', {});
    // Settings changed meanwhile are newer than the answer.
    if (settings.ok && before === this.#settingsHeard) this.#take(settings.value);
    await this.#rested;
    const { readGates, readRuns, readBesides } = await this.#readWords();
    this.#attention.restart();
    const [gates, runs, besides] = await Promise.all([
      this.#processes.call('gate.list', { status: 'open', limit: 1000 }),
      this.#processes.call('run.list', { limit: 200 }),
      this.#processes.call('attention.list', { decisions: false }),
    ]);
    // It ended meanwhile: the next one is queried.
    if (!gates.ok || !runs.ok) return;
    const rest = besides.ok ? readBesides(besides.value) : undefined;
    this.#attention.begin(readGates(gates.value), readRuns(runs.value), rest);
  }

  #pushed(pushes: RoutedPush[]): void {
    this.#subscriptions.forward(pushes);
    for (const push of pushes) {
      if (push.topic === 'system') {
        this.#stayAwake(push.status);
        this.#attention.status(push.status);
      }
      if (push.topic === 'settings') this.#heardSettings(push.settings);
      if (push.topic === 'gates' || push.topic === 'attention' || push.topic === 'runs') this.#noteNews(push);
    }
  }

  async #readWords(): Promise<Words> {
    this.#words ??= await import('./processes/core-words');
    return this.#words;
  }

  /** Processed at once if already loaded: an answer arriving afterwards is newer. */
  #noteNews(push: Push): void {
    const note = ({ readPush }: Words): void => {
      const news = readPush(push);
      if (news !== null) this.#attention.pushed(news);
    };
    if (this.#words === null) void this.#readWords().then(note);
    else note(this.#words);
  }

  #heardSettings(raw: unknown): void {
    this.#settingsHeard += 1;
    this.#take(raw);
  }

  #take(raw: unknown): void {
    const settings = settingsSchema.safeParse(raw);
    if (!settings.success) return;
    void this.#keep({ settings: settings.data });
    this.#apply(settings.data);
  }

  #apply(settings: Settings): void {
    nativeTheme.themeSource = settings.theme;
    // Determining whether there is a tray runs a program: not while the window is drawn.
    void this.#rested.then(() => this.#setTray(settings.keepInTray));
  }

  async #setTray(wanted: boolean): Promise<void> {
    if (wanted === this.#trayWanted) return;
    this.#trayWanted = wanted;
    if (!wanted) {
      this.#tray?.remove();
      this.#tray = null;
      return;
    }
    const icon = join(this.options.places.resources, 'icon.png');
    const { createTray } = await import('./attention/tray');
    const tray = await createTray({
      icon,
      open: () => this.show(null),
      quit: () => void this.#quit.request(),
    });
    if (!this.#trayWanted) return tray?.remove();
    this.#tray = tray;
    tray?.showCount(this.#waiting);
  }

  #mayClose(): boolean {
    if (this.#quit.leaving) return true;
    // On macOS a program without a window stays in the dock.
    const stays = this.#tray !== null || process.platform === 'darwin';
    if (this.#state.value.settings.keepInTray && stays) this.#console.hide();
    else void this.#quit.request();
    return false;
  }

  async #keep(change: Partial<DesktopState>): Promise<void> {
    await this.#state.set({ ...this.#state.value, ...change }).catch((cause: unknown) => {
      this.options.log('error', `the window’s state was not saved: ${String(cause)}`);
    });
  }

  async #shutdown(stop: boolean): Promise<void> {
    this.#safety.ending();
    await this.#processes.shutdown(stop);
    await Promise.all([this.#layout.settled(), this.#state.settled()]);
    this.#wakeLock.hold(false);
    this.#tray?.remove();
  }
}
