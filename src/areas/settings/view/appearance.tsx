import { useReadable } from '@renderer/client/hooks';
import { saveSettings, settings } from '@renderer/client/settings';
import { Field, Segments } from '@renderer/ui/controls/field';

export function Appearance() {
  const { theme, density } = useReadable(settings);
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
      <Field label="Motion" hint="Off if your system asks for reduced motion.">
        {() => <span className="quiet field-fixed">System</span>}
      </Field>
    </div>
  );
}
