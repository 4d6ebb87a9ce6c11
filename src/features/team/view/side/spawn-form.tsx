import type { RunState } from '@contract/run/state';
import { useDraft, useSending } from '@renderer/client/hooks';
import { call } from '@renderer/client/rpc';
import { attempt } from '@renderer/client/toasts';
import { sendCaps } from '@renderer/parts/controls/act';
import { Button } from '@renderer/ui/controls/button';
import { Check, Select, TextArea, TextInput } from '@renderer/ui/controls/field';
import { useState } from 'react';
import styles from '../teams.module.css';
import { readSpawn, type SpawnDraft } from './spawn-draft';

interface SpawnFormProps {
  readonly place: { readonly runId: number; readonly activationId: number };
  readonly state: RunState;
  readonly onClose: () => void;
}

/** Adds a member to a running team; drafts are kept. */
export function SpawnForm({ place, state, onClose }: SpawnFormProps) {
  const profiles = Object.values(state.profiles);
  const at = `team/${place.runId}/${place.activationId}/spawn`;
  const [kept, keep] = useDraft(at);
  const begin = useSending(at, kept);
  const draft = readSpawn(kept, profiles[0]?.id ?? '');
  const set = (change: Partial<SpawnDraft>) => keep(JSON.stringify({ ...draft, ...change }));
  const { name, agent, prompt, iterative, readOnly } = draft;
  const [adding, setAdding] = useState(false);
  const ready = name.trim() !== '' && prompt.trim() !== '' && !adding;
  const add = async () => {
    if (!ready) return;
    setAdding(true);
    const { key, answered } = begin();
    const added = await attempt(
      call('team.spawn', { ...place, ...draft, key, name: name.trim() }),
      `Added ${name.trim()}`,
    );
    setAdding(false);
    if (added === null) return;
    answered();
    keep('');
    onClose();
  };
  return (
    <form
      className={styles.spawnForm}
      aria-label="Add a member"
      onSubmit={(event) => {
        event.preventDefault();
        void add();
      }}
      onKeyDown={(event) => {
        if (event.key === 'Escape') onClose();
        else if (event.key === 'Enter' && (event.ctrlKey || event.metaKey)) void add();
        else return;
        event.preventDefault();
        event.stopPropagation();
      }}
    >
      <div className={styles.composerLine}>
        <TextInput
          autoFocus
          aria-label="Name"
          placeholder="Name"
          value={name}
          onChange={(event) => set({ name: event.target.value })}
        />
        <Select aria-label="Agent" value={agent} onChange={(event) => set({ agent: event.target.value })}>
          {profiles.map((profile) => (
            <option key={profile.id} value={profile.id}>
              {profile.name}
            </option>
          ))}
        </Select>
      </div>
      <TextArea
        rows={3}
        aria-label="Task"
        placeholder="What should it do?"
        value={prompt}
        onChange={(event) => set({ prompt: event.target.value })}
      />
      <div className={styles.composerLine}>
        <Check checked={iterative} onChange={(event) => set({ iterative: event.target.checked })}>
          Iterative
        </Check>
        <Check checked={readOnly} onChange={(event) => set({ readOnly: event.target.checked })}>
          Read-only
        </Check>
      </div>
      <div className={styles.composerLine}>
        <span className="grow" />
        <Button tone="ghost" caps={['Esc']} onClick={onClose}>
          Close
        </Button>
        <Button tone="primary" type="submit" caps={sendCaps} disabled={!ready}>
          Add
        </Button>
      </div>
    </form>
  );
}
