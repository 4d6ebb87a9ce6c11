import { join } from 'node:path';
import { runCompiled } from '../startup/compiled';

/** The entry of the core's utility process. Its argument is the folder for compiled code. */
const [, , keepIn = ''] = process.argv;
runCompiled(join(import.meta.dirname, 'core.cjs'), keepIn);
