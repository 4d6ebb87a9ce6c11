import { isMap } from '@areas/workflows/contract/change';
import { type Field, fieldsOf, freshValue } from '@areas/workflows/view/parts/step-panel/fields/fields';
import { Choices } from '@areas/workflows/view/parts/step-panel/fields/pickers';
import { Fields, SchemaField } from '@areas/workflows/view/parts/step-panel/fields/schema-field';
import { useSetValue, useStepForm } from '@areas/workflows/view/parts/step-panel/form-context';
import { ConfigFields, type OwnPanelProps } from '@areas/workflows/view/parts/step-panel/own-panel';
import styles from '@areas/workflows/view/parts/step-panel/step-panel.module.css';
import { Button, IconButton } from '@renderer/ui/controls/button';
import { FieldError, Field as Labelled, Select } from '@renderer/ui/controls/field';
import { Fold } from '@renderer/ui/layout/fold';
import { Plus, X } from 'lucide-react';
import { useMemo } from 'react';

const TARGET = ['config', 'target'];
const OF_TARGET = ['id', 'title', 'when', 'timeout_minutes', 'retry', 'on_interrupt', 'output_format'];

/** The step under test and its variants, each checked against that step's schema. */
export function ExperimentPanel({ fields }: OwnPanelProps) {
  const { valueAt, schemaOf } = useStepForm();
  const type = valueAt([...TARGET, 'type']);
  const schema = typeof type === 'string' ? schemaOf(type) : null;
  const config = useMemo(() => (schema === null ? [] : fieldsOf(schema)), [schema]);
  const target = fields.find(({ key }) => key === 'target');
  const inTarget = target?.of.kind === 'group' ? target.of.fields : [];
  const field = (key: string) => inTarget.find((one) => one.key === key);
  return (
    <>
      <section className={styles.list} aria-label="Target">
        <h3>Target</h3>
        <TypePicker />
        <Fields fields={config} path={[...TARGET, 'config']} />
        <Fold head={<span>When and how the target runs</span>}>
          {OF_TARGET.map((key) => {
            const one = field(key);
            return one && <SchemaField key={key} field={one} path={[...TARGET, key]} />;
          })}
        </Fold>
      </section>
      <Variants config={config} />
      <ConfigFields fields={fields} keys={['max_parallel', 'isolation']} />
    </>
  );
}

/** Another type starts with an empty configuration, since keys of one mean nothing to the other. */
function TypePicker() {
  const { valueAt, problemsAt, edit, step, disabled, types } = useStepForm();
  const type = valueAt([...TARGET, 'type']);
  const choose = (next: string) => {
    if (next === '' || next === type) return;
    const place = (key: string) => ({ kind: 'value.set' as const, step: [...step], path: [...TARGET, key] });
    const named = typeof valueAt([...TARGET, 'id']) === 'string' ? [] : [{ ...place('id'), value: 'target' }];
    void edit([...named, { ...place('type'), value: next }, { ...place('config'), value: {} }]);
  };
  return (
    <Labelled label="Type" error={problemsAt([...TARGET, 'type'])[0]?.message}>
      {(ids) => (
        <Choices
          ids={ids}
          disabled={disabled}
          required={true}
          none={'Choose a type'}
          value={typeof type === 'string' ? type : ''}
          options={types.map(({ type: value, title }) => ({ value, label: title }))}
          onChange={choose}
        />
      )}
    </Labelled>
  );
}

function Variants({ config }: { readonly config: readonly Field[] }) {
  const { valueAt, problemsAt, disabled, edit, step } = useStepForm();
  const path = ['config', 'variants'];
  const value = valueAt(path);
  const variants = Array.isArray(value) ? value : [];
  const place = { step: [...step], path };
  const [problem] = problemsAt(path);
  return (
    <section className={styles.list} aria-label="Variants">
      <h3>Variants</h3>
      {problem && <FieldError>{problem.message}</FieldError>}
      <ul>
        {variants.map((_, index) => (
          // biome-ignore lint/suspicious/noArrayIndexKey: a variant is identified only by its index
          <li key={index} className={styles.entry} aria-label={`Variant ${index + 1}`}>
            <div className={styles.entryHead}>
              <span className="grow">Variant {index + 1}</span>
              <IconButton
                icon={X}
                label={`Remove variant ${index + 1}`}
                disabled={disabled}
                onClick={() => void edit([{ kind: 'list.remove', ...place, at: index }])}
              />
            </div>
            <SchemaField field={NAME} path={[...path, index, 'name']} />
            {config.some(({ key }) => key === 'instruction') && (
              <SchemaField field={INSTRUCTION} path={[...path, index, 'instruction_override']} />
            )}
            <Overrides config={config} index={index} />
          </li>
        ))}
      </ul>
      <Button
        icon={Plus}
        disabled={disabled || variants.length >= 20}
        onClick={() =>
          void edit([
            {
              kind: 'list.insert',
              ...place,
              at: variants.length,
              value: { name: `Variant ${variants.length + 1}` },
            },
          ])
        }
      >
        Add variant
      </Button>
    </section>
  );
}

const [NAME, INSTRUCTION] = fieldsOf({
  type: 'object',
  properties: { name: { type: 'string' }, instruction_override: { type: 'string' } },
  required: ['name'],
}) as [Field, Field];

/** The settings in which a variant differs from the target, in the target's form. */
function Overrides({ config, index }: { readonly config: readonly Field[]; readonly index: number }) {
  const { valueAt, problemsAt, disabled, edit, step } = useStepForm();
  const path = ['config', 'variants', index, 'config_overrides'];
  const setAll = useSetValue(path);
  const value = valueAt(path);
  const keys = isMap(value) ? Object.keys(value) : [];
  const left = config.filter(({ key }) => !keys.includes(key) && key !== 'instruction');
  const add = (key: string) => {
    const field = config.find((one) => one.key === key);
    if (field === undefined) return;
    const now = valueAt([...TARGET, 'config', key]) ?? field.fallback ?? freshValue(field);
    void edit([{ kind: 'value.set', step: [...step], path: [...path, key], value: now }]);
  };
  const remove = (key: string) =>
    keys.length === 1
      ? setAll(undefined)
      : edit([{ kind: 'value.unset', step: [...step], path: [...path, key] }]);
  return (
    <>
      {keys.map((key) => {
        const field = config.find((one) => one.key === key);
        return (
          <div key={key} className={styles.entryHead}>
            <div className="grow">
              {field === undefined ? (
                <FieldError>
                  {problemsAt([...path, key])[0]?.message ?? `The target has no setting ${key}.`}
                </FieldError>
              ) : (
                <SchemaField field={field} path={[...path, key]} />
              )}
            </div>
            <IconButton
              icon={X}
              label={`Remove the override of ${field?.label.toLowerCase() ?? key}`}
              disabled={disabled}
              onClick={() => void remove(key)}
            />
          </div>
        );
      })}
      {left.length > 0 && (
        <Select
          aria-label={`Override a setting in variant ${index + 1}`}
          value=""
          disabled={disabled}
          onChange={({ target }) => add(target.value)}
        >
          <option value="">Override a setting</option>
          {left.map(({ key, label }) => (
            <option key={key} value={key}>
              {label}
            </option>
          ))}
        </Select>
      )}
    </>
  );
}
