import { About } from '@areas/settings/view/parts/about';
import { useQuery } from '@renderer/client/hooks';
import { call } from '@renderer/client/rpc';
import { attempt } from '@renderer/client/toasts';
import { refresh } from '@renderer/client/wire/query';
import { ErrorNote } from '@renderer/parts/problems/error-note';
import { Button } from '@renderer/ui/controls/button';
import { Field, TextInput } from '@renderer/ui/controls/field';
import { Section } from '@renderer/ui/layout/facts';
import { useState } from 'react';
import { HostLine } from './host-line';
import styles from './hosts.module.css';

/** Remote hosts: whether they can be reached and what is there; they are added, tested and removed here. */
export function Hosts() {
  const found = useQuery('host.list', {});
  const [testing, setTesting] = useState<string | null>(null);
  const rows = found.value?.rows ?? [];
  const test = async (name: string) => {
    setTesting(name);
    await attempt(call('host.test', { name }), `${name} is ready.`);
    setTesting(null);
    await refresh('host.list');
  };
  const remove = async (name: string) => {
    await attempt(call('host.remove', { name }), `Removed ${name}.`);
    await refresh('host.list');
  };
  return (
    <>
      <About>
        A workflow with a host runs its commands and agents there. A host is an entry of your own
        ~/.ssh/config that you can reach without typing a password. Muster stores no key and no password.
      </About>
      {found.error && <ErrorNote error={found.error} />}
      <Section title="Hosts" count={rows.length}>
        {rows.length === 0 && <p className="quiet">No hosts yet.</p>}
        <ul aria-label="Hosts" className={styles.hosts}>
          {rows.map((row) => (
            <HostLine
              key={row.name}
              row={row}
              testing={testing === row.name}
              onTest={() => void test(row.name)}
              onRemove={() => void remove(row.name)}
            />
          ))}
        </ul>
      </Section>
      <NewHost />
    </>
  );
}

function NewHost() {
  const [name, setName] = useState('');
  const [ssh, setSsh] = useState('');
  const add = async () => {
    const added = await attempt(call('host.add', { name, ssh: ssh === '' ? name : ssh }), `Added ${name}.`);
    if (added === null) return;
    setName('');
    setSsh('');
    await refresh('host.list');
  };
  return (
    <Section title="New host">
      <form
        className={`fields ${styles.form}`}
        onSubmit={(event) => {
          event.preventDefault();
          void add();
        }}
      >
        <Field label="Name" hint="A workflow names it: host: NAME">
          {(ids) => <TextInput {...ids} value={name} onChange={({ target }) => setName(target.value)} />}
        </Field>
        <Field label="Entry of your ssh configuration" hint="Empty: the same as the name">
          {(ids) => <TextInput {...ids} value={ssh} onChange={({ target }) => setSsh(target.value)} />}
        </Field>
        <Button type="submit" disabled={name.trim() === ''}>
          Add host
        </Button>
      </form>
    </Section>
  );
}
