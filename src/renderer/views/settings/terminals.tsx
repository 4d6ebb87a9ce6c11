import type { Settings } from '@contract/system/procedures';
import { useReadable, useSwitch } from '../../client/hooks';
import { saveSettings, settings } from '../../client/settings';
import { Check, Field } from '../../ui/field';
import { Saved } from './saved';

type Limits = Settings['terminals'];

/** What terminals keep on disk, and how they are read. */
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
        hint="Of an output that is longer, the oldest part is dropped. The terminal says from where on it is whole."
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
        label="All terminals together keep, in MB"
        hint="Over that, outputs of runs in the bin are dropped, then those of finished runs, the oldest first; never those of a run in progress."
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
      <Field label="Screen reader" hint="Costs some speed in a flood.">
        {(ids) => (
          <Check {...ids} checked={screenReader} onChange={(event) => setScreenReader(event.target.checked)}>
            Let a screen reader read the terminals
          </Check>
        )}
      </Field>
    </div>
  );
}
