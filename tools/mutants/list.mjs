import { adapters } from './faults/adapters.mjs';
import { engine } from './faults/engine.mjs';
import { features } from './faults/features.mjs';
import { servicesAndAgents } from './faults/services.mjs';
import { window } from './faults/window.mjs';

/**
 * Faults that a test must notice: `find` occurs once in `file`, `replace` takes its place, and one of `tests`
 * must then fail. A change of such a line adapts its entry here.
 */
export const mutants = [...engine, ...features, ...adapters, ...servicesAndAgents, ...window];
