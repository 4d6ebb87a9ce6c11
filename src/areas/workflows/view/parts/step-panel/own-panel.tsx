import { ownValue } from '@contract/own';
import { Field as Labelled, Segments } from '@renderer/ui/controls/field';
import { Fold } from '@renderer/ui/layout/fold';
import type { ComponentType } from 'react';
import type { Field } from './fields/fields';
import { SchemaField } from './fields/schema-field';
import { useConfig, useStepForm } from './form-context';

/** The props of a panel for one step type: the fields of its configuration. */
export interface OwnPanelProps {
  readonly fields: readonly Field[];
}

/** Panels of step types whose fields need more than one form; by type. */
export type OwnPanels = ReadonlyMap<string, ComponentType<OwnPanelProps>>;

interface FieldsOfProps extends OwnPanelProps {
  readonly keys: readonly string[];
  /** Labels that replace those of the keys. */
  readonly labels?: Readonly<Record<string, string>>;
}

/** Some fields of the configuration, in this order. */
export function ConfigFields({ fields, keys, labels = {} }: FieldsOfProps) {
  return keys.map((key) => {
    const field = fields.find((one) => one.key === key);
    if (field === undefined) return null;
    return (
      <SchemaField
        key={key}
        field={{ ...field, label: ownValue(labels, key) ?? field.label }}
        path={['config', key]}
      />
    );
  });
}

/** Rarely needed fields, collapsed. The group is expanded if one of them has a value or a problem. */
export function FoldedFields({ title, ...of }: FieldsOfProps & { readonly title: string }) {
  const { valueAt, problemsAt, wanted } = useStepForm();
  const isNeeded = (key: string): boolean =>
    valueAt(['config', key]) !== undefined ||
    problemsAt(['config', key]).length > 0 ||
    (wanted?.path[0] === 'config' && wanted.path[1] === key);
  return (
    <Fold head={<span>{title}</span>} open={of.keys.some(isNeeded)}>
      <ConfigFields {...of} />
    </Fold>
  );
}

type Conversation = 'new' | 'continue';

/** The conversation in which a step with one agent prompts it. */
export function ConversationFields({ fields }: OwnPanelProps) {
  const { valueAt, set, unset, edit, disabled } = useConfig();
  const { problemsAt } = useStepForm();
  const [problem] = problemsAt(['config', 'session_mode']);
  return (
    <div data-path="config.session_mode">
      <Labelled label="Conversation" error={problem?.message}>
        {() => (
          <Segments<Conversation>
            label="Conversation"
            value={valueAt('session_mode') === 'continue' ? 'continue' : 'new'}
            options={[
              { value: 'new', label: 'A new one' },
              { value: 'continue', label: 'That of the step before' },
            ]}
            onChange={(next) => {
              if (!disabled)
                void edit([next === 'continue' ? set('session_mode', next) : unset('session_mode')]);
            }}
          />
        )}
      </Labelled>
      <ConfigFields fields={fields} keys={['session_persist']} />
    </div>
  );
}
