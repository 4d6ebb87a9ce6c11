import { spawn } from 'node:child_process';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { expect, test } from 'vitest';
import { root } from './paths.mjs';

const jobs = pathToFileURL(join(root, 'tools', 'lib', 'jobs.mjs')).href;
const waits = "program('node', ['-e', 'console.error(1); setTimeout(() => {}, 600000)'])";
const run = `import { program, runJobs } from ${JSON.stringify(jobs)};
const after = ['test of jobs 1'];
const jobs = { 'test of jobs 1': ${waits}, 'test of jobs 2': { ...${waits}, after } };
console.log('running');
console.log('failed:', (await runJobs(jobs)).join());`;

test.skipIf(process.platform === 'win32')('a run that is ended starts no further job', async () => {
  const child = spawn(process.execPath, ['--input-type=module', '-e', run], {
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  let output = '';
  child.stdout.setEncoding('utf8').on('data', (said) => {
    output += said;
    if (said.includes('running')) child.kill('SIGTERM');
  });
  await new Promise((resolve) => child.once('close', resolve));
  expect(output).toContain('failed: test of jobs 1,test of jobs 2');
  expect(output.match(/^FAILED {2}test of jobs 2.*\n.*$/m)?.[0]).toContain('not started: SIGTERM');
});
