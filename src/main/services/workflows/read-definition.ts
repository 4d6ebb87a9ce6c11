import { workflowDefinitionSchema } from '@contract/workflow/definition';
import type { ParsedDocument } from '../../core/ports/documents';
import { remembered } from '../object-cache';

/** What the schema of a workflow makes of a document; once for each document, which readers may share. */
export const readDefinition = remembered(({ value }: Pick<ParsedDocument, 'value'>) =>
  workflowDefinitionSchema.safeParse(value),
);
