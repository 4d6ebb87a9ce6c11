import { useRoute } from '@renderer/client/hooks';
import { copyText } from '@renderer/parts/controls/copy';
import { Button } from '@renderer/ui/controls/button';
import { Note } from '@renderer/ui/layout/note';
import type { ProfileRow } from '../contract/procedures';
import type { DetectedAgent } from '../contract/profile';
import { fieldsOf, type Kind } from './fields';
import { emptyValues, toValues } from './form';
import { ProfileForm } from './profile-form';
import type { AgentListRow } from './rows';
import { Secrets } from './secrets';

interface AgentDetailProps {
  readonly row: AgentListRow | null;
  readonly profiles: readonly ProfileRow[];
}

const isKind = (text: string): text is Kind => Object.hasOwn(fieldsOf, text);

export function AgentDetail({ row, profiles }: AgentDetailProps) {
  const { path, query } = useRoute();
  if (row === null) {
    const kind = isKind(path[2] ?? '') ? (path[2] as Kind) : 'acp';
    const from = profiles.find((row) => row.profile.id === query.from)?.profile;
    const values = from
      ? { ...toValues(from), id: `${from.id}-2`, name: `${from.name} 2` }
      : emptyValues(kind);
    const origin = from?.kind ?? kind;
    return (
      <ProfileForm
        key={`new/${origin}/${query.from}`}
        draft={`agent/new/${origin}/${query.from ?? ''}`}
        kind={origin}
        values={values}
        source="new"
        title="New profile"
      />
    );
  }
  if (row.heading) return null;
  if (row.kind === 'secrets') return <Secrets profiles={profiles.map((row) => row.profile)} />;
  if (row.kind === 'detected') {
    const { detected } = row;
    return (
      <ProfileForm
        key={row.key}
        draft={`agent/${row.key}`}
        kind={detected.profile.kind}
        values={toValues(detected.profile)}
        source="new"
        title={detected.name}
        note={<Installed agent={detected} />}
      />
    );
  }
  const { profile, source, trouble } = row.profile;
  return (
    <ProfileForm
      key={row.key}
      draft={`agent/${row.key}`}
      kind={profile.kind}
      values={toValues(profile)}
      source={source}
      title={profile.name}
      note={
        <>
          {trouble && <Note tone="failed">{trouble}</Note>}
          {row.found && <Installed agent={row.found} />}
        </>
      }
    />
  );
}

/** Where it was found and in which version, or how to install it. */
function Installed({ agent }: { agent: DetectedAgent }) {
  if (agent.found) {
    return (
      <Note tone="done">
        Found: <span className="mono">{agent.path}</span>
        {agent.version && `, version ${agent.version}`}
      </Note>
    );
  }
  return (
    <Note
      tone="plain"
      acts={<Button onClick={() => copyText(agent.install, 'Copied the command')}>Copy the command</Button>}
    >
      Not found on PATH. To install it: <code>{agent.install}</code>
    </Note>
  );
}
