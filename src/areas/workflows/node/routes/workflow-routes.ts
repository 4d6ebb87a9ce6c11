import { isAbsolute } from 'node:path';
import { callCore, given, type Route, respond } from '@main/api/http/route';
import { z } from 'zod';
import { trialValuesSchema } from '../../contract/trial';

/** The file's absolute path: it need not be in a known project. */
const path = z.string().refine(isAbsolute, 'path is the whole path of a workflow file');

const expandSchema = z.strictObject({
  path,
  values: trialValuesSchema.prefault({}),
  step: z.string().optional(),
});

/** Expands templates and conditions. Starts nothing. */
const expandWorkflow = given('body', expandSchema, (wish, { core }) =>
  respond(callCore(core, 'workflow.expand', wish)),
);

const dryRunSchema = z.strictObject({
  path,
  instruction: z.string().default(''),
  inputs: z.record(z.string(), z.string()).default({}),
  values: trialValuesSchema.prefault({}),
});

/** What a run would do, in order. Starts and stores nothing. */
const dryRunWorkflow = given('body', dryRunSchema, (wish, { core }) =>
  respond(callCore(core, 'workflow.dry-run', wish)),
);

export const workflowRoutes: readonly Route[] = [
  { method: 'POST', path: '/workflows/expand', handle: expandWorkflow },
  { method: 'POST', path: '/workflows/dry-run', handle: dryRunWorkflow },
];
