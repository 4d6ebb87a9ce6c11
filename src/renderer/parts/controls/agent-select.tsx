import type { ProfileRow } from '@areas/agents/contract/procedures';
import { REHEARSAL, rehearsalHint } from '@areas/agents/contract/rehearsal';
import { Field, Select } from '../../ui/controls/field';
import { NoAgent } from '../doctor/no-agent';
import { useDoctor } from '../doctor/use-doctor';
import { isRehearsed } from './first-usable';

interface AgentSelectProps {
  readonly agents: readonly ProfileRow[];
  readonly agent: ProfileRow | undefined;
  readonly onAgent: (id: string) => void;
  /** Closes the dialog that it stands in, if it leads elsewhere. */
  readonly onLeave?: () => void;
}

/** Chooses the agent that does the work, and says what keeps it from starting. */
export function AgentSelect({ agents, agent, onAgent, onLeave }: AgentSelectProps) {
  const doctor = useDoctor().value;
  const rehearsals = agents.filter(isRehearsed);
  const real = agents.filter((row) => !isRehearsed(row));
  const hint = agent && isRehearsed(agent) ? rehearsalHint : lackOf(agent, doctor);
  return (
    <>
      <NoAgent doctor={doctor} onLeave={onLeave} />
      <Field label="Agent" hint={agent?.trouble ?? hint}>
        {(ids) => (
          <Select {...ids} value={agent?.profile.id ?? ''} onChange={(event) => onAgent(event.target.value)}>
            {agent === undefined && <option value="">Choose an agent</option>}
            <Options of={real} />
            {rehearsals.length > 0 && (
              <optgroup label={REHEARSAL}>
                <Options of={rehearsals} />
              </optgroup>
            )}
          </Select>
        )}
      </Field>
    </>
  );
}

/** What the agent lacks on this machine; nothing if it is ready, or not known to lack anything. */
const lackOf = (row: ProfileRow | undefined, doctor: ReturnType<typeof useDoctor>['value']): string | null =>
  doctor?.checks.find(({ agent, state }) => state === 'missing' && agent === row?.profile.id)?.detail ?? null;

const Options = ({ of }: { readonly of: readonly ProfileRow[] }) =>
  of.map(({ profile, source, projectId }) => (
    <option key={`${source}/${projectId}/${profile.id}`} value={profile.id}>
      {profile.name}
    </option>
  ));
