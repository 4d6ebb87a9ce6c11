import type { ScriptRuntime } from '../../../core/ports/programs/process';

/**
 * The same guard for Windows, which has no process groups: a small Node process that ends the tree with
 * taskkill when its pipe to Muster closes. Descriptor 3 uses the same messages as under POSIX.
 */
const WINDOWS_GUARD = `
const { spawn } = require('node:child_process');
const { Socket } = require('node:net');
const [mark, mode, command, ...args] = process.argv.slice(1);
const control = new Socket({ fd: 3, readable: true, writable: true });
const env = { ...process.env, MUSTER_LAUNCH: mark };
if (env.MUSTER_CHILD_AS_NODE !== '1') delete env.ELECTRON_RUN_AS_NODE;
delete env.MUSTER_CHILD_AS_NODE;
const batch = /\\.(cmd|bat)$/i.test(command);
const quote = (word) => '"' + word.replace(/"/g, '""').replace(/%/g, '%%') + '"';
const child = batch
  ? spawn(process.env.ComSpec || 'cmd.exe', ['/d', '/s', '/c', '"' + [command, ...args].map(quote).join(' ') + '"'],
      { stdio: 'inherit', env, windowsHide: true, windowsVerbatimArguments: true })
  : spawn(command, args, { stdio: 'inherit', env, windowsHide: true,
      windowsVerbatimArguments: /cmd\\.exe$/i.test(command) });
const end = () => spawn('taskkill', ['/pid', String(child.pid), '/t', '/f'], { stdio: 'ignore', windowsHide: true })
  .on('exit', () => process.exit(1)).on('error', () => process.exit(1));
control.on('data', () => process.exit(0)).on('end', end).on('error', end);
child.on('error', (error) => { process.stderr.write(String(error.message)); control.write('exit 127\\n'); });
child.on('exit', (code) => control.write('exit ' + (code ?? 1) + '\\n'));
`;

/** `merged` needs nothing here: Muster combines both streams. */
export function windowsGuard(
  mark: string,
  runtime: ScriptRuntime,
): { file: string; args: string[]; env: Readonly<Record<string, string>> } {
  return { file: runtime.execPath, args: ['-e', WINDOWS_GUARD, mark, 'split'], env: runtime.env };
}
