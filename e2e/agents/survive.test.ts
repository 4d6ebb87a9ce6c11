import { existsSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { delimiter, join } from 'node:path';
import { describe, expect, onTestFinished, test } from 'vitest';
import { nodeFiles } from '../../src/main/adapters/process/files';
import { Terminals } from '../../src/main/adapters/pty/terminals';
import { PtyClient } from '../../src/main/adapters/pty-client/client';
import { InteractiveTerminals } from '../../src/main/adapters/pty-client/programs/interactive-terminals';
import { createCliAgent } from '../../src/main/agents/cli';
import type { Session, SessionListener, SessionSpec, TurnRequest } from '../../src/main/core/ports/ports';
import { asked } from './stage/runs';
import { Stage } from './stage/stage';
import { terminalAgents } from './stage/terminal-agents';
import { until } from './stage/until';

/**
 * Successive cores with one terminal process, as in the app; each has only the parts that an agent in a
 * terminal needs.
 */
class Cores {
  readonly #folder = mkdtempSync(join(tmpdir(), 'muster-survive-'));
  readonly #host = new Terminals(this.#folder, new URL('./no-such-thread.js', import.meta.url), false);
  readonly artifactsDir = join(this.#folder, 'artifacts');
  #kill: () => void = () => undefined;

  constructor(private readonly env: Readonly<Record<string, string>>) {
    onTestFinished(async () => {
      await this.#host.close(0);
      rmSync(this.#folder, { recursive: true, force: true });
    });
  }

  next() {
    this.#kill();
    const client = new PtyClient();
    const living = { post: (_: unknown): void => undefined, hear: (_: unknown): void => undefined };
    const line = this.#host.connect({ post: (message) => void setImmediate(() => living.hear(message)) });
    living.post = (message) => line.message(message);
    client.connect({
      post: (message) => living.post(message),
      onMessage: (listener) => {
        living.hear = listener;
      },
      onClose: () => undefined,
    });
    this.#kill = () => {
      line.gone();
      living.post = () => undefined;
      living.hear = () => undefined;
    };
    const find = async (command: string) =>
      (this.env.PATH ?? '')
        .split(delimiter)
        .map((folder) => join(folder, command))
        .find((path) => existsSync(path)) ?? null;
    const agent = createCliAgent({
      processes: { find },
      terminals: new InteractiveTerminals({ client, environment: async () => this.env }),
      files: nodeFiles,
      logger: { info: () => undefined, warn: () => undefined, error: () => undefined },
      clock: { now: () => Date.now() },
    });
    return { client, agent };
  }
}

const listener: SessionListener = {
  items: () => undefined,
  permission: async () => ({ allow: false, always: false, reason: null }),
  lost: () => undefined,
};
const request = (turnId: number, prompt: string): TurnRequest => ({ turnId, prompt, attachments: [] });
const workflow = 'name: None\nsteps:\n  - {id: ok, type: step.approval, config: {message: None}}\n';

async function begun(stage: Stage): Promise<{ cores: Cores; spec: SessionSpec; session: Session }> {
  const cores = new Cores(stage.env);
  const spec: SessionSpec = {
    runId: 1,
    sessionId: 1,
    key: 'run/s1',
    profile: stage.profile,
    model: null,
    mode: null,
    env: {},
    cwd: stage.project,
    projectPath: stage.project,
    artifactsDir: cores.artifactsDir,
    resume: null,
  };
  const opened = await cores.next().agent.open(spec, listener);
  if (!opened.ok) throw new Error(JSON.stringify(opened.error));
  return { cores, spec, session: opened.value };
}

describe.each(terminalAgents)('$id', (agent) => {
  test('the agent goes on in the middle of an answer when its core is killed, ends it, and takes the next prompt', async () => {
    const stage = await Stage.set(agent, { workflow });
    const { cores, spec, session } = await begun(stage);
    const first = request(1, 'Draft the notes.\nDELAY=4000 SAY=drafted');
    void session.turn(first);
    await until('the prompt', async () => asked(stage, 'Draft').length > 0);

    const second = cores.next();
    await second.client.greeted(1000);
    const [kept] = second.client.kept();
    const past = { ...session.ready, turn: { ...first, streamed: [] } };
    const found = await second.agent.reattach(spec, past, listener);
    if (!found.ok || found.value.turn?.kind !== 'goes_on') throw new Error(JSON.stringify(found));
    expect(await found.value.turn.follow()).toMatchObject({
      outcome: 'completed',
      stopReason: 'end_turn',
      response: expect.stringContaining('drafted'),
    });

    const third = cores.next();
    await third.client.greeted(1000);
    expect(third.client.kept()).toMatchObject([{ pid: kept?.pid, ended: false }]);
    const idle = await third.agent.reattach(spec, { ...past, turn: null }, listener);
    if (!idle.ok) throw new Error(JSON.stringify(idle.error));
    expect(await idle.value.session.turn(request(2, 'Publish.\nSAY=published'))).toMatchObject({
      outcome: 'completed',
      stopReason: 'end_turn',
      response: expect.stringContaining('published'),
    });
    const [publish] = asked(stage, 'Publish.');
    expect(publish?.prompts).toMatchObject([
      expect.stringMatching(/^Draft the notes/),
      expect.stringMatching(/^Publish/),
    ]);
    expect(asked(stage, 'Draft')).toHaveLength(1);
    await idle.value.session.close();
  });

  test('the agent takes the next prompt without one that was typed and not entered when its core was killed', async () => {
    const stage = await Stage.set(agent, { workflow });
    const { cores, spec, session } = await begun(stage);
    const first = request(1, 'Never entered.\nSAY=wrong');
    void session.turn(first);
    const note = join(cores.artifactsDir, 'terminals', 's1-0.agent', 'kept.json');
    const phase = () => /"phase":"(\w+)"/.exec(readFileSync(note, 'utf8'))?.[1];
    while (phase() !== 'typing') await new Promise((resolve) => setTimeout(resolve, 2));
    const { agent: second } = cores.next();
    const past = { ...session.ready, turn: { ...first, streamed: [] } };
    const found = await second.reattach(spec, past, listener);
    if (!found.ok) throw new Error(JSON.stringify(found.error));
    expect(found.value.turn).toMatchObject({ kind: 'cut', reason: expect.stringContaining('before Enter') });
    expect(await found.value.session.turn(request(2, 'Publish.\nSAY=published'))).toMatchObject({
      outcome: 'completed',
      response: expect.stringContaining('published'),
    });
    const [publish] = asked(stage, 'Publish.');
    expect(publish?.prompts).toEqual([expect.stringMatching(/^Publish\./)]);
    await found.value.session.close();
  });
});
