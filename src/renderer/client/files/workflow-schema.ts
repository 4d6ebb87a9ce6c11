import { workflowDefinitionSchema } from '@areas/workflows/contract/definition';
import { z } from 'zod';

/** The JSON Schema of a workflow file, with the configuration schemas of the step types. */
export const workflowSchema = () =>
  z.toJSONSchema(workflowDefinitionSchema, { io: 'input', unrepresentable: 'any' });
