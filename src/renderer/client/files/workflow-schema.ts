import { workflowDefinitionSchema } from '@contract/workflow/definition';
import { z } from 'zod';

/** What may be in a workflow's file, as a JSON Schema; the configuration of its steps is that of their types. */
export const workflowSchema = () =>
  z.toJSONSchema(workflowDefinitionSchema, { io: 'input', unrepresentable: 'any' });
