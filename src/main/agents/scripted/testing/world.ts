import {
  existsSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  realpathSync,
  rmSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { type AgentProfile, agentProfileSchema } from '@areas/agents/contract/profile';
import type { PermissionRequest } from '@areas/gates/contract/gate';
import type { TranscriptItem } from '@areas/sessions/contract/session';
import type { Result } from '@contract/result';
import { onTestFinished } from 'vitest';
import { nodeFiles } from '../../../adapters/process/files';
import { GuardedProcesses } from '../../../adapters/process/index';
import { PipeTerminals } from '../../../adapters/process/terminals';
import { bundle } from '../../../adapters/process/testing/bundle';
import type {
  PermissionAnswer,
  Seen,
  Session,
  SessionListener,
  SessionSpec,
  TurnRequest,
} from '../../../core/ports/ports';
import { type AcpDependencies, createAcpAgent, createOpenAcp } from '../../acp/index';
import { createScriptedAgent } from '../index';

let built: Promise<string> | null = null;
let count = 0;

/** The agent's bundle, built once per test file. */
export function agentBundle(): Promise<string> {
  built ??= bundle('src/main/agents/scripted/process/index.ts', 'scripted-agent');
  return built;
}

/** What a listener received, and its answers to permission requests. */
class Listener implements SessionListener {
  readonly batches: (readonly TranscriptItem[])[] = [];
  readonly asked: PermissionRequest[] = [];
  readonly losses: string[] = [];
  readonly observations: Seen[] = [];
  answer: (request: PermissionRequest) => Promise<PermissionAnswer> = async () => ({
    allow: true,
    always: false,
    reason: null,
  });

  items(_turnId: number, items: readonly TranscriptItem[]): void {
    this.batches.push(items);
  }

  permission(_turnId: number, request: PermissionRequest): Promise<PermissionAnswer> {
    this.asked.push(request);
    return this.answer(request);
  }

  observed(_turnId: number, seen: Seen): void {
    this.observations.push(seen);
  }

  lost(reason: string): void {
    this.losses.push(reason);
  }

  get all(): TranscriptItem[] {
    return this.batches.flat();
  }

  text(type: 'text' | 'thought' | 'notice'): string {
    return this.all.flatMap((item) => (item.type === type ? [item.text] : [])).join('');
  }

  /** The last state of each tool call. */
  get tools() {
    const calls = this.all.flatMap((item) => (item.type === 'tool' ? [item.call] : []));
    return [...new Map(calls.map((call) => [call.id, call])).values()];
  }
}

interface Wish {
  readonly profile?: Record<string, unknown>;
  readonly spec?: Partial<SessionSpec>;
  readonly acp?: Partial<AcpDependencies>;
}

/** A project with a worktree and an artifacts folder, and agents that work in it. */
export class World {
  readonly root = realpathSync(mkdtempSync(join(tmpdir(), 'muster-agent-')));
  readonly project = join(this.root, 'project');
  readonly cwd = join(this.root, 'worktree');
  readonly artifacts = join(this.root, 'artifacts');
  readonly listener = new Listener();
  readonly logged: { message: string; detail: unknown }[] = [];
  readonly processes: GuardedProcesses;

  constructor() {
    for (const folder of [this.project, this.cwd, this.artifacts]) mkdirSync(folder);
    count += 1;
    this.processes = new GuardedProcesses({
      dataDir: join(this.root, 'data'),
      instanceId: `world-${process.pid}-${count}`,
      environment: process.env,
      runtime: { execPath: process.execPath, env: {} },
      askLoginShell: false,
    });
    onTestFinished(async () => {
      await this.processes.endAll();
      rmSync(this.root, { recursive: true, force: true });
    });
  }

  spec(profile: AgentProfile, more: Partial<SessionSpec> = {}): SessionSpec {
    return {
      runId: 1,
      sessionId: 1,
      key: 'RUN/s1',
      profile,
      model: null,
      mode: null,
      env: {},
      cwd: this.cwd,
      projectPath: this.project,
      artifactsDir: this.artifacts,
      resume: null,
      ...more,
    };
  }

  openAcp(more: Partial<AcpDependencies> = {}) {
    const log = (message: string, detail?: Record<string, unknown>) => {
      this.logged.push({ message, detail });
    };
    return createOpenAcp({
      processes: this.processes,
      terminals: new PipeTerminals(this.processes),
      files: nodeFiles,
      logger: { info: log, warn: log, error: log },
      clock: { now: () => Date.now() },
      ...more,
    });
  }

  /** Opens a session with the scripted agent on a script given as text. */
  async tryOpen(script: string, wish: Wish = {}): Promise<Result<Session>> {
    writeFileSync(join(this.project, 'script.yaml'), script);
    const agent = createScriptedAgent({
      openAcp: this.openAcp(wish.acp),
      files: nodeFiles,
      runtime: { execPath: process.execPath, env: {} },
      entry: await agentBundle(),
      scriptsDir: join(process.cwd(), 'resources', 'scripts'),
    });
    const profile = agentProfileSchema.parse({
      kind: 'scripted',
      id: 'script',
      name: 'Script',
      script: 'script.yaml',
      ...wish.profile,
    });
    return agent.open(this.spec(profile, wish.spec), this.listener);
  }

  async open(script: string, wish: Wish = {}): Promise<Session> {
    const opened = await this.tryOpen(script, wish);
    if (!opened.ok) throw new Error(`${opened.error.code}: ${opened.error.message}`);
    return opened.value;
  }

  /** Opens any command as a protocol agent. */
  tryCommand(command: string, args: readonly string[], wish: Wish = {}): Promise<Result<Session>> {
    const profile = agentProfileSchema.parse({
      kind: 'acp',
      id: 'command',
      name: 'A command',
      command,
      args,
      ...wish.profile,
    });
    return createAcpAgent({ openAcp: this.openAcp(wish.acp) }).open(
      this.spec(profile, wish.spec),
      this.listener,
    );
  }

  /** The scripted agent's records. */
  records(): Record<string, unknown>[] {
    const file = join(this.artifacts, 'scripted-prompts.jsonl');
    if (!existsSync(file)) return [];
    const lines = readFileSync(file, 'utf8').trim().split('\n');
    return lines.map((line) => JSON.parse(line));
  }

  touch(name: string, text = ''): void {
    writeFileSync(join(this.cwd, name), text);
  }

  read(name: string): string {
    return readFileSync(join(this.cwd, name), 'utf8');
  }
}

let turns = 0;

export function prompt(text: string, more: Partial<TurnRequest> = {}): TurnRequest {
  turns += 1;
  return { turnId: turns, prompt: text, attachments: [], ...more };
}

export async function until(good: () => boolean, limitMs = 5000): Promise<void> {
  const limit = Date.now() + limitMs;
  while (!good()) {
    if (Date.now() > limit) throw new Error('it did not come to pass');
    await new Promise((resolve) => setTimeout(resolve, 10));
  }
}
