/**
 * `terminals.js SOCKET FOLDER`: the real terminals in a process of their own, as the app has them. Cores connect to the
 * socket, one after the other, and speak in lines of JSON; the terminals outlive them.
 */
import { rmSync } from 'node:fs';
import { createServer } from 'node:net';
import { createInterface } from 'node:readline';
import { Terminals } from '../../src/main/adapters/pty/terminals';

const [socketPath = '', dataDir = ''] = process.argv.slice(2);
const terminals = new Terminals(dataDir, new URL('./no-such-thread.js', import.meta.url), false);
rmSync(socketPath, { force: true });
createServer((socket) => {
  socket.on('error', () => undefined);
  const core = terminals.connect({ post: (message) => void socket.write(`${JSON.stringify(message)}\n`) });
  const lines = createInterface({ input: socket });
  lines.on('error', () => undefined);
  lines.on('line', (line) => core.message(JSON.parse(line)));
  socket.once('close', () => core.gone());
}).listen(socketPath, () => process.stdout.write('ready\n'));
// Its standard input ends with the harness.
process.stdin.once('end', () => void terminals.close(0).then(() => process.exit(0))).resume();
