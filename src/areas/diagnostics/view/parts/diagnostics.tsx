import type { ProcedureOutput } from '@contract/ipc';
import { bytes } from '@renderer/client/format';
import { call } from '@renderer/client/rpc';
import { attempt, say } from '@renderer/client/toasts';
import { Button } from '@renderer/ui/controls/button';
import { Facts, Section } from '@renderer/ui/layout/facts';
import { useState } from 'react';

type Listed = ProcedureOutput<'diagnostics.list'>;

/** An archive for a report of a fault; its files are shown before it is saved. */
export function Diagnostics() {
  const [listed, setListed] = useState<Listed | null>(null);
  const list = async () => setListed(await attempt(call('diagnostics.list', {})));
  const save = async () => {
    const name = `muster-diagnostics-${new Date().toISOString().slice(0, 10)}.zip`;
    const chosen = await attempt(call('app.saveAs', { title: 'Save diagnostics', name }));
    if (chosen === null || chosen.path === null) return;
    const saved = await attempt(call('diagnostics.save', { path: chosen.path }));
    if (saved !== null) say(`Saved ${saved.path}`);
  };
  return (
    <Section
      title="Diagnostics"
      acts={
        listed === null ? (
          <Button onClick={() => void list()}>Show what is saved</Button>
        ) : (
          <Button tone="primary" onClick={() => void save()}>
            Save diagnostics
          </Button>
        )
      }
    >
      <p className="quiet">
        An archive for a report of a fault: versions, settings, logs, and sizes and states of runs. It holds
        no prompts, outputs, paths, environment values or names of projects.
      </p>
      {listed && (
        <Facts facts={listed.files.map((file) => ({ name: file.name, value: bytes(file.bytes) }))} />
      )}
    </Section>
  );
}
