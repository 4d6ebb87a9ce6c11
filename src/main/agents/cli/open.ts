import { randomUUID } from 'node:crypto';
import { join } from 'node:path';
import {
  fitsOwnCheckout,
  OWN_CHECKOUT_REFUSAL,
  withdrawnWords,
} from '@areas/agents/contract/permission-capabilities';
import { plainSecrets } from '@areas/agents/contract/plain-secrets';
import type { AgentProfileOf } from '@areas/agents/contract/profile';
import { secretNamesOf } from '@areas/agents/contract/secret-names';
import type { Capabilities } from '@areas/sessions/contract/session';
import { type AppError, appError } from '@contract/errors';
import { ownValue } from '@contract/own';
import { err, fail, ok, type Result } from '@contract/result';
import { z } from 'zod';
import type { WorkspaceFiles } from '../../core/ports/files';
import type {
  Clock,
  Logger,
  Reattached,
  Session,
  SessionListener,
  SessionReady,
  SessionSpec,
  SessionsPast,
} from '../../core/ports/ports';
import type { InteractivePort, ProgramFiles } from '../../core/ports/programs/interactive';
import type { Processes } from '../../core/ports/programs/process';
import { describeExit, type FailureContext, hostDeath, keyNameOf, startError } from '../failure';
import { chooseMode, isFirm, type LaunchPolicy } from '../modes';
import { type OwnFolders, ownFolders } from '../own-folders';
import { redactTexts } from '../redact';
import { type CliLimits, defaultLimits } from './limits';
import { INBOX } from './program/helper';
import { type CliPreset, presetOf, type StartPlan } from './program/presets';
import { AgentProgram, type ProgramParts, pause } from './program/program';
import { CliSession, type CliSessionParts } from './session';
import { type KeptTurn, readKept, wayOf } from './session-record';
import { lastWords } from './turn/answer';
import { promptText } from './turn/typing';

export interface CliDependencies {
  readonly processes: Pick<Processes, 'find'>;
  readonly terminals: InteractivePort;
  readonly files: Pick<WorkspaceFiles, 'readText' | 'real' | 'writeText'>;
  readonly logger: Logger;
  readonly clock: Pick<Clock, 'now'>;
  readonly limits?: Partial<CliLimits>;
}

const keptSchema = z.object({ session: z.string() });

const IN_USE = /already (in use|running|open)|in use by|is locked|another process/i;

/** The file beside a session's terminal with data for its next start. */
const KEPT = 'session.json';
const NOTHING_SHOWN = { lines: [], cols: 0 };

interface Arrived {
  readonly plan: StartPlan;
  readonly token: string;
  readonly fresh: boolean;
  readonly notice: string | null;
}

/** One start of an agent: what is needed on the way, and what is known if it fails. */
export class Opening {
  readonly #preset: CliPreset;
  readonly #limits: CliLimits;
  readonly #env: Readonly<Record<string, string>>;
  readonly #base: string;
  readonly #context: FailureContext;

  constructor(
    private readonly deps: CliDependencies,
    private readonly wanted: {
      readonly spec: SessionSpec;
      readonly profile: AgentProfileOf<'cli'>;
      readonly listener: SessionListener;
    },
  ) {
    const { profile, spec } = wanted;
    this.#preset = presetOf(profile);
    this.#limits = { ...defaultLimits, ...deps.limits };
    this.#env = { ...profile.env, ...spec.env };
    // A session's first terminal is its shell; if it has none, the agent's.
    this.#base = join(spec.artifactsDir, 'terminals', `s${spec.sessionId}-0`);
    this.#context = {
      agent: this.#preset.id === 'generic' ? profile.name : this.#preset.name,
      login: profile.login_command ?? this.#preset.login,
      key: keyNameOf(profile),
      now: () => deps.clock.now(),
      redact: redactTexts(profile.secrets.map((name) => ownValue(this.#env, name) ?? '')),
    };
  }

  async open(): Promise<Result<Session>> {
    const { profile, spec } = this.wanted;
    const { resume } = spec;
    const withdrawn = withdrawnWords(profile);
    if (withdrawn !== null) return fail('agent.refused', withdrawn.message, { mend: withdrawn.mend });
    if (this.#launchPolicy.ownCheckout && !fitsOwnCheckout(profile)) {
      const { message, mend } = OWN_CHECKOUT_REFUSAL;
      return fail('agent.refused', message(profile.name), { mend });
    }
    if (resume === null) return this.#start(null, null);
    const begins = `${this.#context.agent} starts a new conversation`;
    if (!this.#preset.resumes && profile.resume_args === undefined)
      return this.#start(null, `${begins}: it cannot resume an earlier one.`);
    const earlier = resume.providerSessionId ?? (await this.#kept());
    if (earlier === null) return this.#start(null, `${begins}: it knows nothing of the earlier one.`);
    let taken = await this.#start(earlier, null);
    // The earlier process may still be ending.
    if (!taken.ok && IN_USE.test(taken.error.message)) {
      await pause(this.#limits.killMs * 2);
      taken = await this.#start(earlier, null);
    }
    if (taken.ok || taken.error.code !== 'agent.start_failed') return taken;
    this.deps.logger.info('a terminal agent did not resume', { why: taken.error.message });
    return this.#start(null, `${begins}: the earlier one could not be loaded (${taken.error.message}).`);
  }

  async #start(resume: string | null, notice: string | null): Promise<Result<Session>> {
    const { profile, spec } = this.wanted;
    const { cwd } = spec;
    const command = await this.deps.processes.find(profile.command, { path: this.#env.PATH, cwd });
    if (command === null) return err(this.#notInstalled());
    const token = randomUUID();
    const plan = this.#plan({ resume, token, folders: await ownFolders(spec, this.deps.files) });
    const wish = {
      ...this.#files,
      owner: spec.key,
      command,
      cwd,
      files: plan.files,
      args: [...plan.args, ...profile.args, ...this.#resumeArgs(resume)],
      secrets: [...secretNamesOf(profile), ...plainSecrets(profile)],
      env: isFirm(this.#launchPolicy) ? { ...this.#env, ...plan.env } : { ...plan.env, ...this.#env },
    };
    const started = await AgentProgram.start(this.deps.terminals, wish, this.#partsOf(token));
    if (!started.ok) return started;
    return this.#arrive(started.value, { plan, token, fresh: resume === null, notice });
  }

  get #files(): ProgramFiles {
    return { outputPath: `${this.#base}.log`, folder: `${this.#base}.agent`, inbox: INBOX };
  }

  #partsOf(token: string): ProgramParts {
    const now = (): number => this.deps.clock.now();
    return { preset: this.#preset, limits: this.#limits, token, now };
  }

  async #arrive(program: AgentProgram, how: Arrived): Promise<Result<Session>> {
    let wanted = true;
    void this.wanted.spec.unwanted?.then(() => {
      wanted = false;
    });
    const arrived = await program.arrival(this.#limits.startMs, () => wanted);
    const words = lastWords(program.screen().lines);
    if (arrived === 'exited' || arrived === 'late') {
      await program.terminal.end(this.#limits.killMs);
      program.terminal.taken();
      if (!wanted) return fail('cancelled', `${this.#context.agent} was ended while it was starting.`);
      const died = program.exit && hostDeath(program.exit);
      if (died !== null) return fail('unavailable', `${this.#context.agent} was not started: ${died}.`);
      const what = program.exit && arrived === 'exited' ? describeExit(program.exit) : null;
      const late = `did not show its prompt within ${this.#limits.startMs / 1000} s`;
      return err(startError(what === null ? late : `${what} before it took a prompt`, words, this.#context));
    }
    const asks = arrived === 'asks' ? this.#context.redact(words) : null;
    const ready = this.#ready(how, { asks, deaf: program.deaf });
    const session = this.#session(program, { ready, sessionId: how.plan.session, token: how.token });
    if (how.plan.session !== null) await this.#keep(how.plan.session);
    await session.keep();
    return ok(session);
  }

  #session(
    program: AgentProgram,
    made: Pick<CliSessionParts, 'ready' | 'sessionId' | 'token' | 'past'>,
  ): CliSession {
    const { listener, profile } = this.wanted;
    return new CliSession({
      ...made,
      keep: (sessionId) => void this.#keep(sessionId),
      now: () => this.deps.clock.now(),
      limits: this.#limits,
      preset: this.#preset,
      context: this.#context,
      program,
      profile,
      listener,
    });
  }

  /** Continues an earlier core's session whose program survived. */
  async reattach(past: SessionsPast): Promise<Result<Reattached>> {
    const kept = await this.deps.terminals.find(this.#files);
    if (kept === null) return fail('not_found', 'Its program ended with the core.');
    const known = kept.ending ? null : readKept(kept.note);
    if (known === null) {
      await kept.end();
      const why = kept.ending ? 'it was being ended' : 'its state is unknown, so it was ended';
      return fail('agent.crashed', `its program kept running, but ${why}`);
    }
    const typed = known.turn !== null && known.turn.id === past.turn?.turnId ? known.turn : null;
    const parts = this.#partsOf(known.token);
    const { program, before } = await AgentProgram.takeUp(kept, { deaf: known.deaf, turn: typed }, parts);
    program.vitals.ready();
    const way = past.turn && this.#wayOf(program, typed);
    if (program.exit !== null && way?.kind !== 'goes_on') {
      program.terminal.taken();
      const how = `its program ${describeExit(program.exit)} while the core restarted`;
      return fail('agent.crashed', how);
    }
    const cut = way?.kind === 'cut' && typed !== null ? past.turn : null;
    const cutLines = cut && promptText(cut.prompt, cut.attachments).split('\n').length;
    const continuedTurn = way?.kind === 'goes_on' && typed !== null ? past.turn : null;
    const { streamed = [] } = continuedTurn ?? {};
    const turn = continuedTurn &&
      typed && { request: continuedTurn, kept: typed, before: before ?? NOTHING_SHOWN, streamed };
    const session = this.#session(program, {
      ready: this.#readyAgain(past, known.session),
      sessionId: known.session,
      token: known.token,
      past: { leftLines: known.leftLines + (cutLines ?? 0), typed: known.turn, turn },
    });
    if (cut !== null) await session.keep();
    if (way?.kind !== 'goes_on') return ok({ session, turn: way });
    return ok({ session, turn: { kind: 'goes_on', follow: () => session.follow() } });
  }

  #wayOf(program: AgentProgram, turn: KeptTurn | null) {
    return wayOf({
      turn,
      reportedWork: program.hasReported('prompted', 'tool'),
      reportedEnd: program.hasReported('ended'),
      tellsPrompt: this.#preset.tellsPrompt && !program.deaf,
      printed: program.terminal.place().printed,
      exited: program.exit !== null,
    });
  }

  #readyAgain(past: SessionsPast, session: string | null): SessionReady {
    return {
      providerSessionId: session ?? past.providerSessionId,
      agent: past.agent ?? this.#context.agent,
      capabilities: past.capabilities ?? this.#capabilities,
      fresh: false,
      notice: past.notice,
    };
  }

  #ready(how: Arrived, seen: { readonly asks: string | null; readonly deaf: boolean }): SessionReady {
    const { agent } = this.#context;
    const { modes } = this.#preset;
    const notices = [
      how.notice,
      modes && chooseMode(modes, this.#launchPolicy).notice,
      seen.asks === null ? null : `${agent} waits for an answer in its terminal:\n${seen.asks}`,
      seen.deaf ? `${agent} reports nothing: Muster reads the end of its turns from its terminal.` : null,
    ].filter((notice) => notice !== null);
    return {
      providerSessionId: how.plan.session,
      agent,
      capabilities: this.#capabilities,
      fresh: how.fresh,
      notice: notices.length > 0 ? notices.join('\n') : null,
      ...(seen.asks === null ? {} : { waitsFor: seen.asks }),
    };
  }

  get #capabilities(): Capabilities {
    const resume = this.#preset.resumes || this.wanted.profile.resume_args !== undefined;
    // Permission is requested and given in the terminal, visible to the operator.
    return { resume, cancel: true, permissions: false, images: false, embeddedFiles: false };
  }

  get #launchPolicy(): LaunchPolicy {
    const { profile, spec } = this.wanted;
    return {
      mode: spec.mode ?? profile.mode ?? null,
      permissions: profile.permissions,
      readOnly: profile.read_only,
      ownCheckout: spec.ownCheckout === true,
    };
  }

  #plan(how: { resume: string | null; token: string; folders: OwnFolders | null }): StartPlan {
    const { profile, spec } = this.wanted;
    return this.#preset.start({
      ...this.#launchPolicy,
      model: spec.model ?? profile.model ?? null,
      // A profile is tested in an empty folder that Muster has just created.
      trusted: profile.trust_workspace || spec.runId === 0,
      cwd: spec.cwd,
      projectPath: spec.projectPath,
      folder: `${this.#base}.agent`,
      ...how,
      resume: profile.resume_args === undefined ? how.resume : null,
      freshId: randomUUID(),
    });
  }

  #resumeArgs(resume: string | null): string[] {
    const { resume_args } = this.wanted.profile;
    if (resume === null || resume_args === undefined) return [];
    return resume_args.map((arg) => arg.replaceAll('{session}', resume));
  }

  async #kept(): Promise<string | null> {
    const { spec } = this.wanted;
    const read = await this.deps.files.readText(join(`${this.#base}.agent`, KEPT), [spec.artifactsDir]);
    if (!read.ok) return null;
    try {
      return keptSchema.parse(JSON.parse(read.value)).session;
    } catch {
      return null;
    }
  }

  async #keep(session: string): Promise<void> {
    const path = join(`${this.#base}.agent`, KEPT);
    const text = `${JSON.stringify({ session })}\n`;
    const written = await this.deps.files.writeText(path, text, [this.wanted.spec.artifactsDir]);
    if (!written.ok)
      this.deps.logger.warn('the id of a session was not kept', { why: written.error.message });
  }

  #notInstalled(): AppError {
    const { command, id } = this.wanted.profile;
    return appError('agent.not_installed', `${command} is not installed, or not on PATH.`, {
      mend: `Install ${command}, or give its full path in the agent profile ${id}.`,
    });
  }
}
