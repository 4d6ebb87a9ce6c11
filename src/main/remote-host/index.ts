/**
 * Muster's program on a remote host, one file without dependencies. `connect` is what ssh starts: it joins its
 * standard streams to the host process, which `serve` is.
 */
import { dirname } from 'node:path';
import { fileURLToPath } from 'node:url';
import { connect } from './connect';
import { serve } from './serve';

const program = fileURLToPath(import.meta.url);
const [verb] = process.argv.slice(2);
if (verb === 'connect') void connect(dirname(program), program);
else if (verb === 'serve') serve(dirname(program));
else {
  process.stderr.write('This program is started by Muster, not by hand.\n');
  process.exitCode = 2;
}
