import type { ValuePath } from '../../../../contract/edit';
import type { TemplateHelp, TemplateKind, TemplateNames } from '../../../../contract/template-help';

interface TemplateOfField {
  readonly kind: TemplateKind;
  readonly names: TemplateNames | null;
}

interface Option {
  readonly label: string;
  readonly detail?: string;
}

/** The template at a path of the step; null if there is none. */
export function templateAt(help: TemplateHelp | null, path: ValuePath): TemplateOfField | null {
  const field = help?.fields.find((one) => isAt(one.path, path));
  return field === undefined ? null : { kind: field.kind, names: help?.names[field.names] ?? null };
}

/** `config.agents[].role` matches the role of any agent, `config.inputs.*` any input. */
function isAt(pattern: string, path: ValuePath): boolean {
  const parts = pattern.match(/\[\d*\]|[^.[\]]+/g) ?? [];
  return (
    parts.length === path.length &&
    parts.every((part, index) => {
      const here = path[index];
      if (typeof here === 'number') return part === '[]' || part === `[${here}]`;
      return part === '*' || part === here;
    })
  );
}

/** The completions after a dollar sign: outputs of earlier steps, their fields, inputs and variables. */
export function optionsOf({ kind, names }: TemplateOfField): readonly Option[] {
  if (names === null) return [];
  const steps = names.steps.filter(({ upstream }) => upstream);
  const before = names.steps.filter(({ previous }) => previous);
  return [
    ...steps.flatMap((step) => ofStep(step, { prefix: '$', condition: kind === 'condition' })),
    ...names.inputs.map((name) => ({ label: `$INPUTS.${name}`, detail: 'input' })),
    ...names.variables.map((name) => ({ label: `$${name}`, detail: 'variable' })),
    ...before.flatMap((step) => ofStep(step, { prefix: '$LOOP_PREV.', condition: kind === 'condition' })),
  ];
}

function ofStep(
  { id, title, fields }: TemplateNames['steps'][number],
  { prefix, condition }: { readonly prefix: string; readonly condition: boolean },
): Option[] {
  const detail = `${title ?? id}${prefix === '$' ? '' : ', in the pass before'}`;
  return [
    { label: `${prefix}${id}.output`, detail },
    ...(fields ?? []).map((field) => ({ label: `${prefix}${id}.output.${field}`, detail })),
    ...(condition ? [{ label: `${prefix}${id}.status`, detail }] : []),
  ];
}
