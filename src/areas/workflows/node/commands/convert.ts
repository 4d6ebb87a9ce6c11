import { mkdir, writeFile } from 'node:fs/promises';
import { basename, join, resolve } from 'node:path';
import type { AppError } from '@contract/errors';
import { fail, ok, type Result } from '@contract/result';
import { ask } from '@main/api/core-service';
import { command } from '@main/cli/command';
import { EXIT } from '@main/cli/exit';
import type { Link } from '@main/cli/link/link';
import { counted } from '@main/cli/output/columns';
import { errorLines, problemLines } from '@main/cli/output/error-lines';
import type { Style } from '@main/cli/output/style';
import type { ConvertedFile } from '../convert';

export const convertCommand = command({
  name: 'convert',
  summary: 'Converts workflows of Archon, and reports how every key was carried over.',
  words: 'FILE|FOLDER',
  least: 1,
  most: 1,
  more: [
    'Command files that a workflow names are read from the folder `commands` beside it and written into the converted',
    'file, as are workflows that it includes or calls from the same folder. A step that cannot be converted is replaced by',
    'one that fails with the reason. Existing files are not overwritten. The code is 3 if a converted file is not valid.',
  ].join('\n'),
  flags: {
    out: {
      value: 'FOLDER',
      help: 'the folder for the converted workflows; without it nothing is written',
    },
  },
  async run(context, { words, flags }) {
    const [{ Conversions }, { yamlReader }, { yamlText }, { stepRegistry }] = await Promise.all([
      import('../convert'),
      import('@main/adapters/yaml/document'),
      import('@main/adapters/yaml/write'),
      import('@features/core'),
    ]);
    const conversions = new Conversions({ reader: yamlReader, registry: stepRegistry, write: yamlText });
    const found = await conversions.convert(resolve(context.cwd, words[0] ?? ''));
    if (!found.ok) return found;
    const { out } = context;
    const folder = flags.out === undefined ? null : resolve(context.cwd, flags.out);
    const link = folder === null ? null : await context.open({ mode: 'reading' });
    if (link !== null && !link.ok) return link;
    const reports: ConversionReport[] = [];
    for (const file of found.value) {
      const done = await written(file, folder, link?.value ?? null);
      if (!done.ok) return done;
      reports.push({ ...file, ...done.value });
    }
    out.document(
      reports.map(({ text: _, ...one }) => one),
      () => reports.flatMap((one) => reportLines(one, out.style)),
    );
    const failed = reports.some(({ error, valid }) => error !== null || valid === false);
    return ok(failed ? EXIT.invalid : EXIT.ok);
  },
});

interface Written {
  /** Null: nothing was written. */
  readonly file: string | null;
  readonly valid: boolean | null;
  readonly problems: readonly Parameters<typeof problemLines>[0][];
}
type ConversionReport = ConvertedFile & Written;

async function written(
  { source, text }: ConvertedFile,
  folder: string | null,
  link: Link | null,
): Promise<Result<Written, AppError>> {
  if (text === null || folder === null || link === null) return ok({ file: null, valid: null, problems: [] });
  const file = join(folder, basename(source).replace(/\.yml$/, '.yaml'));
  try {
    await mkdir(folder, { recursive: true });
    await writeFile(file, text, { flag: 'wx' });
  } catch (cause) {
    const why =
      cause instanceof Error && 'code' in cause && cause.code === 'EEXIST'
        ? 'it already exists'
        : String(cause);
    return fail('input.invalid', `${file} is not written: ${why}`, {
      mend: 'name another folder with --out',
    });
  }
  const checked = await ask(link, 'workflow.validate', { path: file });
  if (!checked.ok) return checked;
  const { runnable, problems } = checked.value;
  return ok({ file, valid: runnable, problems });
}

const MARKS = { carried_over: '=', changed: '~', not_carried_over: '-' } as const;

function reportLines(
  { source, file, keys, error, valid, problems }: ConversionReport,
  style: Style,
): string[] {
  if (error !== null) return errorLines(error);
  const dropped = keys.filter(({ result }) => result === 'not_carried_over').length;
  const head = `${source}: ${counted(keys.length, 'key')}, ${dropped} not carried over`;
  return [
    style.bold(head),
    ...keys.map(({ node, key, line, file: from, result, how }) => {
      const place = `${from === undefined ? '' : `${from}:`}${line ?? '?'}`.padStart(5);
      const text = `${place} ${MARKS[result]} ${node === null ? '' : `${node}.`}${key}${how === null ? '' : `: ${how}`}`;
      return result === 'not_carried_over' ? style.waits(text) : text;
    }),
    ...(file === null ? [] : [`written to ${file}${valid === true ? '' : ', which is not valid:'}`]),
    ...(valid === false ? problems.flatMap((problem) => problemLines(problem, file ?? source)) : []),
    '',
  ];
}
