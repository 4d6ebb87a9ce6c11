import { ownValue } from '@contract/own';
import { fail, ok } from '@contract/result';
import { ask } from '@main/api/core-service';
import { findRun } from '@main/cli/address';
import { command } from '@main/cli/command';
import { EXIT } from '@main/cli/exit';
import { askFlags, askQuestion } from './ask';
import { checkSandbox } from './check';
import { listQuestions } from './list';
import { printTrace } from './trace';

/** The argument that each verb requires. */
const NEEDS: Readonly<Record<string, string>> = { ask: 'QUESTION', trace: 'RUN', interrupt: 'RUN' };

export const rlmCommand = command({
  name: 'rlm',
  summary: 'Answers a question over documents too large to read, with code that a model writes.',
  words: 'ask QUESTION|list|trace RUN|interrupt RUN|check',
  least: 1,
  most: 2,
  heedsStop: true,
  more: [
    '`ask` lets the model of --model search the documents of --docs with Python in a sandbox, and ask the model of',
    '--sub-model about parts of them. `list` shows the questions of the last runs. `trace` prints each iteration of a run as JSON Lines. `interrupt` ends the block',
    'that runs and keeps its variables. `check` says whether the sandbox runs here. It needs no display. Where the',
    'sandbox of the operating system is off (as root, or without user namespaces) code is refused, unless',
    '--allow-weak-sandbox accepts that.',
  ].join('\n'),
  flags: { ...askFlags, jsonl: { help: 'trace: JSON Lines, which is the only form' } },
  async run(context, { words: [verb, word], flags }) {
    if (verb === 'check' && word === undefined) return checkSandbox(context, flags['allow-weak-sandbox']);
    if (verb === 'list' && word === undefined) return listQuestions(context);
    if (verb === 'ask' && word !== undefined) return askQuestion(context, word, flags);
    if (verb === 'trace' && word !== undefined) return printTrace(context, word);
    if (verb === 'interrupt' && word !== undefined) {
      const link = await context.open({ mode: 'attached' });
      if (!link.ok) return link;
      const row = await findRun(link.value, word);
      if (!row.ok) return row;
      const done = await ask(link.value, 'rlm.interrupt', { runId: row.value.id, by: 'command line' });
      return done.ok ? ok(EXIT.ok) : done;
    }
    const needs = ownValue(NEEDS, verb ?? '');
    if (needs !== undefined && word === undefined)
      return fail('input.invalid', `rlm ${verb} needs ${needs}`, { mend: `muster rlm ${verb} ${needs}` });
    return fail('input.invalid', `rlm: "${[verb, word].filter(Boolean).join(' ')}" is not a command`, {
      mend: 'one of: ask QUESTION, list, trace RUN, interrupt RUN, check',
    });
  },
});
