import { join } from 'node:path';
import { type CodexFacts, CodexTally } from '@areas/agents/contract/codex/facts';
import { plainSecrets } from '@areas/agents/contract/plain-secrets';
import type { AgentProfileOf } from '@areas/agents/contract/profile';
import { secretNamesOf } from '@areas/agents/contract/secret-names';
import type { RanCommand } from '@areas/changes/contract/changes';
import { ResponseReader } from '@areas/sessions/contract/response';
import type { TranscriptItem, Usage } from '@areas/sessions/contract/session';
import { type AppError, appError } from '@contract/errors';
import { ownValue } from '@contract/own';
import type { LogFiles, LogOpening, OutputSink } from '../../core/ports/log-files';
import type {
  Session,
  SessionListener,
  SessionReady,
  SessionSpec,
  TurnRequest,
  TurnResult,
} from '../../core/ports/ports';
import type { ManagedProcess, ProcessExit, Processes } from '../../core/ports/programs/process';
import { ITEMS_GATHERED_MS } from '../../limits/core';
import { hostDeath, interruptedTurn, keyNameOf, reportedFailure } from '../failure';
import type { OwnFolders } from '../own-folders';
import { redactTexts, secretForms } from '../redact';
import { tellingLine } from '../telling-line';
import { ended, notStarted, type TurnEnd, type TurnInFlight, TurnLoop } from '../turn-loop';
import { type ExecCall, execCall } from './arguments';
import { commandOf, itemsOf, troubleIn } from './events';
import { LINE_BYTES } from './limits';

interface ExecParts {
  readonly spec: SessionSpec;
  readonly profile: AgentProfileOf<'cli'>;
  readonly listener: SessionListener;
  readonly ready: SessionReady;
  readonly processes: Pick<Processes, 'launch'>;
  readonly files: LogFiles;
  readonly folders: OwnFolders | null;
  /** The thread of an earlier process of this session. */
  readonly thread: string | null;
  keepThread(thread: string): Promise<void>;
  now(): number;
}

/** The path of a loop worker's logs, relative to the working folder, without an extension. */
const LOG_VARIABLE = 'MUSTER_LOOP_LOG';

const MOST_COMMANDS = 50;
const AGENT = 'Codex';

/** A conversation with Codex that has a process only during a turn. */
export class ExecSession implements Session {
  readonly ready: SessionReady;
  readonly #loop: TurnLoop;
  /** A turn of this session, or of the process before it, has written the loop's logs. */
  #logged: boolean;
  #thread: string | null;
  /** The thread's usage before the current turn, since its usage is a running total. */
  #used: Usage | null = null;

  constructor(private readonly parts: ExecParts) {
    this.ready = parts.ready;
    this.#loop = new TurnLoop({ silenceMinutes: parts.profile.silence_minutes });
    this.#thread = parts.thread;
    this.#logged = parts.spec.resume !== null;
  }

  turn(request: TurnRequest): Promise<TurnResult> {
    return this.#loop.turn((flight) => this.#run(request, flight));
  }

  async #run(request: TurnRequest, flight: TurnInFlight): Promise<TurnResult> {
    const turn = new ExecTurn(this.parts, {
      request,
      ...this.#logs(request),
      thread: this.#thread,
      flight,
      stoppedAs: () => this.#loop.stoppedAs(flight),
    });
    const { facts, ...result } = await turn.run();
    if (facts?.threadId != null && facts.threadId !== this.#thread) {
      this.#thread = facts.threadId;
      await this.parts.keepThread(facts.threadId);
    }
    const usage = since(facts?.usage ?? null, this.#used);
    this.#used = facts?.usage ?? this.#used;
    return { ...result, usage };
  }

  /**
   * A loop's prompts write to the loop's logs, also when resent: a continuation after a limit or restart is
   * appended. The operator's own prompts are not part of an attempt.
   */
  #logs({ turnId, aside = false }: TurnRequest): Pick<TurnWish, 'base' | 'append'> {
    const { spec } = this.parts;
    const wanted = spec.env[LOG_VARIABLE];
    if (wanted === undefined || aside) {
      const base = join(spec.artifactsDir, 'sessions', `s${spec.sessionId}-t${turnId}`);
      return { base, append: false };
    }
    const append = this.#logged;
    this.#logged = true;
    return { base: join(spec.cwd, wanted), append };
  }

  cancel(): Promise<void> {
    return this.#loop.cancel();
  }

  park(): Promise<void> {
    return this.#loop.leave('parked');
  }

  close(): Promise<void> {
    return this.#loop.leave('closed');
  }
}

const since = (now: Usage | null, before: Usage | null): Usage | null => {
  if (now === null || before === null) return now;
  const less = (key: 'input_tokens' | 'output_tokens' | 'total_tokens') =>
    now[key] === null ? null : Math.max(0, now[key] - (before[key] ?? 0));
  const { cached_input_tokens: cached } = now;
  return {
    input_tokens: less('input_tokens'),
    output_tokens: less('output_tokens'),
    total_tokens: less('total_tokens'),
    cost_usd: null,
    ...(cached !== undefined && {
      cached_input_tokens: Math.max(0, cached - (before.cached_input_tokens ?? 0)),
    }),
  };
};

interface TurnWish {
  readonly request: TurnRequest;
  readonly base: string;
  readonly append: boolean;
  readonly thread: string | null;
  readonly flight: TurnInFlight;
  /** How the turn ends if it was stopped. */
  stoppedAs(): TurnEnd | null;
}
type Ended = TurnResult & { readonly facts: CodexFacts | null };

/** One Codex process, from its start to the end of its output. */
class ExecTurn {
  readonly #tally = new CodexTally();
  readonly #reader = new ResponseReader();
  readonly #commands: RanCommand[] = [];
  #items: TranscriptItem[] = [];
  #flushing: ReturnType<typeof setTimeout> | null = null;
  #child: ManagedProcess | null = null;

  constructor(
    private readonly parts: ExecParts,
    private readonly wish: TurnWish,
  ) {}

  async run(): Promise<Ended> {
    const { parts, wish } = this;
    const messageFile = `${wish.base}-last-message.txt`;
    const call = execCall({
      profile: parts.profile,
      folders: parts.folders,
      messageFile,
      thread: wish.thread,
      model: parts.spec.model,
      mode: parts.spec.mode,
      ownCheckout: parts.spec.cwd === parts.spec.projectPath,
      prompt: withFiles(wish.request),
    });
    if (!call.ok) return this.#failed('refused', call.error);
    const how: LogOpening = {
      mode: wish.append ? 'append' : 'replace',
      secrets: secretForms(this.#secrets),
    };
    const stdout = await parts.files.open(`${wish.base}.jsonl`, how);
    if (!stdout.ok) return this.#failed('logs', stdout.error);
    const stderr = await parts.files.open(`${wish.base}-stderr.log`, how);
    if (!stderr.ok) {
      await stdout.value.close();
      return this.#failed('logs', stderr.error);
    }
    const exit = await this.#process(call.value, [stdout.value, stderr.value]);
    const lost = [await stdout.value.close(), await stderr.value.close()].filter((one) => one !== null);
    if (lost.length > 0) this.#say({ type: 'notice', text: `The logs are incomplete: ${lost.join('; ')}` });
    this.#flush();
    if ('error' in exit) return this.#failed('start', exit.error);
    return this.#judge(exit, await this.#lastMessage(messageFile));
  }

  /** Codex writes this file itself, so secrets are removed from it afterwards. */
  async #lastMessage(file: string): Promise<string> {
    const { files } = this.parts;
    const text = (await files.readText(file)) ?? '';
    const shown = this.#redacted(text);
    if (shown !== text) await files.writeText(file, shown);
    return shown;
  }

  async #process(
    { args, input }: ExecCall,
    [stdout, stderr]: readonly [OutputSink, OutputSink],
  ): Promise<ProcessExit | { readonly error: AppError }> {
    const { spec, profile } = this.parts;
    const { [LOG_VARIABLE]: _, ...env } = { ...profile.env, ...spec.env };
    const tee = (sink: OutputSink) => (bytes: Uint8Array) => {
      if (sink.write(bytes)) return;
      this.#child?.hold();
      sink.drained(() => this.#child?.release());
    };
    const started = await this.parts.processes.launch({
      command: profile.command,
      args,
      cwd: spec.cwd,
      env,
      owner: spec.key,
      ...(input === null ? { stdin: 'none' } : { stdin: 'pipe', input }),
      output: {
        kind: 'lines',
        maxLineBytes: LINE_BYTES,
        line: (text) => this.#line(text),
        tooLong: (bytes) =>
          this.#say({ type: 'notice', text: `A line of ${bytes} bytes is in the log only.` }),
        // It holds what Codex logs about its retries, so it is no sign of life.
        stderr: () => undefined,
        raw: { stdout: tee(stdout), stderr: tee(stderr) },
      },
    });
    if (!started.ok) return { error: started.error };
    this.#child = started.value;
    const { flight, request } = this.wish;
    flight.asks((seen) => this.parts.listener.observed?.(request.turnId, seen));
    this.wish.flight.heard();
    this.wish.flight.endsBy(() => void started.value.end());
    const exit = await started.value.exited;
    await started.value.gone;
    return exit;
  }

  #line(text: string): void {
    const trouble = troubleIn(text);
    if (trouble === null) this.wish.flight.progressed();
    else this.wish.flight.troubled(this.#redacted(trouble));
    this.#tally.line(text);
    const ran = commandOf(text);
    if (ran !== null) {
      this.#commands.push({ ...ran, at: Date.now() });
      if (this.#commands.length > MOST_COMMANDS) this.#commands.shift();
    }
    for (const item of itemsOf(text)) {
      this.#reader.hear(item);
      this.#say(item);
    }
  }

  #say(item: TranscriptItem): void {
    this.#items.push(item);
    this.#flushing ??= setTimeout(() => this.#flush(), ITEMS_GATHERED_MS);
  }

  #flush(): void {
    if (this.#flushing !== null) clearTimeout(this.#flushing);
    this.#flushing = null;
    if (this.#items.length > 0) this.parts.listener.items(this.wish.request.turnId, this.#items);
    this.#items = [];
  }

  #judge(exit: ProcessExit, file: string): Ended {
    const facts = this.#tally.result();
    const { response: read, toolCalls } = this.#reader;
    // The file contains Codex's last message, even if its line could not be read.
    const response = this.#redacted(read).trim().endsWith(file.trim()) ? read : file;
    const base = { response, toolCalls, usage: null, facts, commands: [...this.#commands] };
    const stopped = this.wish.stoppedAs();
    if (stopped !== null) return { ...base, ...stopped };
    const died = hostDeath(exit);
    if (died !== null) return { ...base, ...interruptedTurn(died) };
    const terminal = facts?.terminal ?? 'none';
    if (exit.code === 0 && terminal === 'completed') return { ...base, ...ended('completed', 'end_turn') };
    const how = exit.signal === null ? `exit ${exit.code ?? 'unknown'}` : `signal ${exit.signal}`;
    const stderr = tellingLine(this.#child?.stderrTail() ?? '');
    const errorText = facts?.error ?? (stderr === '' ? null : stderr);
    const why = terminal === 'none' && exit.code === 0 ? 'it ended without ending its turn' : errorText;
    const message = why === null ? how : `${how}: ${this.#redacted(why).slice(0, 1_000)}`;
    const { profile, now } = this.parts;
    const login = profile.login_command ?? 'codex login';
    const context = {
      agent: AGENT,
      login,
      key: keyNameOf(profile),
      now,
      redact: (text: string) => this.#redacted(text),
    };
    const failure = errorText === null ? null : reportedFailure(errorText, context);
    // Unknown errors are reported unchanged, with the process's exit status.
    if (failure === null || (failure.error.mend === undefined && failure.kind === 'failed'))
      return { ...base, ...ended('failed', how, appError('agent.failed', message)) };
    const { error, kind, limitResetsAt } = failure;
    return {
      ...base,
      outcome: kind,
      stopReason: how,
      error: { ...error, message: `${how}: ${error.message}` },
      limitResetsAt,
    };
  }

  /** Before truncating: half a secret would not be recognised. */
  #redacted(text: string): string {
    return redactTexts(this.#secrets)(text);
  }

  get #secrets(): string[] {
    const { profile, spec } = this.parts;
    const env = { ...profile.env, ...spec.env };
    return [...secretNamesOf(profile), ...plainSecrets(profile)].map((name) => ownValue(env, name) ?? '');
  }

  #failed(stopReason: string, error: AppError): Ended {
    return { ...notStarted(error, stopReason), facts: null };
  }
}

function withFiles({ prompt, attachments }: TurnRequest): string {
  if (attachments.length === 0) return prompt;
  return `${prompt}\n\nFiles for this prompt:\n${attachments.map(({ path, name }) => `- ${name}: ${path}`).join('\n')}`;
}
