import type { Settings } from '@contract/system/procedures';
import { useReadable } from '../../client/hooks';
import { saveSettings, settings } from '../../client/settings';
import { Check, Field } from '../../ui/field';
import styles from './notifications.module.css';

type Switch = 'notifyGates' | 'notifyFailures' | 'notifyFinished';

const SWITCHES: readonly { readonly name: Switch; readonly label: string; readonly hint: string }[] = [
  { name: 'notifyGates', label: 'A gate opens', hint: 'Something waits for you.' },
  { name: 'notifyFailures', label: 'A run fails', hint: '' },
  { name: 'notifyFinished', label: 'A run ends well', hint: '' },
];

export function Notifications() {
  const all: Settings = useReadable(settings);
  return (
    <div className="fields">
      <Field label="Tell me when" hint="By a notification of your system, while the window is not in front.">
        {() => (
          <div className={styles.checksList}>
            {SWITCHES.map(({ name, label, hint }) => (
              <Check
                key={name}
                checked={all[name]}
                onChange={(event) => void saveSettings({ [name]: event.target.checked })}
              >
                {label} <span className="faint">{hint}</span>
              </Check>
            ))}
          </div>
        )}
      </Field>
    </div>
  );
}
