import { execFileSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import type { GateAnswer } from '@areas/gates/contract/gate';
import type { ParsedInput } from '@contract/ipc';
import type { RunState, TurnState } from '@contract/run/state';
import { CoreProcess } from '../durability/core-process';
import { TerminalProcess } from '../durability/terminal-process';
import { type ModelServer, startModelServer } from '../fixtures/model-server';

interface Places {
  readonly coreFile: string;
  readonly processDir: string;
  readonly resourcesDir: string;
  readonly terminalsFile: string;
}

const EVERY_MS = 30;
const LIMIT_MS = 120_000;
/** Stands in a history for the folder that it was recorded in. */
const HOME = '/home/operator';

/** A run to record: its workflow, the scripts of its agents by profile, and what the operator does. */
export interface Scene {
  readonly name: string;
  readonly workflow: string;
  readonly instruction?: string;
  readonly agents: Readonly<Record<string, string>>;
  /** The agents whose permissions the operator is asked for; others are allowed everything. */
  readonly asking?: readonly string[];
  /** The profile `by-hand` is this program in a terminal, with the data folder as its argument. */
  readonly terminalAgent?: string;
  /** What is in its project beside the workflow, by path. */
  readonly files?: Readonly<Record<string, string>>;
  /** Answers of the models of its profiles `root` (`scripted`) and `sub` (`scripted-small`). */
  models?(models: ModelServer, stage: Stage): void;
  play(stage: Stage): Promise<void>;
}

/** A core of its own with one project and one run. */
export class Stage {
  core: CoreProcess;
  runId = 0;
  private readonly folder = mkdtempSync(join(tmpdir(), 'muster-history-'));
  private readonly project = join(this.folder, 'project');
  private readonly dataDir = join(this.folder, 'data');
  private readonly socket = join(this.folder, 'terminals.sock');
  /** How many cores there have been. */
  lives = 0;
  private models: ModelServer | null = null;
  private readonly terminals: TerminalProcess;
  private ready: Promise<void> = Promise.resolve();

  constructor(
    private readonly scene: Scene,
    private readonly places: Places,
  ) {
    mkdirSync(this.dataDir);
    this.fill();
    this.terminals = new TerminalProcess([places.terminalsFile, this.socket, this.dataDir]);
    this.core = this.open();
  }

  private open(): CoreProcess {
    const { places, dataDir, socket: terminals } = this;
    let tellReady: () => void = () => undefined;
    this.ready = new Promise<void>((resolve) => {
      tellReady = resolve;
    });
    this.lives += 1;
    const quiet = {
      terminals,
      committed: () => undefined,
      opened: () => undefined,
      ready: () => tellReady(),
    };
    return new CoreProcess(
      places.coreFile,
      {
        kind: 'init',
        version: 'history',
        dataDir,
        dbPath: join(dataDir, 'muster.db'),
        instanceId: `history-${this.lives}`,
        resourcesDir: places.resourcesDir,
        processDir: places.processDir,
        nodeRuntime: { execPath: process.execPath, env: {} },
        secrets: {},
        socket: { endpointFile: 'core-endpoint.json' },
      },
      quiet,
    );
  }

  /** Kill -9, and another core on the same data. */
  async killed(): Promise<void> {
    this.core.kill();
    await this.core.gone;
    this.core = this.open();
    await this.ready;
  }

  private fill(): void {
    const { name, workflow, agents, asking = [], terminalAgent, files = {} } = this.scene;
    const write = (path: string, text: string) => {
      mkdirSync(dirname(join(this.project, path)), { recursive: true });
      writeFileSync(join(this.project, path), text);
    };
    const profiles = Object.keys(agents).map(
      (id) =>
        `  - { kind: scripted, id: ${id}, name: ${id}, script: .muster/${id}.yaml, permissions: ${asking.includes(id) ? 'ask' : 'allow_all'} }\n`,
    );
    for (const [id, script] of Object.entries(agents)) write(`.muster/${id}.yaml`, script);
    if (terminalAgent !== undefined) {
      write('agent.sh', terminalAgent);
      profiles.push(
        `  - { kind: cli, id: by-hand, name: By hand, command: /bin/bash, args: [agent.sh, ${this.dataDir}], max_sessions: 1 }\n`,
      );
    }
    write('.muster/agents.yaml', `profiles:\n${profiles.join('')}`);
    write('.muster/workflows/recorded.yaml', `name: ${name}\n${workflow}`);
    write('text.txt', 'nothing yet\n');
    for (const [path, text] of Object.entries(files)) write(path, text);
    const git = (...args: string[]) => execFileSync('git', args, { cwd: this.project, stdio: 'ignore' });
    git('init', '-q', '-b', 'main');
    git('config', 'user.name', 'Operator');
    git('config', 'user.email', 'operator@example.org');
    git('add', '-A');
    git('commit', '-qm', 'start');
  }

  /** Models get profiles when their address is known. */
  private async serveModels(): Promise<void> {
    if (this.scene.models === undefined) return;
    const models = await startModelServer();
    this.models = models;
    this.scene.models(models, this);
    const profile = (id: string, model: string) =>
      `  - { kind: gateway, id: ${id}, name: ${id}, api: openai, base_url: '${models.url}', model: ${model} }\n`;
    const text = `profiles:\n${profile('root', 'scripted')}${profile('sub', 'scripted-small')}`;
    writeFileSync(join(this.project, '.muster', 'agents.yaml'), text);
  }

  async start(): Promise<void> {
    await this.serveModels();
    await this.ready;
    const { id: projectId } = await this.core.call('project.add', { path: this.project });
    const file = '.muster/workflows/recorded.yaml';
    const { instruction = '' } = this.scene;
    ({ runId: this.runId } = await this.core.call('run.start', { projectId, file, instruction }));
  }

  async state(): Promise<RunState> {
    return (await this.core.call('run.get', { runId: this.runId })).state;
  }

  async until(reached: (state: RunState) => boolean): Promise<void> {
    for (const end = performance.now() + LIMIT_MS; ; ) {
      const state = await this.state();
      if (reached(state)) return;
      if (performance.now() > end)
        throw new Error(`not reached: ${JSON.stringify([state.turns, state.gates, state.reason])}`);
      await new Promise((resolve) => setTimeout(resolve, EVERY_MS));
    }
  }

  inFlight(turns: RunState['turns'], lane: string): boolean {
    return Object.values(turns).some((turn) => turn.lane === lane && turn.status === 'in_flight');
  }

  ended(turns: RunState['turns'], kind: TurnState['kind']): number {
    return Object.values(turns).filter((turn) => turn.kind === kind && turn.status === 'completed').length;
  }

  /** Makes the file that an agent waits for beside its folder. */
  allow(file: string): void {
    writeFileSync(join(this.folder, 'data', 'worktrees', file), '');
  }

  /** Answers the open question of this kind, of the step with this key if it is given. */
  async answer(kind: string, answer: GateAnswer, step?: string): Promise<void> {
    const asked = ({ gates, activations }: RunState) =>
      Object.values(gates).find(
        (gate) =>
          gate.kind === kind &&
          gate.status === 'open' &&
          (step === undefined || activations[gate.activationId ?? 0]?.stepId === step),
      );
    await this.until((state) => asked(state) !== undefined);
    const gateId = asked(await this.state())?.id ?? 0;
    await this.core.call('gate.resolve', { runId: this.runId, gateId, answer });
  }

  /** Merges a member's work: without choices at its gate, else file by file. */
  async merge(member: string, choices?: ParsedInput<'team.mergeConfirm'>['choices']): Promise<void> {
    const one = (state: RunState, status: string) =>
      Object.values(state.teams[1]?.merges ?? {}).find(
        (merge) => merge.member === member && merge.status === status,
      );
    await this.until((state) => one(state, 'rehearsed') !== undefined);
    if (choices === undefined) await this.answer('merge', { option: 'merge' });
    else {
      const mergeId = one(await this.state(), 'rehearsed')?.id ?? 0;
      await this.core.call('team.mergeConfirm', { runId: this.runId, activationId: 1, mergeId, choices });
    }
    await this.until((state) => one(state, 'merged') !== undefined);
  }

  /** Writes the run as its users export it, with the folder of the recording replaced. */
  async keep(path: string): Promise<void> {
    await this.core.call('run.export', { runId: this.runId, path });
    writeFileSync(path, readFileSync(path, 'utf8').replaceAll(this.folder, HOME));
  }

  async end(): Promise<void> {
    this.core.end();
    await this.core.gone;
    await this.terminals.end();
    await this.models?.close();
    rmSync(this.folder, { recursive: true, force: true });
  }
}
