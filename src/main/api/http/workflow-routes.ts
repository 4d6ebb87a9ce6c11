import { isAbsolute } from 'node:path';
import { ok } from '@contract/result';
import { trialValuesSchema } from '@contract/workflow/trial';
import { z } from 'zod';
import { type Answered, type Asked, asked, parse, type Route } from './route';

/** The file, by its whole path: it need not stand in a known project. */
const path = z.string().refine(isAbsolute, 'path is the whole path of a workflow file');

const expandSchema = z.strictObject({
  ...{ path, values: trialValuesSchema.prefault({}), step: z.string().optional() },
});

/** What templates and conditions become. Nothing is started. */
async function expandWorkflow({ core, body }: Asked): Answered {
  const given = parse(expandSchema, body);
  if (!given.ok) return given;
  const expanded = await asked(core, 'workflow.expand', given.value);
  return expanded.ok ? ok({ body: expanded.value }) : expanded;
}

const dryRunSchema = z.strictObject({
  path,
  instruction: z.string().default(''),
  inputs: z.record(z.string(), z.string()).default({}),
  values: trialValuesSchema.prefault({}),
});

/** What a run would do, in its order. Nothing is started and nothing is kept. */
async function dryRunWorkflow({ core, body }: Asked): Answered {
  const given = parse(dryRunSchema, body);
  if (!given.ok) return given;
  const shown = await asked(core, 'workflow.dry-run', given.value);
  return shown.ok ? ok({ body: shown.value }) : shown;
}

export const workflowRoutes: readonly Route[] = [
  { method: 'POST', path: '/workflows/expand', handle: expandWorkflow },
  { method: 'POST', path: '/workflows/dry-run', handle: dryRunWorkflow },
];
