import { capabilitiesOf } from '@areas/agents/contract/agent-kinds';
import type { ProfileRow } from '@areas/agents/contract/procedures';

export const isRehearsed = ({ profile }: ProfileRow): boolean => capabilitiesOf(profile).rehearsed;

/**
 * The first agent that can start: one that edits files before a model, a model before a script, and a script only if
 * the operator or a project has made its profile. The script that comes with Muster is chosen, never a default.
 */
export function firstUsable(agents: readonly ProfileRow[]): ProfileRow | undefined {
  const usable = agents.filter((row) => row.trouble === null && !isRehearsed(row));
  return (
    usable.find(({ profile }) => capabilitiesOf(profile).changesFiles) ??
    usable[0] ??
    agents.find((row) => isRehearsed(row) && row.source !== 'builtin') ??
    agents.find((row) => !isRehearsed(row))
  );
}
