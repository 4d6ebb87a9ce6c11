import { spawn } from 'node:child_process';
import { needsVirtualDisplay, virtualDisplay } from './display.mjs';

/**
 * Runs a program in this terminal, with a virtual display if there is none, and exits with its exit code.
 * Ctrl-C reaches the program from the terminal itself; this process only waits for it.
 */
export async function foreground(command, args, env = process.env) {
  const display = needsVirtualDisplay() && !env.DISPLAY ? await virtualDisplay() : undefined;
  const child = spawn(command, args, { stdio: 'inherit', env: { ...env, ...display?.env } });
  process.on('SIGINT', () => {});
  for (const signal of ['SIGTERM', 'SIGHUP']) process.on(signal, () => child.kill(signal));
  const code = await new Promise((resolve, reject) => {
    child.on('error', reject);
    child.on('exit', (exitCode, signal) => resolve(exitCode ?? (signal === 'SIGINT' ? 130 : 1)));
  });
  display?.close();
  process.exit(code);
}
