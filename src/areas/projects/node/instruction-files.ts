import { resolve } from 'node:path';
import { isMap } from '@areas/workflows/contract/change';
import {
  type StepDefinition,
  stepDefinitionSchema,
  type WorkflowDefinition,
} from '@areas/workflows/contract/definition';
import type { Problem } from '@contract/errors';
import type { Json } from '@contract/ids';
import { ownValue } from '@contract/own';
import type { StepRegistry } from '@main/core/step/module';
import { readTextFile } from '@main/services/text-file';

interface Inlined {
  /**
   * The definition with each `instruction_file` replaced by its text as the instruction; the same object if
   * there is none.
   */
  readonly definition: WorkflowDefinition;
  readonly problems: readonly Problem[];
  /** The files by the path of their instruction: `steps[1].config.instruction`. */
  readonly files: ReadonlyMap<string, { readonly file: string; readonly text: string }>;
}

/**
 * Reads a workflow's instruction files, including those of steps in bodies. A run starts with their texts,
 * which are frozen with the definition. The files must be in the project.
 */
export async function withInstructionFiles(
  definition: WorkflowDefinition,
  { registry, projectPath }: { readonly registry: StepRegistry; readonly projectPath: string },
): Promise<Inlined> {
  const reading: Reading = { registry, projectPath, problems: [], files: new Map() };
  const { problems, files } = reading;
  if (NAMES_NONE.has(definition)) return { definition, problems, files };
  const steps = await inSteps(definition.steps, 'steps', reading);
  if (files.size > 0 || problems.length > 0) return { definition: { ...definition, steps }, problems, files };
  NAMES_NONE.add(definition);
  return { definition, problems, files };
}

/** Definitions without instruction files. */
const NAMES_NONE = new WeakSet<WorkflowDefinition>();

interface Reading {
  readonly registry: StepRegistry;
  readonly projectPath: string;
  readonly problems: Problem[];
  readonly files: Map<string, { file: string; text: string }>;
}

type Config = StepDefinition['config'];

const inSteps = (
  steps: readonly StepDefinition[],
  path: string,
  reading: Reading,
): Promise<StepDefinition[]> =>
  Promise.all(steps.map((step, index) => inStep(step, `${path}[${index}]`, reading)));

async function inStep(step: StepDefinition, path: string, reading: Reading): Promise<StepDefinition> {
  const config = await inConfig(step.config, { step, path: `${path}.config` }, reading);
  return { ...step, config: await inBodies(config, `${path}.config`, reading) };
}

/** The steps within a configuration: those of a body, and an experiment's target with its variants. */
async function inBodies(config: Config, path: string, reading: Reading): Promise<Config> {
  const { body, target, variants } = config;
  let made = config;
  if (isMap(body) && Array.isArray(body.steps) && body.steps.every(isStep))
    made = {
      ...made,
      body: { ...body, steps: asJson(await inSteps(body.steps, `${path}.body.steps`, reading)) },
    };
  if (isStep(target)) {
    made = { ...made, target: asJson(await inStep(target, `${path}.target`, reading)) };
    if (Array.isArray(variants))
      made = { ...made, variants: await inVariants(variants, { target, path }, reading) };
  }
  return made;
}

const inVariants = (
  variants: readonly Json[],
  { target, path }: { readonly target: StepDefinition; readonly path: string },
  reading: Reading,
): Promise<Json[]> =>
  Promise.all(
    variants.map(async (variant, index) => {
      const overrides = isMap(variant) ? ownValue(variant, 'config_overrides') : undefined;
      if (!isMap(variant) || !isMap(overrides)) return variant;
      const at = { step: target, path: `${path}.variants[${index}].config_overrides` };
      return { ...variant, config_overrides: await inConfig(overrides, at, reading) };
    }),
  );

/** A configuration with the text of its `instruction_file` as its instruction. */
async function inConfig(
  config: Config,
  { step, path }: { readonly step: StepDefinition; readonly path: string },
  { registry, projectPath, problems, files }: Reading,
): Promise<Config> {
  const file = ownValue(config, 'instruction_file');
  if (file === undefined || !takesInstruction(step, registry)) return config;
  const wrong = (message: string, mend: string): Config => {
    const problem = { code: 'validation.file_missing' as const, severity: 'error' as const };
    const where = { path: `${path}.instruction_file` };
    problems.push({ ...problem, message: `step "${step.id}": ${message}`, where, mend });
    return replaced(config, '(missing)');
  };
  if (typeof file !== 'string' || file === '')
    return wrong('instruction_file needs a path', 'name a text file');
  if (ownValue(config, 'instruction') !== undefined)
    return wrong('it has both an instruction and an instruction_file', 'remove one of them');
  const read = await readTextFile(resolve(projectPath, file), projectPath);
  const mend = 'paths are relative to the project folder, and the file must lie in it';
  if (read === null) return wrong(`there is no file ${file}`, mend);
  if ('trouble' in read) return wrong(`${file} is not read: ${read.trouble}`, read.mend);
  if (read.text.trim() === '') return wrong(`${file} is empty`, 'write the instruction into it');
  files.set(`${path}.instruction`, { file, text: read.text });
  return replaced(config, read.text);
}

const takesInstruction = ({ type }: StepDefinition, registry: StepRegistry): boolean =>
  registry.get(type)?.templates.some(({ path }) => path === 'instruction') === true;

/** The module parses the body later: anything that does not look like a step is ignored. */
const isStep = (value: unknown): value is StepDefinition & { [key: string]: Json } =>
  stepDefinitionSchema.safeParse(value).success && Object.hasOwn(Object(value), 'config');

const asJson = (value: StepDefinition | readonly StepDefinition[]): Json => value as unknown as Json;

function replaced(config: Config, instruction: string): Config {
  const { instruction_file: _, ...rest } = config;
  return { ...rest, instruction };
}
