import type { ProcedureInput } from '@contract/ipc';
import { call } from '@renderer/client/rpc';
import { attempt, say } from '@renderer/client/toasts';
import { refresh } from '@renderer/client/wire/query';
import { Button } from '@renderer/ui/controls/button';
import { closeFirst, Question } from '@renderer/ui/controls/dialog';
import { Field, TextInput } from '@renderer/ui/controls/field';
import { useState } from 'react';

/** True if the team's file was created. */
export async function saveTemplate(wish: ProcedureInput<'team.saveTemplate'>): Promise<boolean> {
  const saved = await attempt(call('team.saveTemplate', wish));
  if (saved === null) return false;
  say(`Saved as ${saved.file}`);
  await refresh('team.templates');
  return true;
}

interface SaveTemplateProps extends Omit<ProcedureInput<'team.saveTemplate'>, 'name'> {
  readonly onClose: () => void;
}

/** Asks for the name of a team template. */
export function SaveTemplate({ onClose, ...team }: SaveTemplateProps) {
  const [name, setName] = useState('');
  const can = name.trim() !== '';
  const save = async () => {
    if (can && (await saveTemplate({ ...team, name: name.trim() }))) closeFirst(onClose);
  };
  const buttons = (
    <>
      <Button onClick={onClose}>Cancel</Button>
      <Button tone="primary" disabled={!can} onClick={() => void save()}>
        Save as template
      </Button>
    </>
  );
  return (
    <Question title="Save as template" onClose={onClose} footer={buttons}>
      <form
        className="fields"
        onSubmit={(event) => {
          event.preventDefault();
          void save();
        }}
      >
        <Field label="Name" hint="The file is created in .muster/teams/ of the project.">
          {(ids) => (
            <TextInput {...ids} autoFocus value={name} onChange={(event) => setName(event.target.value)} />
          )}
        </Field>
      </form>
    </Question>
  );
}
