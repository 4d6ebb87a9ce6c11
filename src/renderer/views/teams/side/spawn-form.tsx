import type { RunState } from '@contract/run/state';
import { useState } from 'react';
import { call } from '../../../client/rpc';
import { attempt } from '../../../client/toasts';
import { Button } from '../../../ui/button';
import { Check, Select, TextArea, TextInput } from '../../../ui/field';

interface SpawnFormProps {
  readonly place: { readonly runId: number; readonly activationId: number };
  readonly state: RunState;
  readonly onClose: () => void;
}

/** One more member, while the team is at work. */
export function SpawnForm({ place, state, onClose }: SpawnFormProps) {
  const profiles = Object.values(state.profiles);
  const [name, setName] = useState('');
  const [agent, setAgent] = useState(profiles[0]?.id ?? '');
  const [prompt, setPrompt] = useState('');
  const [iterative, setIterative] = useState(true);
  const [readOnly, setReadOnly] = useState(false);
  const ready = name.trim() !== '' && prompt.trim() !== '';
  const add = async () => {
    if (!ready) return;
    const input = { ...place, name: name.trim(), agent, prompt, iterative, readOnly };
    if ((await attempt(call('team.spawn', input), `Added ${name.trim()}`)) !== null) onClose();
  };
  return (
    <form
      className="spawn-form"
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
      <div className="composer-line">
        <TextInput
          autoFocus
          aria-label="Name"
          placeholder="Name"
          value={name}
          onChange={(event) => setName(event.target.value)}
        />
        <Select aria-label="Agent" value={agent} onChange={(event) => setAgent(event.target.value)}>
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
        placeholder="What is it to do?"
        value={prompt}
        onChange={(event) => setPrompt(event.target.value)}
      />
      <div className="composer-line">
        <Check checked={iterative} onChange={(event) => setIterative(event.target.checked)}>
          Iterative
        </Check>
        <Check checked={readOnly} onChange={(event) => setReadOnly(event.target.checked)}>
          Reads only
        </Check>
      </div>
      <div className="composer-line">
        <span className="grow" />
        <Button tone="ghost" caps={['Esc']} onClick={onClose}>
          Close
        </Button>
        <Button tone="primary" type="submit" caps={['Ctrl', 'Enter']} disabled={!ready}>
          Add
        </Button>
      </div>
    </form>
  );
}
