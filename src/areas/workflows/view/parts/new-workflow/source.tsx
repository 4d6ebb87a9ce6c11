import type { WorkflowPattern, WorkflowRow } from '@areas/agents/contract/procedures';
import { useQuery } from '@renderer/client/hooks';
import { Field, Select } from '@renderer/ui/controls/field';

/** What a new workflow begins with; null: a blank one. */
export type Source =
  | { readonly kind: 'pattern'; readonly pattern: WorkflowPattern }
  | { readonly kind: 'copy'; readonly workflow: WorkflowRow }
  | null;

const keyOf = (source: NonNullable<Source>): string =>
  source.kind === 'pattern'
    ? `pattern ${source.pattern.id}`
    : `copy ${source.workflow.projectId} ${source.workflow.file}`;

const labelOf = (source: NonNullable<Source>): string =>
  source.kind === 'pattern'
    ? source.pattern.name
    : `${source.workflow.name} (${source.workflow.projectName})`;

const HINTS = { blank: 'One step and one question to you.', copy: 'A copy keeps every line but the name.' };

interface SourceFieldProps {
  readonly source: Source;
  readonly onChange: (source: Source) => void;
}

/** Chooses what the new workflow begins with: nothing, a pattern of Muster, or another workflow. */
export function SourceField({ source, onChange }: SourceFieldProps) {
  const patterns = (useQuery('workflow.patterns', {}).value ?? []).map(
    (pattern) => ({ kind: 'pattern', pattern }) as const,
  );
  const copies = (useQuery('workflow.list', {}).value ?? []).map(
    (workflow) => ({ kind: 'copy', workflow }) as const,
  );
  const chosen = (key: string): Source => [...patterns, ...copies].find((one) => keyOf(one) === key) ?? null;
  const hint = source?.kind === 'pattern' ? source.pattern.description : HINTS[source?.kind ?? 'blank'];
  return (
    <Field label="Start from" hint={hint}>
      {(ids) => (
        <Select
          {...ids}
          value={source === null ? '' : keyOf(source)}
          onChange={(event) => onChange(chosen(event.target.value))}
        >
          <option value="">A blank workflow</option>
          <Group label="Patterns" sources={patterns} />
          <Group label="Copy of a workflow" sources={copies} />
        </Select>
      )}
    </Field>
  );
}

function Group({ label, sources }: { label: string; sources: readonly NonNullable<Source>[] }) {
  if (sources.length === 0) return null;
  return (
    <optgroup label={label}>
      {sources.map((one) => (
        <option key={keyOf(one)} value={keyOf(one)}>
          {labelOf(one)}
        </option>
      ))}
    </optgroup>
  );
}
