import { useQuery } from '@renderer/client/hooks';
import { call } from '@renderer/client/rpc';
import { attempt } from '@renderer/client/toasts';
import { refresh } from '@renderer/client/wire/query';
import { ErrorNote } from '@renderer/parts/problems/error-note';
import { Button, IconButton } from '@renderer/ui/controls/button';
import { Confirm } from '@renderer/ui/controls/dialog';
import { TextInput } from '@renderer/ui/controls/field';
import { Glyph } from '@renderer/ui/controls/icon';
import { Section } from '@renderer/ui/layout/facts';
import { Note } from '@renderer/ui/layout/note';
import { KeyRound, Trash2 } from 'lucide-react';
import { useState } from 'react';
import type { AgentProfile } from '../contract/profile';
import { secretNamesOf } from '../contract/secret-names';
import styles from './secrets.module.css';

/** Names of secrets that profiles need; their values are in the keychain and are never shown. */
export function Secrets({ profiles }: { profiles: readonly AgentProfile[] }) {
  const { value, error } = useQuery('secret.list', {});
  const [removing, setRemoving] = useState<string | null>(null);
  const wanted = new Map<string, string[]>();
  for (const profile of profiles) {
    for (const name of secretNamesOf(profile)) wanted.set(name, [...(wanted.get(name) ?? []), profile.name]);
  }
  const stored = new Set(value?.names ?? []);
  const names = [...new Set([...stored, ...wanted.keys()])].sort();
  return (
    <article className="pane" aria-label="Secrets">
      <header className="detail-head">
        <h1>Secrets</h1>
        <p className="quiet">
          Stored in your system’s keychain, passed to agents as environment variables, never shown.
        </p>
      </header>
      <div className="scroll profile-body" data-focus tabIndex={-1}>
        {error && <ErrorNote error={error} />}
        {value?.available === false && (
          <Note tone="waits">
            No keychain is available{value.why ? `: ${value.why}` : ''}. Set the variables in the environment
            that starts Muster instead.
          </Note>
        )}
        <Section title="Names" count={names.length}>
          {names.length === 0 && <p className="faint">No profile needs a secret, and none is stored.</p>}
          <ul className={styles.secretList}>
            {names.map((name) => (
              <li key={name}>
                <Glyph of={KeyRound} size={14} />
                <span className="mono">{name}</span>
                <span className="quiet cut grow">{(wanted.get(name) ?? []).join(', ')}</span>
                <span className={stored.has(name) ? 'faint' : 'waits-text'}>
                  {stored.has(name) ? 'in the keychain' : 'not set'}
                </span>
                {stored.has(name) && (
                  <IconButton icon={Trash2} label={`Remove ${name}`} onClick={() => setRemoving(name)} />
                )}
              </li>
            ))}
          </ul>
        </Section>
        {value?.available === true && <SetSecret />}
      </div>
      {removing && (
        <Confirm
          title={`Remove ${removing} from the keychain?`}
          verb="Remove"
          onConfirm={() => void removeSecret(removing)}
          onClose={() => setRemoving(null)}
        >
          Agents that need it will report an error at their next start.
        </Confirm>
      )}
    </article>
  );
}

async function removeSecret(name: string): Promise<void> {
  await attempt(call('secret.remove', { name }), `Removed ${name}`);
  await refresh('secret.list');
}

function SetSecret() {
  const [name, setName] = useState('');
  const [secret, setSecret] = useState('');
  const fits = /^[A-Za-z_][A-Za-z0-9_]*$/.test(name);
  const set = async () => {
    const done = await attempt(call('secret.set', { name, value: secret }), `${name} is in the keychain`);
    if (done === null) return;
    setName('');
    setSecret('');
    await refresh('secret.list');
  };
  return (
    <Section title="Set a secret">
      <form
        className={styles.secretForm}
        onSubmit={(event) => {
          event.preventDefault();
          if (fits && secret !== '') void set();
        }}
      >
        <TextInput
          className="mono"
          aria-label="Name"
          placeholder="ANTHROPIC_API_KEY"
          value={name}
          onChange={(event) => setName(event.target.value)}
        />
        <TextInput
          type="password"
          aria-label="Value"
          placeholder="Value"
          value={secret}
          onChange={(event) => setSecret(event.target.value)}
        />
        <Button type="submit" tone="primary" disabled={!fits || secret === ''}>
          Set
        </Button>
      </form>
      {name !== '' && !fits && (
        <p className="note failed-text">
          A name has letters, digits and _ only, and does not begin with a digit.
        </p>
      )}
    </Section>
  );
}
