import type { StepRegistry } from '@main/core/step/module';
import type { TemplatesOf } from '../../core/reference/rename';

/**
 * The template fields of step types. A step that builds the only step of its body from its own keys also has
 * that step's fields, at its own keys: a loop's `prompt` is the `instruction` of its pass.
 */
export const templatesOf = (registry: StepRegistry): TemplatesOf => ({
  fieldsOf(type, config) {
    const module = registry.get(type);
    if (module === undefined) return [];
    const read = module.config.safeParse(config ?? {});
    const body = read.success ? module.bind(read.data).body : null;
    if (body?.kind !== 'inline' || body.quiet !== true) return module.templates;
    const made = body.steps.flatMap((step, index) =>
      (registry.get(step.type)?.templates ?? []).map((field) => ({
        ...field,
        path: body.at(`steps[${index}].config.${field.path}`),
      })),
    );
    return [...module.templates, ...made];
  },
});
