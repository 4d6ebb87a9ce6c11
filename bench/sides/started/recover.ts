/** `recover.cjs FILE`: the program `recover-core`, started as the app starts its core. */
import { join } from 'node:path';
import { runCompiled } from '../../../src/main/startup/compiled';

const folder = import.meta.dirname;
runCompiled(join(folder, 'recover-core.cjs'), folder);
