import type { Json } from '@contract/ids';
import { Button, IconButton } from '@renderer/ui/controls/button';
import { Check, FieldError, Field as Labelled, Select } from '@renderer/ui/controls/field';
import { Fold } from '@renderer/ui/layout/fold';
import { Plus, X } from 'lucide-react';
import type { ReactNode } from 'react';
import { shown } from '../../../../contract/apply-edit';
import { isMap } from '../../../../contract/change';
import type { ValuePath } from '../../../../contract/edit';
import { useSetting, useSetValue, useStepForm } from '../form-context';
import styles from '../step-panel.module.css';
import {
  type Field,
  type FieldKind,
  freshValue,
  labelOf,
  listName,
  optionOf,
  type UnionOption,
  unknownKeys,
} from './fields';
import { FilesField } from './files-field';
import { JsonField } from './json-field';
import { MapField } from './map-field';
import { FileButton, ProfilePicker, WorkflowPicker } from './pickers';
import { RePrompts } from './re-prompts';
import { StepsField } from './steps-field';
import { TextField } from './text-field';

interface FieldProps {
  readonly field: Field;
  readonly path: ValuePath;
}

/** One value of a step's configuration, with its problems. */
export function SchemaField(props: FieldProps) {
  return (
    <div className={styles.place} data-path={shown(props.path)}>
      <OfKind {...props} />
    </div>
  );
}

function OfKind({ field, path }: FieldProps) {
  const { of } = field;
  if (of.kind === 'group') return <Group field={field} path={path} fields={of.fields} />;
  if (of.kind === 'list') return <List field={field} path={path} of={of} />;
  if (of.kind === 'reprompts') return <RePrompts label={field.label} path={path} />;
  if (of.kind === 'files') return <FilesField label={field.label} path={path} />;
  if (of.kind === 'map')
    return (
      <MapField field={field} path={path} of={of} entry={(item, at) => <Entry item={item} path={at} />} />
    );
  if (of.kind === 'json') return <JsonField field={field} path={path} />;
  if (of.kind === 'steps') return <StepsField field={field} path={path} />;
  if (of.kind === 'union') return <Union field={field} path={path} options={of.options} />;
  if (of.kind === 'switch') return <Switch field={field} path={path} />;
  return <Single field={field} path={path} of={of} />;
}

/** The fields of one entry of a map. */
function Entry({ item, path }: { readonly item: Field; readonly path: ValuePath }) {
  return item.of.kind === 'group' ? <Fields fields={item.of.fields} path={path} /> : null;
}

/** A field's label, with a mark if it is required. */
const named = ({ label, required }: Field): string => (required ? `${label} (required)` : label);

function Single({ field, path, of }: FieldProps & { readonly of: FieldKind }) {
  const { valueAt, problemsAt, disabled } = useStepForm();
  const [problem] = problemsAt(path);
  const value = valueAt(path);
  return (
    <Labelled label={named(field)} hint={field.hint} error={problem?.message}>
      {(ids) => (
        <Control
          ids={ids}
          field={field}
          path={path}
          of={of}
          value={value}
          disabled={disabled}
          problem={problem?.message}
        />
      )}
    </Labelled>
  );
}

interface ControlProps extends FieldProps {
  readonly ids: {
    readonly id: string;
    readonly 'aria-describedby': string;
    readonly 'aria-invalid': boolean;
  };
  readonly of: FieldKind;
  readonly value: Json | undefined;
  readonly disabled: boolean;
  readonly problem: string | undefined;
}

function Control({ ids, field, path, of, value, disabled, problem }: ControlProps) {
  const set = useSetValue(path);
  const setting = useSetting(path);
  const text = typeof value === 'string' || typeof value === 'number' ? String(value) : '';
  const chosen = (next: string) => void cleared(next);
  const picker = { ids, value: text, required: field.required, disabled, onChange: chosen };
  const cleared = (next: string) => set(next === '' && !field.required ? undefined : next);
  switch (of.kind) {
    case 'choice':
      return (
        <Choice
          ids={ids}
          field={field}
          options={of.options}
          value={text}
          disabled={disabled}
          onChange={chosen}
        />
      );
    case 'number':
      return (
        <TextField
          id={ids.id}
          describedBy={ids['aria-describedby']}
          label={field.label}
          path={path}
          problem={problem}
          disabled={disabled}
          long={false}
          whole={true}
          number={{ min: of.min, max: of.max, step: of.isInteger ? 1 : 'any' }}
          placeholder={field.fallback === undefined ? undefined : String(field.fallback)}
          edits={(typed) => setting(typed === '' ? undefined : Number(typed))}
        />
      );
    case 'profile':
      return <ProfilePicker {...picker} />;
    case 'workflow':
      return <WorkflowPicker {...picker} />;
    case 'file':
    case 'text':
      return (
        <>
          <TextField
            id={ids.id}
            describedBy={ids['aria-describedby']}
            label={field.label}
            path={path}
            problem={problem}
            disabled={disabled}
            required={field.required}
            long={(of.kind === 'text' && of.long) || text.includes('\n')}
            placeholder={typeof field.fallback === 'string' ? field.fallback : undefined}
            edits={(typed) => setting(typed === '' && !field.required ? undefined : typed)}
          />
          {of.kind === 'file' && <FileButton label={field.label} disabled={disabled} onChange={chosen} />}
        </>
      );
    default:
      return null;
  }
}

interface ChoiceProps extends Pick<ControlProps, 'ids' | 'field' | 'value' | 'disabled'> {
  readonly options: readonly string[];
  readonly onChange: (value: string) => void;
}

/**
 * A choice between fixed values. The default is listed once, and choosing it removes the key from the file.
 */
function Choice({ ids, field, options, value, disabled, onChange }: ChoiceProps) {
  const usual = options.find((option) => option === field.fallback);
  const now = typeof value === 'string' && value !== '' ? value : (usual ?? '');
  const words = (option: string) => `${labelOf(option)}${option === usual ? ' (default)' : ''}`;
  return (
    <Select
      {...ids}
      value={now}
      disabled={disabled}
      onChange={({ target }) => onChange(target.value === usual ? '' : target.value)}
    >
      {usual === undefined && <option value="">{field.required ? 'Choose one' : 'Not set'}</option>}
      {now !== '' && !options.includes(now) && <option value={now}>{now} (not known)</option>}
      {options.map((option) => (
        <option key={option} value={option}>
          {words(option)}
        </option>
      ))}
    </Select>
  );
}

function Switch({ field, path }: FieldProps) {
  const { valueAt, problemsAt, disabled } = useStepForm();
  const set = useSetValue(path);
  const value = valueAt(path);
  const usual = field.fallback === true;
  const [problem] = problemsAt(path);
  return (
    <div>
      <Check
        checked={typeof value === 'boolean' ? value : usual}
        disabled={disabled}
        onChange={({ target }) =>
          void set(target.checked === usual && !field.required ? undefined : target.checked)
        }
      >
        {field.label}
      </Check>
      {problem && <FieldError>{problem.message}</FieldError>}
    </div>
  );
}

function Group({ field, path, fields }: FieldProps & { readonly fields: readonly Field[] }) {
  const { valueAt, disabled, problemsAt, wanted } = useStepForm();
  const set = useSetValue(path);
  const value = valueAt(path);
  const [problem] = problemsAt(path);
  const leadsIn = wanted !== null && path.every((part, at) => wanted.path[at] === part);
  return (
    <Fold head={<span>{named(field)}</span>} open={isMap(value) || leadsIn}>
      {problem && <FieldError>{problem.message}</FieldError>}
      <Fields fields={fields} path={path} />
      {isMap(value) && !field.required && (
        <Button tone="ghost" icon={X} disabled={disabled} onClick={() => void set(undefined)}>
          Remove {field.label.toLowerCase()}
        </Button>
      )}
    </Fold>
  );
}

/** The fields of a map, and its other keys. */
export function Fields({ fields, path }: { readonly fields: readonly Field[]; readonly path: ValuePath }) {
  return (
    <>
      {fields.map((field) => (
        <SchemaField key={field.key} field={field} path={[...path, field.key]} />
      ))}
      <UnknownKeys fields={fields} path={path} />
    </>
  );
}

/** Keys that no field shows: they stay in the file. */
export function UnknownKeys({
  fields,
  path,
}: {
  readonly fields: readonly Field[];
  readonly path: ValuePath;
}) {
  const { valueAt } = useStepForm();
  const unknown = unknownKeys(valueAt(path), fields);
  if (unknown.length === 0) return null;
  return (
    <p className="quiet">
      Also in the file, unchanged: <span className="mono">{unknown.join(', ')}</span>
    </p>
  );
}

function List({ field, path, of }: FieldProps & { readonly of: FieldKind & { kind: 'list' } }) {
  const { valueAt, problemsAt, disabled, edit, step } = useStepForm();
  const value = valueAt(path);
  const entries = Array.isArray(value) ? value : [];
  const place = { step: [...step], path: [...path] };
  const [problem] = problemsAt(path);
  const full = of.most !== null && entries.length >= of.most;
  const name = of.item.label;
  const usual = Array.isArray(field.fallback) ? someOf(field.fallback.map(String)) : '';
  const entry = (index: number): ReactNode => (
    <li key={index} className={styles.entry} aria-label={`${name} ${index + 1}`}>
      <div className={styles.entryHead}>
        <span className="grow">
          {name} {index + 1}
          {roleOf(entries[index])}
        </span>
        <IconButton
          icon={X}
          label={`Remove ${name.toLowerCase()} ${index + 1}`}
          disabled={disabled}
          onClick={() => void edit([{ kind: 'list.remove', ...place, at: index }])}
        />
      </div>
      {of.item.of.kind === 'group' ? (
        <Fields fields={of.item.of.fields} path={[...path, index]} />
      ) : (
        <SchemaField field={{ ...of.item, label: `${name} ${index + 1}` }} path={[...path, index]} />
      )}
    </li>
  );
  return (
    <section className={styles.list} aria-label={listName(field.label, path)}>
      <h3>{named(field)}</h3>
      {problem && <FieldError>{problem.message}</FieldError>}
      {value === undefined && usual !== '' && <p className="quiet">If empty: {usual}.</p>}
      <ul>{entries.map((_, index) => entry(index))}</ul>
      <Button
        icon={Plus}
        disabled={disabled || full}
        tip={full ? `At most ${of.most}` : undefined}
        onClick={() =>
          void edit([{ kind: 'list.insert', ...place, at: entries.length, value: freshValue(of.item) }])
        }
      >
        Add {name.toLowerCase()}
      </Button>
    </section>
  );
}

const MOST_NAMED = 6;

/** The first of many words, and the number of the others. */
function someOf(words: readonly string[]): string {
  const more = words.length - MOST_NAMED;
  return `${words.slice(0, MOST_NAMED).join(', ')}${more > 0 ? ` and ${more} more` : ''}`;
}

/** The role of an entry, as of an agent of a coding step: `: builder`. */
function roleOf(entry: Json | undefined): string {
  const name = isMap(entry) ? (entry.role ?? entry.name) : undefined;
  return typeof name === 'string' && name !== '' ? `: ${name}` : '';
}

/** A choice between several forms, and the field of the chosen form. */
function Union({ field, path, options }: FieldProps & { readonly options: readonly UnionOption[] }) {
  const { valueAt, problemsAt, disabled } = useStepForm();
  const set = useSetValue(path);
  const value = valueAt(path);
  const [problem] = problemsAt(path);
  const at = optionOf(options, value ?? field.fallback);
  const chosen = options[at];
  const choose = (next: UnionOption | undefined) => {
    if (next === undefined) void set(undefined);
    else void set(next.only ?? freshValue(next.field));
  };
  return (
    <div className={styles.list}>
      <Labelled label={named(field)} hint={field.hint} error={problem?.message}>
        {(ids) => (
          <Select
            {...ids}
            value={at < 0 ? '' : String(at)}
            disabled={disabled}
            onChange={({ target }) => choose(target.value === '' ? undefined : options[Number(target.value)])}
          >
            {!(field.required && at >= 0) && <option value="">Not set</option>}
            {options.map(({ label }, index) => (
              <option key={label} value={String(index)}>
                {label}
              </option>
            ))}
          </Select>
        )}
      </Labelled>
      {chosen !== undefined && chosen.only === undefined && value !== undefined && (
        <SchemaField field={{ ...chosen.field, label: chosen.label }} path={path} />
      )}
    </div>
  );
}
