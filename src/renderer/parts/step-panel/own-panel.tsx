import { own } from '@contract/own';
import type { ComponentType } from 'react';
import type { Field } from './fields';
import { SchemaField } from './schema-field';

/** What the panel of one step type is given: the fields of its configuration. */
export interface OwnPanelProps {
  readonly fields: readonly Field[];
}

/** Panels of step types whose fields belong together in more than one form; by the type. */
export type OwnPanels = ReadonlyMap<string, ComponentType<OwnPanelProps>>;

interface FieldsOfProps extends OwnPanelProps {
  readonly keys: readonly string[];
  /** Words for a field in the place of its key's. */
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
        field={{ ...field, label: own(labels, key) ?? field.label }}
        path={['config', key]}
      />
    );
  });
}
