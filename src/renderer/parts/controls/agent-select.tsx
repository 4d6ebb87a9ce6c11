import { capabilitiesOf } from '@areas/agents/contract/agent-kinds';
import type { ProfileRow } from '@areas/agents/contract/procedures';
import { Field, Select } from '../../ui/controls/field';

/** The first agent that can start: one that edits files before a model, a model before a script. */
export function firstUsable(agents: readonly ProfileRow[]): ProfileRow | undefined {
  const usable = agents.filter(
    ({ trouble, profile }) => trouble === null && !capabilitiesOf(profile).rehearsed,
  );
  return usable.find(({ profile }) => capabilitiesOf(profile).changesFiles) ?? usable[0] ?? agents[0];
}

interface AgentSelectProps {
  readonly agents: readonly ProfileRow[];
  readonly agent: ProfileRow | undefined;
  readonly onAgent: (id: string) => void;
}

/** Chooses the agent that does the work, and says what keeps it from starting. */
export function AgentSelect({ agents, agent, onAgent }: AgentSelectProps) {
  return (
    <Field label="Agent" hint={agent?.trouble}>
      {(ids) => (
        <Select {...ids} value={agent?.profile.id ?? ''} onChange={(event) => onAgent(event.target.value)}>
          {agents.map(({ profile }) => (
            <option key={profile.id} value={profile.id}>
              {profile.name}
            </option>
          ))}
        </Select>
      )}
    </Field>
  );
}
