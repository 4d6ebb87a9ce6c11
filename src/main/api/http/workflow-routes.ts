import { isAbsolute } from 'node:path';
import { trialValuesSchema } from '@contract/workflow/trial';
import { z } from 'zod';
import { asked, given, type Route, respond } from './route';

/** The file, by its whole path: it need not be in a known project. */
const path = z.string().refine(isAbsolute, 'path is the whole path of a workflow file');

const expandSchema = z.strictObject({
  path,
  values: trialValuesSchema.prefault({}),
  step: z.string().optional(),
});

/** What templates and conditions become. Nothing is started. */
const expandWorkflow = given('body', expandSchema, (wish, { core }) =>
  respond(asked(core, 'workflow.expand', wish)),
);

const dryRunSchema = z.strictObject({
  path,
  instruction: z.string().default(''),
  inputs: z.record(z.string(), z.string()).default({}),
  values: trialValuesSchema.prefault({}),
});

/** What a run would do, in its order. Nothing is started and nothing is kept. */
const dryRunWorkflow = given('body', dryRunSchema, (wish, { core }) =>
  respond(asked(core, 'workflow.dry-run', wish)),
);

export const workflowRoutes: readonly Route[] = [
  { method: 'POST', path: '/workflows/expand', handle: expandWorkflow },
  { method: 'POST', path: '/workflows/dry-run', handle: dryRunWorkflow },
];
