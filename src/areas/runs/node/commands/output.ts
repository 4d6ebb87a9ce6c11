import { fail, ok, type Result } from '@contract/result';
import { ask } from '@main/api/core-service';
import { findRun } from '@main/cli/address';
import { type Context, command } from '@main/cli/command';
import { EXIT, type ExitCode } from '@main/cli/exit';
import type { Link } from '@main/cli/link/link';
import { escaped, json } from '@main/cli/output/escape-controls';

export const outputCommand = command({
  name: 'output',
  summary: 'Prints one output of a run whole, for a file or another program.',
  words: 'RUN [[STEP.]PORT]',
  least: 1,
  most: 2,
  more: [
    'PORT is a port of the last step that has it; STEP.PORT is a port of that step. The default is data_out of the step',
    'that ended last. Text is printed as it is, anything else as JSON. `muster show RUN` lists the outputs.',
    'Of an output that was cut, its part is printed, and standard error says so; with --json it is {cut, text}.',
    'With --text it is a large text that the JSON of another command names in place of giving it.',
  ].join('\n'),
  flags: { text: { value: 'SHA256', help: 'a large text of the run, by its hash' } },
  onlyAsks: true,
  async run(context, { words, flags }) {
    const link = await context.open({ mode: 'reading' });
    if (!link.ok) return link;
    const row = await findRun(link.value, words[0] ?? '');
    if (!row.ok) return row;
    const runId = row.value.id;
    if (flags.text !== undefined) return printText(context, link.value, { runId, sha256: flags.text });
    const { out, stop } = context;
    const parts: string[] = [];
    let which = placeOf(words[1]);
    let first: number | null = null;
    for (let from = 0; !stop.aborted; ) {
      const page = await ask(link.value, 'run.output', { runId, ...which, from });
      if (!page.ok) return page;
      const { step, port, activationId, isText, text, cut, to, size } = page.value;
      if (first !== null && first !== activationId)
        return fail('conflict', `the step ${step} ended again while its output was read`);
      first = activationId;
      which = { step, port };
      // In JSON a text is one value, which has to be escaped as a whole.
      if (out.json && isText) parts.push(text);
      else await out.part(isText ? text : escaped(text));
      from = to;
      if (to < size) continue;
      if (out.json && isText)
        await out.part(json(cut === undefined ? parts.join('') : { cut, text: parts.join('') }));
      out.endOfParts(isText && !out.json);
      if (cut !== undefined) out.warn(`This is only the ${cut}; the rest was not kept.`);
      break;
    }
    return ok(EXIT.ok);
  },
});

/** Prints a large text in pages, or as one JSON value. */
async function printText(
  { out, stop }: Context,
  link: Link,
  text: { readonly runId: number; readonly sha256: string },
): Promise<Result<ExitCode>> {
  const parts: string[] = [];
  for (let [from, size] = [0, 1]; from < size && !stop.aborted; ) {
    const page = await ask(link, 'run.text', { ...text, from });
    if (!page.ok) return page;
    if (out.json) parts.push(page.value.text);
    else await out.part(page.value.text);
    ({ to: from, size } = page.value);
  }
  if (out.json) await out.part(json(parts.join('')));
  out.endOfParts(!out.json);
  return ok(EXIT.ok);
}

function placeOf(name = 'data_out'): { readonly step: string | null; readonly port: string } {
  const dot = name.lastIndexOf('.');
  return dot < 0 ? { step: null, port: name } : { step: name.slice(0, dot), port: name.slice(dot + 1) };
}
