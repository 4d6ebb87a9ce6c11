/**
 * `seed-team.js FILE PROJECT SHORT LONG`: teams with these numbers of messages, an active one and an ended
 * one of each length.
 */
import { agentProfileSchema } from '@areas/agents/contract/profile';
import { workflowDefinitionSchema } from '@areas/workflows/contract/definition';
import type { RunEvent } from '@contract/run/events';
import { reduce } from '@contract/run/reduce';
import type { RunState } from '@contract/run/state';
import { openOrThrow } from '../kit/core';
import { Corpus } from '../kit/corpus';
import { say } from '../kit/say';

const [file = '', projectPath = '', short = '', long = ''] = process.argv.slice(2);
const MEMBERS = 5;
const AT_ONCE = 5_000;
const START = Date.UTC(2026, 0, 1);

const store = openOrThrow(file);
const corpus = new Corpus();
const projectId = store.addProject(projectPath, 'project', START).id;

const nameOf = (index: number) => `member-${(index % MEMBERS) + 1}`;

/** A profile that is never started: the members have nothing to do. */
const worker = agentProfileSchema.parse({ kind: 'scripted', id: 'worker', name: 'Worker', script: 'none' });
const members = Array.from({ length: MEMBERS }, (_, index) => ({
  name: nameOf(index),
  agent: 'worker',
  prompt: 'Wait.',
}));

function joined(index: number): RunEvent {
  const member = { name: nameOf(index), profileId: 'worker', model: null, prompt: corpus.words(20) };
  const mode = { iterative: false, readOnly: false, worktree: false, planApproval: false, idleMinutes: null };
  return { type: 'team.member-added', activationId: 1, member: { ...member, ...mode }, by: 'operator' };
}

/** Messages of members to the lead, who is the operator: they ask for nothing. */
function* history(messages: number, ends: boolean): Generator<RunEvent> {
  const uid = `team-${messages}-${ends ? 'ended' : 'live'}`;
  const definition = workflowDefinitionSchema.parse({
    name: 'team',
    steps: [{ id: 'team', type: 'step.team', title: 'Team', config: { members } }],
  });
  yield { ...corpus.started(uid, projectId), name: uid, projectPath, definition, profiles: { worker } };
  yield { type: 'activation.started', activationId: 1, stepId: 'team', attempt: 1, inputs: [] };
  for (let index = 0; index < MEMBERS; index += 1) yield joined(index);
  const about = { type: 'team.message' as const, activationId: 1, to: ['operator'], kind: 'note' as const };
  for (let messageId = 1; messageId <= messages; messageId += 1) {
    const text = messageId === messages ? `The last of ${uid}.` : corpus.words(40);
    yield { ...about, messageId, from: nameOf(messageId), text };
  }
  if (ends) yield { type: 'run.finished', outcome: 'cancelled', reason: null };
}

async function write(messages: number, ends: boolean): Promise<{ runId: number; last: string }> {
  const runId = store.log.nextRunId();
  let state: RunState | null = null;
  let seq = 0;
  let batch: { at: number; event: RunEvent }[] = [];
  const append = async () => {
    if (state === null || batch.length === 0) return;
    const expectedSeq = seq - batch.length;
    const appended = await store.log.append({ runId, expectedSeq, events: batch, state });
    if (!appended.ok) throw new Error(appended.error.message);
    batch = [];
  };
  for (const event of history(messages, ends)) {
    seq += 1;
    const at = START + seq * 1000;
    state = reduce(state, { seq, at, event });
    batch.push({ at, event });
    if (batch.length === AT_ONCE) await append();
  }
  await append();
  return { runId, last: `The last of team-${messages}-${ends ? 'ended' : 'live'}.` };
}

const written = {
  live: { short: await write(Number(short), false), long: await write(Number(long), false) },
  ended: { short: await write(Number(short), true), long: await write(Number(long), true) },
};
while (store.search({ text: 'nothing', limit: 1 }).indexedTo < store.lastEventId()) {
  await new Promise((resolve) => setTimeout(resolve, 100));
}
store.close();
say(written);
