import type { AnyStepModule, StepRegistry } from '../core/step/module';
import { agentTask } from './agent-task';
import { approval } from './approval';
import { command } from './command';

const modules: readonly AnyStepModule[] = [agentTask, approval, command];

/** Every kind of step that this Muster knows. */
export const stepRegistry: StepRegistry = new Map(modules.map((module) => [module.type, module]));
