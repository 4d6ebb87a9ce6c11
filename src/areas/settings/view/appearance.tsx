import { useReadable } from '@renderer/client/hooks';
import { saveSettings, settings } from '@renderer/client/settings';
import { Field, Segments } from '@renderer/ui/controls/field';

export function Appearance() {
  const { theme, density, rail, diffLayout } = useReadable(settings);
  return (
    <div className="fields">
      <Field label="Theme" hint="High contrast follows your system.">
        {() => (
          <Segments
            label="Theme"
            value={theme}
            options={[
              { value: 'system', label: 'System' },
              { value: 'light', label: 'Light' },
              { value: 'dark', label: 'Dark' },
            ]}
            onChange={(theme) => void saveSettings({ theme })}
          />
        )}
      </Field>
      <Field label="Rows">
        {() => (
          <Segments
            label="Rows"
            value={density}
            options={[
              { value: 'normal', label: 'Normal' },
              { value: 'dense', label: 'Dense' },
            ]}
            onChange={(density) => void saveSettings({ density })}
          />
        )}
      </Field>
      <Field label="Views" hint="The column at the left. A window below 1300 pixels has icons alone.">
        {() => (
          <Segments
            label="Views"
            value={rail}
            options={[
              { value: 'words', label: 'Icons and names' },
              { value: 'icons', label: 'Icons alone' },
            ]}
            onChange={(rail) => void saveSettings({ rail })}
          />
        )}
      </Field>
      <Field
        label="Changes"
        hint="Old beside new needs some width; where there is less, lines are in one column."
      >
        {() => (
          <Segments
            label="Changes"
            value={diffLayout}
            options={[
              { value: 'unified', label: 'One column' },
              { value: 'split', label: 'Old beside new' },
            ]}
            onChange={(diffLayout) => void saveSettings({ diffLayout })}
          />
        )}
      </Field>
      <Field label="Motion" hint="Off if your system asks for reduced motion.">
        {() => <span className="quiet field-fixed">System</span>}
      </Field>
    </div>
  );
}
