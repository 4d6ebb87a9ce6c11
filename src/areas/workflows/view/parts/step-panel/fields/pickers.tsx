import { useQuery } from '@renderer/client/hooks';
import { call } from '@renderer/client/rpc';
import { attempt } from '@renderer/client/toasts';
import { pickFiles } from '@renderer/parts/controls/attached';
import { Button } from '@renderer/ui/controls/button';
import { Select } from '@renderer/ui/controls/field';
import { FolderOpen } from 'lucide-react';
import { useState } from 'react';
import { CopyQuestion } from '../copy-question';
import { useStepForm } from '../form-context';
import { pathInProject } from './project-path';

interface PickerProps {
  readonly ids: {
    readonly id: string;
    readonly 'aria-describedby': string;
    readonly 'aria-invalid': boolean;
  };
  readonly value: string;
  readonly required: boolean;
  readonly disabled: boolean;
  readonly onChange: (value: string) => void;
}

interface ChoicesProps extends PickerProps {
  readonly none: string;
  readonly options: readonly { readonly value: string; readonly label: string }[];
}

/** A choice of existing ids; an id in the file that does not exist stays and is reported as missing. */
export function Choices({ ids, value, disabled, onChange, none, options }: ChoicesProps) {
  const known = value === '' || options.some((one) => one.value === value);
  return (
    <Select {...ids} value={value} disabled={disabled} onChange={({ target }) => onChange(target.value)}>
      <option value="">{none}</option>
      {!known && <option value={value}>{value} (not found)</option>}
      {options.map((one) => (
        <option key={one.value} value={one.value}>
          {one.label}
        </option>
      ))}
    </Select>
  );
}

export function ProfilePicker(props: PickerProps) {
  const { projectId } = useStepForm();
  const profiles = (useQuery('agent.list', { projectId }).value ?? []).map(({ profile }) => profile);
  const options = profiles.map(({ id, name }) => ({ value: id, label: name }));
  return <Choices {...props} options={options} none={props.required ? 'Choose an agent' : 'Default agent'} />;
}

export function WorkflowPicker(props: PickerProps) {
  const { projectId, file } = useStepForm();
  const rows = useQuery('workflow.list', { projectId }).value ?? [];
  const options = rows
    .filter((row) => row.file !== file)
    .map((row) => ({ value: row.file.replaceAll('\\', '/'), label: row.name }));
  return <Choices {...props} options={options} none="None" />;
}

/** Chooses a file of the project; a file from outside is copied in if the operator agrees. */
export function FileButton({
  label,
  disabled,
  onChange,
}: Pick<PickerProps, 'disabled' | 'onChange'> & { readonly label: string }) {
  const { projectId } = useStepForm();
  const root = (useQuery('project.list', {}).value ?? []).find(({ id }) => id === projectId)?.path;
  const [outside, setOutside] = useState<string | null>(null);
  const choose = async () => {
    const [path] = await pickFiles();
    if (path === undefined || root === undefined) return;
    const inside = pathInProject(root, path);
    if (inside === null) setOutside(path);
    else onChange(inside);
  };
  const copyIn = async (path: string) => {
    setOutside(null);
    const copied = await attempt(call('workflow.attach', { projectId, path }));
    if (copied !== null) onChange(copied.file);
  };
  return (
    <>
      <Button
        tone="ghost"
        icon={FolderOpen}
        disabled={disabled}
        aria-label={`Choose a file for ${label}`}
        onClick={() => void choose()}
      >
        Choose a file
      </Button>
      {outside !== null && (
        <CopyQuestion
          paths={[outside]}
          onCopy={() => void copyIn(outside)}
          onClose={() => setOutside(null)}
        />
      )}
    </>
  );
}
