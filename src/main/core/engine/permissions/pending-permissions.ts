import type { GateAnswer } from '@areas/gates/contract/gate';
import type { RunEventOf } from '@contract/run/events';
import type { EffectParts } from '../base/effect-parts';
import type { LiveRun } from '../base/live-run';

type Parts = Pick<EffectParts, 'engine' | 'clock'>;

/**
 * Passes a permission answer to the waiting agent; if none waits, the answer is kept until the agent asks
 * again.
 */
export async function answerAsker(parts: Parts, run: LiveRun, gateId: number): Promise<void> {
  const asker = run.pendingPermissions.get(gateId);
  const answer = run.state.gates[gateId]?.answer;
  if (asker === undefined || !answer) return;
  run.pendingPermissions.delete(gateId);
  run.heard.set(asker.turnId, parts.clock.now());
  await parts.engine.report(run, [{ type: 'gate.delivered', gateId, turnId: asker.turnId }]);
  asker.answer(answer);
}

/** Without this answer, the requester of a withdrawn gate would wait forever. */
export function refuseAsker(parts: Parts, run: LiveRun, event: RunEventOf<'gate.withdrawn'>): void {
  const asker = run.pendingPermissions.get(event.gateId);
  if (asker === undefined) return;
  run.pendingPermissions.delete(event.gateId);
  run.heard.set(asker.turnId, parts.clock.now());
  asker.answer({ option: 'deny', reason: event.reason });
}

/** All waiting requesters get the same answer. */
export function answerAskers(run: LiveRun, answer: GateAnswer): void {
  for (const [gateId, asker] of run.pendingPermissions) {
    run.pendingPermissions.delete(gateId);
    asker.answer(answer);
  }
}
