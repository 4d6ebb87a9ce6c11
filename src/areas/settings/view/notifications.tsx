import type { Settings } from '@contract/system/procedures';
import { useReadable } from '@renderer/client/hooks';
import { saveSettings, settings } from '@renderer/client/settings';
import { Check, Field, Select } from '@renderer/ui/controls/field';
import styles from './notifications.module.css';

type Switch = 'notifyGates' | 'notifyFailures' | 'notifyFinished';

const SWITCHES: readonly { readonly name: Switch; readonly label: string; readonly hint: string }[] = [
  { name: 'notifyGates', label: 'Something needs you', hint: 'A question, or the result of a team member.' },
  { name: 'notifyFailures', label: 'A run fails', hint: '' },
  { name: 'notifyFinished', label: 'A run finishes', hint: '' },
];

const REMINDERS: readonly number[] = [0, 5, 15, 30, 60, 120];

/** The command line may have set another time. */
const remindersWith = (set: number): number[] =>
  [...new Set([...REMINDERS, set])].toSorted((one, other) => one - other);

export function Notifications() {
  const all: Settings = useReadable(settings);
  return (
    <div className="fields">
      <Field label="Tell me when" hint="With a system notification, while the window is in the background.">
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
      <Field
        label="Remind me"
        hint="Once, about what still needs you, while the window is in the background."
      >
        {(ids) => (
          <Select
            {...ids}
            value={String(all.remindMinutes)}
            onChange={(event) => void saveSettings({ remindMinutes: Number(event.target.value) })}
          >
            {remindersWith(all.remindMinutes).map((minutes) => (
              <option key={minutes} value={minutes}>
                {minutes === 0 ? 'Never' : `After ${minutes} min`}
              </option>
            ))}
          </Select>
        )}
      </Field>
    </div>
  );
}
