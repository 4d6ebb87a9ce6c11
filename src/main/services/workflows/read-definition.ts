import { workflowDefinitionSchema } from '@contract/workflow/definition';
import type { ParsedDocument } from '../../core/ports/documents';
import { remembered } from '../object-cache';

/** Parses a document with the workflow schema; once per document, so that readers share the result. */
export const readDefinition = remembered(({ value }: ParsedDocument) =>
  workflowDefinitionSchema.safeParse(value),
);
