import { ralph } from '@features/loop/core/step';
import { team } from '@features/team/core/step';
import type { AnyStepModule, StepRegistry } from '../core/step/module';
import { agentReviewGate } from './agent-review-gate';
import { agentTask } from './agent-task';
import { approval } from './approval';
import { coding } from './coding';
import { command } from './command';
import { redTeam } from './red-team';

const modules: readonly AnyStepModule[] = [
  agentTask,
  coding,
  agentReviewGate,
  redTeam,
  team,
  ralph,
  approval,
  command,
];

/** Every kind of step that this Muster knows. */
export const stepRegistry: StepRegistry = new Map(modules.map((module) => [module.type, module]));
