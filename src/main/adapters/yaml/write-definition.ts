import { isDeepStrictEqual } from 'node:util';
import { type WorkflowDefinition, workflowDefinitionSchema } from '@areas/workflows/contract/definition';
import type { Json } from '@contract/ids';
import { stringify } from 'yaml';

type Table = Record<string, Json>;

/** Leaves out what a reader would fill in. */
function bare(definition: WorkflowDefinition): Table {
  const steps = definition.steps.map((step) =>
    lessOf(step as unknown as Table, (less) => ({ ...definition, steps: [less] })),
  );
  const rest = { ...(definition as unknown as Table), steps };
  return lessOf(rest, (less) => less);
}

/** A table without entries that equal its schema's defaults. `whole` is the definition around it. */
function lessOf(table: Table, whole: (less: Table) => object): Table {
  const meant = workflowDefinitionSchema.safeParse(whole(table)).data;
  let less = table;
  for (const key of Object.keys(table)) {
    const { [key]: _, ...without } = less;
    const read = workflowDefinitionSchema.safeParse(whole(without));
    if (read.success && isDeepStrictEqual(read.data, meant)) less = without;
  }
  return less;
}

/** A workflow as a file for people to read and edit. Reading it gives the same workflow. */
export const writeDefinition = (definition: WorkflowDefinition): string =>
  stringify(bare(definition), { lineWidth: 100, blockQuote: 'literal' });
