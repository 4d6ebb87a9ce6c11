import type { Settings } from '@contract/system/procedures';
import { useReadable, useSwitch } from '@renderer/client/hooks';
import { saveSettings, settings } from '@renderer/client/settings';
import { Check, Field } from '@renderer/ui/controls/field';
import { Saved } from './parts/saved';

type Limits = Settings['terminals'];

/** The disk usage of terminals, and how they are displayed. */
export function Terminals() {
  const { terminals } = useReadable(settings);
  const [screenReader, setScreenReader] = useSwitch('terminal.screenReader', false);
  const save = async (key: keyof Limits, text: string): Promise<boolean> => {
    const value = Number(text);
    return Number.isInteger(value) && saveSettings({ terminals: { ...terminals, [key]: value } });
  };
  return (
    <div className="fields">
      <Field
        label="Output limit per terminal (MB)"
        hint="The oldest part of a longer output is dropped. The terminal shows where its output starts."
      >
        {(ids) => (
          <Saved
            {...ids}
            inputMode="numeric"
            value={String(terminals.terminalMb)}
            onSave={(text) => save('terminalMb', text)}
          />
        )}
      </Field>
      <Field
        label="Output limit of all terminals (MB)"
        hint="Above this, Muster drops output of runs in the bin, then of finished runs, oldest first. Runs in progress keep theirs."
      >
        {(ids) => (
          <Saved
            {...ids}
            inputMode="numeric"
            value={String(terminals.totalMb)}
            onSave={(text) => save('totalMb', text)}
          />
        )}
      </Field>
      <Field label="Screen reader" hint="Slows terminals during heavy output.">
        {(ids) => (
          <Check {...ids} checked={screenReader} onChange={(event) => setScreenReader(event.target.checked)}>
            Let a screen reader read the terminals
          </Check>
        )}
      </Field>
    </div>
  );
}
