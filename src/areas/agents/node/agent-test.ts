import { mkdtemp, rm } from 'node:fs/promises';
import { basename, join } from 'node:path';
import type { SessionChoices } from '@areas/sessions/contract/session';
import { type AppError, appError } from '@contract/errors';
import { err, fail, ok, type Result } from '@contract/result';
import type { Clock, Session, TurnResult } from '@main/core/ports/ports';
import { TEST_ANSWER_MS, TEST_CLOSE_MS, TEST_OPEN_MS } from '@main/limits/core';
import { servesModels } from '../contract/agent-kinds';
import type { AgentTest } from '../contract/procedures';
import type { AgentProfile, AgentProfileOf, HttpGatewayProfile } from '../contract/profile';
import { within } from './agent-deadline';
import { listed, reach } from './agent-endpoint';
import type { AgentFinderParts } from './agent-finder-parts';

const PROMPT = 'Reply with the single word ready.';

type Finding<T> = Result<{ readonly value: T; readonly detail: string }>;

/** The checks of one test, in order. The first failure skips the rest. */
class Report {
  readonly checks: AgentTest['checks'] = [];

  constructor(private readonly clock: Clock) {}

  /** The check's result, or null if it failed or was skipped. */
  async check<T>(name: string, look: () => Promise<Finding<T>>): Promise<T | null> {
    if (!this.ok) return null;
    const started = this.clock.now();
    const finding = await look();
    const detail = finding.ok ? finding.value.detail : worded(finding.error);
    this.checks.push({ name, ok: finding.ok, detail, ms: this.clock.now() - started });
    return finding.ok ? finding.value.value : null;
  }

  get ok(): boolean {
    return this.checks.every((check) => check.ok);
  }
}

const worded = ({ message, mend }: AppError): string =>
  mend === undefined ? message : `${message}. ${mend}`;

const found = <T>(value: T, detail: string): Finding<T> => ok({ value, detail });

/** Tests a profile for real: starts the agent in an empty folder and asks it for one word. */
export async function testAgent(parts: AgentFinderParts, profile: AgentProfile): Promise<AgentTest> {
  const report = new Report(parts.clock);
  if ('command' in profile) await report.check('found on PATH', () => onPath(parts, profile));
  if (servesModels(profile)) await checkEndpoint(parts, profile, report);
  // An OpenClaw gateway is reached by opening a session, and chooses the model itself.
  else if ('base_url' in profile) await checkKey(parts, profile, report);
  const choices = report.ok ? await converse(parts, profile, report) : null;
  return { ok: report.ok, checks: report.checks, ...(choices ? { choices } : {}) };
}

async function onPath(
  { processes, presets }: AgentFinderParts,
  { command, env }: AgentProfileOf<'acp'> | AgentProfileOf<'cli'>,
): Promise<Finding<string>> {
  const path = await processes.find(command, env.PATH === undefined ? {} : { path: env.PATH });
  if (path !== null) return found(path, path);
  const preset = presets.find(({ programs }) => programs.includes(command));
  const mend = preset ? `Install it: ${preset.install}` : `Install ${command}, or give its whole path`;
  return fail('agent.not_installed', `${command} is not on PATH`, { mend });
}

async function checkEndpoint(
  parts: AgentFinderParts,
  profile: HttpGatewayProfile,
  report: Report,
): Promise<void> {
  const name = profile.api_key_secret;
  const key = name === undefined ? null : parts.secret(name);
  const reached = await report.check('address reachable', async () => {
    const answer = await reach(profile, key, parts.fetch ?? globalThis.fetch);
    return answer.ok ? found(answer.value, answer.value.detail) : answer;
  });
  await checkKey(parts, profile, report);
  await report.check('model named', async () => {
    if (profile.model) return found(null, profile.model);
    const models = reached?.models ?? [];
    const mend = models.length === 0 ? 'Set `model`' : `Set \`model\` to one of ${listed(models)}`;
    return fail('input.invalid', `the profile ${profile.id} names no model`, { mend });
  });
}

async function checkKey(
  { secret }: AgentFinderParts,
  { api_key_secret: name }: AgentProfileOf<'gateway'>,
  report: Report,
): Promise<void> {
  await report.check('key present', async () => {
    if (name === undefined) return found(null, 'the profile names none');
    if (secret(name)) return found(null, `${name} is set`);
    const mend = `Set it in Settings, or as an environment variable where there is no window`;
    return fail('secret.missing', `the secret ${name} is not set`, { mend });
  });
}

/** The agent's session choices, once it has answered. */
async function converse(
  parts: AgentFinderParts,
  profile: AgentProfile,
  report: Report,
): Promise<SessionChoices | null> {
  const folder = await mkdtemp(join(parts.tempDir, 'muster-agent-test-'));
  const opening = openIn(parts, profile, folder);
  const remove = () => rm(folder, { recursive: true, force: true, maxRetries: 3 });
  const session = await report.check('starts and opens a session', () => opened(parts.clock, opening));
  if (session) {
    await report.check('answers a prompt', () => answered(parts.clock, session));
    await session.close();
    await remove();
    return session.choices ?? null;
  }
  // A session that opens too late is closed then, without waiting for it.
  const cleanUp = opening.then((late) => (late.ok ? late.value.close() : undefined)).finally(remove);
  await within(
    parts.clock,
    TEST_CLOSE_MS,
    cleanUp.catch(() => {}),
  );
  return null;
}

function openIn(
  { agents }: AgentFinderParts,
  profile: AgentProfile,
  folder: string,
): Promise<Result<Session>> {
  const port = agents.get(profile.kind);
  if (port === undefined) {
    const error = appError('agent.start_failed', `agents of the kind ${profile.kind} cannot be started yet`);
    return Promise.resolve(err(error));
  }
  return port.open(
    {
      runId: 0,
      sessionId: 0,
      key: basename(folder),
      profile,
      model: profile.model ?? null,
      mode: profile.mode ?? null,
      env: {},
      cwd: folder,
      projectPath: folder,
      artifactsDir: folder,
      resume: null,
    },
    {
      items: () => {},
      permission: async () => ({ allow: false, always: false, reason: 'This is a test of the agent.' }),
      // The turn in flight reports it too.
      lost: () => {},
    },
  );
}

async function opened(clock: Clock, opening: Promise<Result<Session>>): Promise<Finding<Session>> {
  const result = await within(clock, TEST_OPEN_MS, opening);
  if (result === 'late') return fail('agent.timeout', `it was not ready within ${TEST_OPEN_MS / 1000} s`);
  if (!result.ok) return result;
  const { agent, waitsFor } = result.value.ready;
  if (waitsFor === undefined) return found(result.value, agent);
  const message = `${agent} asks a question before it takes a prompt: \n${waitsFor}`;
  return fail('agent.start_failed', message, { mend: 'Start it once in a terminal and answer the question' });
}

async function answered(clock: Clock, session: Session): Promise<Finding<null>> {
  const pendingTurn = session.turn({ turnId: 0, prompt: PROMPT, attachments: [] });
  const turn = await within(clock, TEST_ANSWER_MS, pendingTurn);
  if (turn === 'late') {
    await session.cancel();
    return fail('agent.timeout', `there was no answer within ${TEST_ANSWER_MS / 1000} s`);
  }
  return judged(turn);
}

function judged({ outcome, stopReason, response, error }: TurnResult): Finding<null> {
  const answer = response.trim().slice(0, 120);
  if (outcome !== 'completed') return err(error ?? appError('agent.failed', `it ended with ${stopReason}`));
  if (answer === '') return fail('agent.failed', 'its answer is empty');
  return found(null, answer);
}
