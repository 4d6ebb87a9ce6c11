import { plural } from '@renderer/client/format';
import { useQuery, useReadable } from '@renderer/client/hooks';
import { saveSettings, settings } from '@renderer/client/settings';
import { Check, Field, Select } from '@renderer/ui/controls/field';
import { Saved } from './parts/saved';

export function Work() {
  const { defaultProfile, editorCommand, keepInTray, undoSeconds } = useReadable(settings);
  const profiles = useQuery('agent.list', {}).value ?? [];
  return (
    <div className="fields">
      <Field label="Default profile" hint="For steps that name no profile.">
        {(ids) => (
          <Select
            {...ids}
            value={defaultProfile ?? ''}
            onChange={(event) => void saveSettings({ defaultProfile: event.target.value || null })}
          >
            <option value="">None: such a step is an error</option>
            {profiles.map(({ profile }) => (
              <option key={profile.id} value={profile.id}>
                {profile.name}
              </option>
            ))}
          </Select>
        )}
      </Field>
      <Field
        label="Editor"
        hint="The command that opens a file, for example code --goto {file}:{line}. Empty: what your system opens it with."
      >
        {(ids) => (
          <Saved
            {...ids}
            className="mono"
            value={editorCommand}
            onSave={(editorCommand) => saveSettings({ editorCommand })}
          />
        )}
      </Field>
      <Field label="Time to undo" hint="A decision in the window is sent after this time.">
        {(ids) => (
          <Select
            {...ids}
            value={undoSeconds}
            onChange={(event) => void saveSettings({ undoSeconds: Number(event.target.value) })}
          >
            {[...new Set([0, 5, 10, 30, undoSeconds])].map((seconds) => (
              <option key={seconds} value={seconds}>
                {seconds === 0 ? 'None: decisions are sent at once' : plural(seconds, 'second')}
              </option>
            ))}
          </Select>
        )}
      </Field>
      <Field label="Window" hint="Agents go on working while the window is closed.">
        {(ids) => (
          <Check
            {...ids}
            checked={keepInTray}
            onChange={(event) => void saveSettings({ keepInTray: event.target.checked })}
          >
            Keep Muster in the tray when its window is closed
          </Check>
        )}
      </Field>
    </div>
  );
}
