import type { ParsedDocument } from '@main/core/ports/documents';
import { remembered } from '@main/services/object-cache';
import { workflowDefinitionSchema } from '../contract/definition';

/** What the schema of a workflow makes of a document; once for each document, which readers may share. */
export const readDefinition = remembered(({ value }: Pick<ParsedDocument, 'value'>) =>
  workflowDefinitionSchema.safeParse(value),
);
