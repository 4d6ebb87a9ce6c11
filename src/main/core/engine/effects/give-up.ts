import type { LiveRun } from '../base/live-run';
import { givenUp } from '../gates/lost-hosts';

const GIVEN_UP = 'its host could not be reached, and you counted it as interrupted';

/** Ends what the operator counts as interrupted on a host that cannot be reached. */
export function giveUp(run: LiveRun, gateId: number): void {
  const gate = run.state.gates[gateId];
  if (gate === undefined) return;
  for (const { commandId, sessionId } of givenUp(run.state, gate)) {
    if (commandId !== null) run.commands.get(commandId)?.giveUp?.(GIVEN_UP);
    if (sessionId !== null) run.sessions.get(sessionId)?.giveUp?.(GIVEN_UP);
  }
}
