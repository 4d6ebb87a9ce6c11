import { dirname, resolve } from 'node:path';
import type { Json } from '@contract/ids';
import { setOwnValue } from '@contract/own';
import { fail, ok, type Result } from '@contract/result';
import { ulids } from '@main/adapters/system/ids';
import { ask } from '@main/api/core-service';
import { findRun } from '@main/cli/address';
import { command } from '@main/cli/command';
import { waitForRun } from '@main/cli/running/wait';
import { withCore } from '@main/cli/running/with-core';
import { readTextFile } from '@main/services/text-file';
import { detached, inputsOf } from './run';

export const againCommand = command({
  name: 'again',
  summary: 'Runs a workflow again from one of its steps, as a new run.',
  words: 'RUN',
  least: 1,
  most: 1,
  heedsStop: true,
  more: [
    'Earlier steps are not run again: their results are taken from RUN. The working folder is restored to the start of',
    'the step; if no snapshot of it exists, nothing starts. The workflow is the one that RUN used, even if its file has',
    'changed. Profiles, prompt texts and other files are used as they are now.',
  ].join('\n'),
  flags: {
    from: { value: 'STEP', help: 'the step to start from (required)' },
    'instruction-file': {
      value: 'FILE',
      help: 'replaces the step’s instruction; - reads standard input',
    },
    input: { value: 'NAME=VALUE', many: true, help: 'another value for an input of the workflow' },
    set: {
      value: 'KEY=JSON',
      many: true,
      help: 'another value in the step’s configuration, such as --set \'re_prompts=["Go on."]\'',
    },
    detach: { help: 'start it and return; the running Muster works on it, or one in the background' },
    'no-wait': { help: 'exit with code 6 when only gates remain, instead of waiting for answers' },
  },
  async run(context, { words, flags }) {
    const { from } = flags;
    if (from === undefined) return fail('input.invalid', '--from STEP is required: the step to start from');
    const inputs = inputsOf(flags.input);
    if (!inputs.ok) return inputs;
    const config = configOf(flags.set);
    if (!config.ok) return config;
    const file = flags['instruction-file'];
    const read = file === undefined ? null : await instructionOf(file, context);
    if (read !== null && !read.ok) return read;
    const instruction = read === null ? {} : { instruction: read.value };
    const uid = ulids.ulid();
    const begun = await withCore(context, { mode: flags.detach ? 'background' : 'working' }, async (link) => {
      const row = await findRun(link, words[0] ?? '');
      if (!row.ok) return row;
      const wish = {
        uid,
        runId: row.value.id,
        step: from,
        ...instruction,
        inputs: inputs.value,
        config: config.value,
      };
      return ask(link, 'run.again', { ...wish, startedBy: 'command line' });
    });
    if (!begun.ok) return begun;
    const { link, value } = begun.value;
    if (flags.detach) return detached(context, link, value.runId);
    return waitForRun(context, { link, runId: value.runId, throughGates: !flags['no-wait'], afterSeq: 0 });
  },
});

/** Parses `--set KEY=JSON`; a value that is not JSON is a text. */
function configOf(given: readonly string[]): Result<Record<string, Json>> {
  const config: Record<string, Json> = {};
  for (const one of given) {
    const at = one.indexOf('=');
    if (at < 1) return fail('input.invalid', `--set ${one} has no value`, { mend: 'write --set KEY=JSON' });
    setOwnValue(config, one.slice(0, at), jsonOrText(one.slice(at + 1)));
  }
  return ok(config);
}

function jsonOrText(text: string): Json {
  try {
    return JSON.parse(text) as Json;
  } catch {
    return text;
  }
}

interface InputSource {
  readonly cwd: string;
  readonly readInput: () => Promise<string>;
}

async function instructionOf(file: string, { cwd, readInput }: InputSource) {
  if (file === '-') return ok(await readInput());
  const path = resolve(cwd, file);
  const read = await readTextFile(path, dirname(path));
  if (read === null) return fail('input.invalid', `there is no file ${file}`);
  return 'trouble' in read ? fail('input.invalid', `${file} cannot be read: ${read.trouble}`) : ok(read.text);
}
