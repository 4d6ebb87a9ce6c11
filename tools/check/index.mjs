/** The command to run before every commit: the static checks. It runs every check, and then names those that failed. */
import { runJobs } from '../lib/jobs.mjs';
import { staticChecks } from './static.mjs';

const failed = await runJobs(staticChecks);
if (failed.length > 0) console.error(`check failed: ${failed.join(', ')}`);
process.exitCode = failed.length > 0 ? 1 : 0;
