/** `recover.js FILE`: the program of the same name in `started`, in the way in which the app starts its core. */
import { join } from 'node:path';
import { runCompiled } from '../../src/main/startup/compiled';

const folder = join(import.meta.dirname, 'started');
runCompiled(join(folder, 'recover.cjs'), folder);
