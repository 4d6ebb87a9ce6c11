import { resolve } from 'node:path';
import type { Problem } from '@contract/errors';
import type { Json } from '@contract/ids';
import { own } from '@contract/own';
import type { StepDefinition, WorkflowDefinition } from '@contract/workflow/definition';
import type { StepRegistry } from '../core/step/module';
import { readTextFile } from './text-file';

interface Inlined {
  /** With the text of every `instruction_file` as its step's instruction. */
  readonly definition: WorkflowDefinition;
  readonly problems: readonly Problem[];
  /** The files by the path of the instruction that stands for them: `steps[1].config.instruction`. */
  readonly files: ReadonlyMap<string, { readonly file: string; readonly text: string }>;
}

/**
 * Reads the instruction files of a workflow. A run is started with their texts, so they are frozen with the definition.
 * They must lie in the project.
 */
export async function withInstructionFiles(
  definition: WorkflowDefinition,
  { registry, projectPath }: { readonly registry: StepRegistry; readonly projectPath: string },
): Promise<Inlined> {
  const problems: Problem[] = [];
  const files = new Map<string, { file: string; text: string }>();
  const steps = await Promise.all(
    definition.steps.map(async (step, index) => {
      const file = own(step.config, 'instruction_file');
      if (file === undefined || !takesInstruction(step, registry)) return step;
      const path = `steps[${index}].config.instruction_file`;
      const wrong = (message: string, mend: string): StepDefinition => {
        const told = { code: 'validation.file_missing' as const, severity: 'error' as const };
        problems.push({ ...told, message: `step "${step.id}": ${message}`, where: { path }, mend });
        return replaced(step, '(missing)');
      };
      if (typeof file !== 'string' || file === '')
        return wrong('instruction_file needs a path', 'name a text file');
      if (own(step.config, 'instruction') !== undefined)
        return wrong('it has both an instruction and an instruction_file', 'remove one of them');
      const read = await readTextFile(resolve(projectPath, file), projectPath);
      const mend = 'paths are relative to the project folder, and the file must lie in it';
      if (read === null) return wrong(`there is no file ${file}`, mend);
      if ('trouble' in read) return wrong(`${file} is not read: ${read.trouble}`, read.mend);
      if (read.text.trim() === '') return wrong(`${file} is empty`, 'write the instruction into it');
      files.set(`steps[${index}].config.instruction`, { file, text: read.text });
      return replaced(step, read.text);
    }),
  );
  return { definition: { ...definition, steps }, problems, files };
}

const takesInstruction = ({ type }: StepDefinition, registry: StepRegistry): boolean =>
  registry.get(type)?.templates.some(({ path }) => path === 'instruction') === true;

function replaced(step: StepDefinition, instruction: string): StepDefinition {
  const { instruction_file: _, ...config } = step.config;
  return { ...step, config: { ...config, instruction } as Record<string, Json> };
}
