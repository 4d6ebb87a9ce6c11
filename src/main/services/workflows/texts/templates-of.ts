import type { TemplatesOf } from '../../../core/reference/rename';
import type { StepRegistry } from '../../../core/step/module';

/**
 * The template fields of step types. A step whose own keys make the one step of its body has that step's fields too, at
 * its own keys: the `prompt` of a loop is the `instruction` of its pass.
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
