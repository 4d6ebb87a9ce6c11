import { z } from 'zod';
import { whole } from '../../bounds';

/** Where a row of a list belongs: the run, its project, and the step's activation. */
export const activationPlaceShape = {
  runId: whole(),
  runUid: z.string(),
  activationId: whole(),
  stepId: z.string(),
  title: z.string(),
  runName: z.string(),
  projectId: whole(),
  projectName: z.string(),
};
