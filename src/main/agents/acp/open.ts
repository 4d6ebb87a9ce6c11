import { plainSecrets } from '@areas/agents/contract/plain-secrets';
import { secretNamesOf } from '@areas/agents/contract/secret-names';
import { type AppError, appError } from '@contract/errors';
import { ownValue } from '@contract/own';
import { err, ok, type Result } from '@contract/result';
import type { WorkspaceFiles } from '../../core/ports/files';
import type { Clock, Logger, Session, SessionListener, SessionSpec } from '../../core/ports/ports';
import type { AcpLaunch, OpenAcp } from '../../core/ports/programs/acp';
import type { Processes } from '../../core/ports/programs/process';
import type { TerminalPort } from '../../core/ports/programs/terminal';
import { describeExit, type FailureContext, hostDeath, keyNameOf, startError } from '../failure';
import { type OwnFolders, ownFolders } from '../own-folders';
import { redactTexts } from '../redact';
import { ClientHost } from './connection/client-host';
import { Connection, ConnectionClosed } from './connection/connection';
import { converse, type Greeting, greet, readyOf, settle, Unusable } from './connection/handshake';
import { TerminalHost } from './connection/terminal-host';
import { Transport } from './connection/transport';
import { replyFailure } from './failure';
import { knownAgent } from './known-agents';
import { type AcpLimits, defaultLimits } from './limits';
import { choicesOf } from './permission/choices';
import { type Start, startOf } from './permission/launch-mode';
import { AcpSession } from './session';

export interface AcpDependencies {
  readonly processes: Processes;
  readonly terminals: TerminalPort;
  readonly files: WorkspaceFiles;
  readonly logger: Logger;
  readonly clock: Pick<Clock, 'now'>;
  readonly limits?: Partial<AcpLimits>;
  /** Agents run on another machine, whose files and terminals Muster does not offer. */
  readonly onHost?: boolean;
}

class TookTooLong extends Error {}
class Unwanted extends Error {}

/** One start of an agent: what is needed on the way, and what is known if it fails. */
class Opening {
  readonly #launch: AcpLaunch;
  readonly #spec: SessionSpec;
  readonly #listener: SessionListener;
  readonly #limits: AcpLimits;
  #env: Readonly<Record<string, string>>;
  readonly #redact: (text: string) => string;
  #greeting: Greeting | null = null;

  constructor(
    private readonly deps: AcpDependencies,
    wanted: { launch: AcpLaunch; spec: SessionSpec; listener: SessionListener },
  ) {
    this.#launch = wanted.launch;
    this.#spec = wanted.spec;
    this.#listener = wanted.listener;
    this.#limits = {
      ...defaultLimits,
      ...deps.limits,
      ...(wanted.launch.inOrder === true ? { lateMs: 0 } : {}),
    };
    const { profile } = wanted.spec;
    this.#env = { ...wanted.launch.env, ...profile.env, ...wanted.spec.env };
    this.#redact = redactTexts(profile.secrets.map((name) => ownValue(this.#env, name) ?? ''));
  }

  async open(): Promise<Result<Session>> {
    const { processes, files } = this.deps;
    const { cwd, key, profile, projectPath } = this.#spec;
    const ownCheckout = this.#spec.ownCheckout === true || (await files.same(cwd, projectPath));
    const start = startOf(profile, {
      mode: this.#spec.mode ?? profile.mode ?? null,
      permissions: profile.permissions,
      readOnly: profile.read_only,
      // Testing a profile has no project except its own folder.
      ownCheckout: ownCheckout && this.#spec.runId !== 0,
    });
    if (!start.ok) return start;
    this.#env = start.value.firm
      ? { ...this.#env, ...start.value.env }
      : { ...start.value.env, ...this.#env };
    const command = await processes.find(this.#launch.command, { path: this.#env.PATH, cwd });
    if (command === null) return err(this.#notInstalled());
    const terminals = this.#terminals();
    const folders = this.deps.onHost === true ? null : await ownFolders(this.#spec, files);
    const host = this.#host(terminals, ownCheckout, folders);
    const transport = new Transport(host, this.#limits.maxLineBytes);
    const { args } = this.#launch;
    const output = transport.output;
    const started = await processes.launch({
      command,
      args,
      cwd,
      env: this.#env,
      owner: key,
      stdin: 'pipe',
      output,
    });
    if (!started.ok) return err({ ...started.error, code: 'agent.start_failed' });
    const connection = new Connection(started.value, transport, host);
    try {
      return ok(
        await this.#withinTime(
          this.#shakeHands({ connection, host, terminals, folders, start: start.value }),
        ),
      );
    } catch (error) {
      const failure = await this.#failure(error, connection);
      await started.value.end();
      return err(failure);
    }
  }

  async #shakeHands(made: {
    connection: Connection;
    host: ClientHost;
    terminals: TerminalHost;
    folders: OwnFolders | null;
    start: Start;
  }): Promise<Session> {
    const { connection, folders, host, start } = made;
    const spec = this.#spec;
    const reads = this.deps.onHost !== true && knownAgent(spec.profile)?.clientFiles !== false;
    const offer = { files: reads, mayWrite: folders !== null };
    this.#greeting = await greet(connection, this.#launch, offer);
    const conversation = await converse(connection, this.#greeting, {
      spec,
      launch: this.#launch,
      folders: folders === null ? [] : [...folders.repository, folders.artifacts],
      mcpServers: [...(await this.#mcpServers()), ...ownTools(spec, this.#greeting.mcpOverHttp)],
      attach: (sessionId) => host.attach(sessionId),
    });
    await made.terminals.begin(conversation.fresh ? 'new' : 'earlier');
    const { mode, named } = start;
    const wanted = { mode, named, model: spec.model ?? spec.profile.model ?? null };
    const settled = await settle(connection, conversation, wanted);
    const notices = [...(start.notice === null ? [] : [start.notice]), ...settled];
    return new AcpSession({
      ...made,
      ready: readyOf(this.#greeting, conversation, { agent: this.#name(), notices }),
      sessionId: conversation.sessionId,
      choices: choicesOf(conversation.settings),
      followsUp: !this.#greeting.continuesAfterRefusal,
      spec,
      listener: this.#listener,
      files: this.deps.files,
      limits: this.#limits,
      failureContext: () => this.#context(),
    });
  }

  #terminals(): TerminalHost {
    const { key, cwd, artifactsDir, profile, sessionId } = this.#spec;
    const outputBase = `${artifactsDir}/terminals/s${sessionId}`;
    const secrets = [...secretNamesOf(profile), ...plainSecrets(profile)];
    const options = { owner: key, cwd, env: this.#env, secrets, outputBase };
    return new TerminalHost(this.deps.terminals, options);
  }

  #host(terminals: TerminalHost, ownCheckout: boolean, folders: OwnFolders | null): ClientHost {
    const { artifactsDir, cwd, key, profile } = this.#spec;
    const { files, logger } = this.deps;
    return new ClientHost({
      key,
      policy: { permissions: profile.permissions, readOnly: profile.read_only, ownCheckout },
      cwd,
      roots: [cwd, artifactsDir],
      unasked: folders === null ? [] : [folders.artifacts],
      files,
      terminals,
      listener: this.#listener,
      logger,
      redact: this.#redact,
      lateMs: this.#limits.lateMs,
    });
  }

  async #mcpServers(): Promise<object[]> {
    return Promise.all(
      this.#launch.mcpServers.map(async ({ name, command, args, env }) => ({
        name,
        command: (await this.deps.processes.find(command, { path: this.#env.PATH })) ?? command,
        args,
        env: Object.entries(env).map(([key, value]) => ({ name: key, value })),
      })),
    );
  }

  async #withinTime<T>(work: Promise<T>): Promise<T> {
    let timer: ReturnType<typeof setTimeout> | undefined;
    const late = new Promise<never>((_, reject) => {
      timer = setTimeout(() => reject(new TookTooLong()), this.#limits.startMs);
      void this.#spec.unwanted?.then(() => reject(new Unwanted()));
    });
    try {
      return await Promise.race([work, late]);
    } finally {
      clearTimeout(timer);
      // Pending requests fail when the process is ended; nothing waits for them.
      work.catch(() => {});
    }
  }

  async #failure(error: unknown, connection: Connection): Promise<AppError> {
    const { process } = connection;
    const start = (what: string) => startError(what, process.stderrTail(), this.#context());
    if (error instanceof Unwanted)
      return appError('cancelled', `${this.#name()} was ended while it was starting.`);
    if (error instanceof TookTooLong) return start(`was not ready within ${this.#limits.startMs / 1000} s`);
    if (error instanceof Unusable) {
      return {
        ...start(error.message),
        mend: 'Change the agent profile, or use another version of the agent.',
      };
    }
    if (error instanceof ConnectionClosed) {
      const exit = await process.exited;
      const died = hostDeath(exit);
      if (died !== null) return appError('unavailable', `${this.#name()} was not started: ${died}.`);
      return start(`${describeExit(exit)} before the session was open`);
    }
    const failure = replyFailure(error, this.#context()).error;
    return failure.code === 'agent.failed' ? { ...failure, code: 'agent.start_failed' } : failure;
  }

  #name(): string {
    return this.#launch.label ?? this.#greeting?.agent ?? this.#spec.profile.name;
  }

  #context(): FailureContext {
    return {
      agent: this.#name(),
      login: this.#greeting?.login ?? this.#launch.loginCommand,
      key: keyNameOf(this.#spec.profile),
      now: () => this.deps.clock.now(),
      redact: this.#redact,
    };
  }

  #notInstalled(): AppError {
    const { command, install } = this.#launch;
    return appError('agent.not_installed', `${command} is not installed, or not on PATH.`, { mend: install });
  }
}

/** Opens sessions with agents that use the Agent Client Protocol. */
export function createOpenAcp(deps: AcpDependencies): OpenAcp {
  return (launch, spec, listener) => new Opening(deps, { launch, spec, listener }).open();
}

/**
 * Muster's own tools for the session: over HTTP if the agent supports it, else through the bridge program.
 */
function ownTools({ tools }: SessionSpec, overHttp: boolean): object[] {
  if (tools == null) return [];
  const pairs = (values: Readonly<Record<string, string>>) =>
    Object.entries(values).map(([name, value]) => ({ name, value }));
  if (overHttp) return [{ type: 'http', name: tools.name, url: tools.url, headers: pairs(tools.headers) }];
  const { command, args, env } = tools.bridge;
  return [{ name: tools.name, command, args: [...args], env: pairs(env) }];
}
