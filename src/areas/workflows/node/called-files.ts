import { resolve } from 'node:path';
import { withInstructionFiles } from '@areas/projects/node/instruction-files';
import type { Problem } from '@contract/errors';
import { setOwnValue } from '@contract/own';
import type { DocumentReader } from '@main/core/ports/documents';
import type { StepRegistry } from '@main/core/step/module';
import { remembered } from '@main/services/object-cache';
import { readTextFile } from '@main/services/text-file';
import type { StepDefinition, WorkflowDefinition } from '../contract/definition';
import { readDefinition } from './read-definition';
import { schemaProblems, unreadable } from './workflow-problems';

interface From {
  readonly reader: DocumentReader;
  readonly registry: StepRegistry;
  readonly projectPath: string;
}

interface CalledFiles {
  readonly definitions: Record<string, WorkflowDefinition>;
  /** Why a file cannot be read. A missing file is reported at the step that calls it. */
  readonly problems: Problem[];
}

/** More files than any reasonable workflow calls. */
const MOST_FILES = 100;

/** Reads the workflow files that a definition calls, directly or indirectly; each once. */
export async function calledFiles(definition: WorkflowDefinition, from: From): Promise<CalledFiles> {
  const found: CalledFiles = { definitions: {}, problems: [] };
  const open = [...namedBy(definition, from.registry)];
  const seen = new Set<string>();
  for (let file = open.shift(); file !== undefined && seen.size < MOST_FILES; file = open.shift()) {
    if (seen.has(file)) continue;
    seen.add(file);
    const called = await readCalled(file, from, found.problems);
    if (called === null) continue;
    setOwnValue(found.definitions, file, called);
    open.push(...namedBy(called, from.registry));
  }
  return found;
}

const named = remembered((registry: StepRegistry) =>
  remembered(({ steps }: WorkflowDefinition) => namedIn(steps, registry)),
);

const namedBy = (definition: WorkflowDefinition, registry: StepRegistry): readonly string[] =>
  named(registry)(definition);

function namedIn(steps: readonly StepDefinition[], registry: StepRegistry): string[] {
  return steps.flatMap((step) => {
    const module = registry.get(step.type);
    const parsed = module?.config.safeParse(step.config);
    const body = parsed?.success === true ? module?.bind(parsed.data).body : null;
    if (body == null) return [];
    if (body.kind === 'file') return [body.file];
    const bodies = body.kind === 'variants' ? body.variants : [body];
    return bodies.flatMap(({ steps: inner }) => namedIn(inner, registry));
  });
}

async function readCalled(
  file: string,
  { reader, registry, projectPath }: From,
  problems: Problem[],
): Promise<WorkflowDefinition | null> {
  const read = await readTextFile(resolve(projectPath, file), projectPath);
  if (read === null) return null;
  if ('trouble' in read) {
    problems.push(unreadable(file, read));
    return null;
  }
  const document = reader.parse(read.text, file);
  problems.push(...document.problems);
  if (document.problems.length > 0) return null;
  const parsed = readDefinition(document);
  if (!parsed.success) {
    problems.push(...schemaProblems(parsed.error, file, document.lineOf));
    return null;
  }
  const inlined = await withInstructionFiles(parsed.data, { registry, projectPath });
  problems.push(...inlined.problems.map((one) => ({ ...one, where: { ...one.where, file } })));
  return inlined.definition;
}
