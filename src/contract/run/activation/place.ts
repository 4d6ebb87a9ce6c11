import { z } from 'zod';

/** Where a row of a list belongs: the run, its project, and the step's activation. */
export const activationPlaceShape = {
  runId: z.number().int(),
  runUid: z.string(),
  activationId: z.number().int(),
  stepId: z.string(),
  title: z.string(),
  runName: z.string(),
  projectId: z.number().int(),
  projectName: z.string(),
};
