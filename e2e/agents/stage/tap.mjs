/** `tap.mjs LOG PROGRAM ARGS...`: runs an agent and records every message between Muster and it. */
import { spawn } from 'node:child_process';
import { appendFileSync } from 'node:fs';
import { createInterface } from 'node:readline';

const [log, program, ...args] = process.argv.slice(2);
const agent = spawn(program, args, { stdio: ['pipe', 'pipe', 'inherit'] });

function pass(from, input, output) {
  createInterface({ input })
    .on('line', (line) => {
      appendFileSync(log, `{"from":"${from}","message":${line}}\n`);
      output.write(`${line}\n`);
    })
    .on('close', () => output.end());
}

pass('muster', process.stdin, agent.stdin);
pass('agent', agent.stdout, process.stdout);
agent.on('exit', (code, signal) => {
  if (signal) process.kill(process.pid, signal);
  else process.exitCode = code;
  process.stdin.destroy();
});
