import { createHash } from 'node:crypto';
import { join } from 'node:path';
import { type AppError, appError, type Problem } from '@contract/errors';
import type { PromptCheck, PromptDetail, PromptRow } from '@contract/prompts/procedures';
import type { PromptSchema, PromptSet } from '@contract/prompts/schema';
import { type PromptId, promptSets } from '@contract/prompts/sets';
import { err, ok, type Result } from '@contract/result';
import { parseTemplate } from '../core/prompts/template';
import { validatePrompt } from '../core/prompts/validate';
import { listGuarded } from '../guarded-files/read';
import { readTextFile, type TextFile } from './text-file';

/** Where a project's own texts stand, relative to the project; below it one folder for each set. */
export const PROMPTS_DIR = join('.muster', 'prompts');

/** A text that may be used: it was validated. */
export interface LoadedPrompt {
  readonly text: string;
  readonly source: PromptRow['source'];
  readonly file: string;
  /** SHA-256 of the text, in hexadecimal digits. */
  readonly hash: string;
}
export type LoadedPrompts = Readonly<Record<PromptId, LoadedPrompt>>;

/** Says all that is wrong in its message, and holds it one by one. */
export interface PromptsError extends AppError {
  readonly problems: readonly Problem[];
}

/** One prompt of one project as it stands on disk, with what is wrong with it. */
export interface ReadPrompt extends PromptRow {
  readonly schema: PromptSchema;
  readonly text: string;
}

/**
 * Muster's prompt texts, and what a project has instead of them. The files are the truth: nothing is kept between two
 * readings. An override that is not valid is never used, and never passed over for Muster's own text either.
 */
export class PromptLibrary {
  private readonly sets: readonly PromptSet[];

  /** `builtinDir` holds a folder for each set: `resources/prompts` of the app. */
  constructor(private readonly parts: { readonly builtinDir: string; readonly sets?: readonly PromptSet[] }) {
    this.sets = parts.sets ?? promptSets;
  }

  /**
   * All texts as they count in a project (null: Muster's own), each validated. Fails with every problem of every file;
   * its code is that of the first one. A run keeps what it was given here: later changes of the files are not its own.
   */
  async loadAll(projectPath: string | null): Promise<Result<LoadedPrompts, PromptsError>> {
    const prompts = await this.readAll(projectPath);
    const problems = [
      ...prompts.flatMap((prompt) => prompt.problems),
      ...(await this.strays(projectPath)),
    ].filter(({ severity }) => severity === 'error');
    if (problems.length > 0) return err(refusal(problems));
    const loaded = prompts.map(({ id, text, source, file }): [string, LoadedPrompt] => [
      id,
      { text, source, file, hash: hashOf(text) },
    ]);
    // Every id of the contract's sets is among them: `readAll` goes through those very sets.
    return ok(Object.fromEntries(loaded) as LoadedPrompts);
  }

  async list(projectPath: string | null): Promise<PromptRow[]> {
    return (await this.readAll(projectPath)).map(rowOf);
  }

  /** Everything that is wrong, file by file, and files that no one reads. */
  async check(projectPath: string | null): Promise<PromptCheck> {
    const [prompts, strays] = [await this.list(projectPath), await this.strays(projectPath)];
    const problems = [...prompts.flatMap((prompt) => prompt.problems), ...strays];
    return { projectPath, valid: problems.every(({ severity }) => severity !== 'error'), prompts, strays };
  }

  /** One prompt with its text. Errors: `not_found`. */
  async get(projectPath: string | null, id: string): Promise<Result<PromptDetail>> {
    const known = this.find(id);
    if (known === null) return err(appError('not_found', `there is no prompt ${id}`));
    const read = await this.read(known.set, known.schema, projectPath);
    const builtin = read.source === 'override' ? await this.read(known.set, known.schema, null) : read;
    return ok({
      ...rowOf(read),
      schema: known.schema,
      text: read.text,
      pieces: parseTemplate(read.text).map(({ kind, raw }) => ({ kind, raw })),
      hash: hashOf(read.text),
      builtinText: builtin.text,
    });
  }

  /** Null where no set has such a prompt. */
  find(id: string): { set: PromptSet; schema: PromptSchema } | null {
    for (const set of this.sets) {
      const schema = set.prompts.find((prompt) => prompt.id === id);
      if (schema) return { set, schema };
    }
    return null;
  }

  private readAll(projectPath: string | null): Promise<ReadPrompt[]> {
    const all = this.sets.flatMap((set) => set.prompts.map((schema) => ({ set, schema })));
    return Promise.all(all.map(({ set, schema }) => this.read(set, schema, projectPath)));
  }

  /** The project's text where it has one, whatever is wrong with it; else Muster's own. */
  private async read(set: PromptSet, schema: PromptSchema, projectPath: string | null): Promise<ReadPrompt> {
    const { id, title, purpose } = schema;
    const overrideFile = projectPath === null ? null : join(PROMPTS_DIR, set.id, schema.file);
    const base = {
      ...{ id, title, purpose, overrideFile, schema },
      set: { id: set.id, title: set.title },
    };
    if (projectPath !== null && overrideFile !== null) {
      const absolutePath = join(projectPath, overrideFile);
      const own = await readTextFile(absolutePath, projectPath);
      const place = { source: 'override' as const, file: overrideFile, absolutePath };
      if (own !== null) return { ...base, ...place, ...judged(schema, own, overrideFile) };
    }
    const absolutePath = join(this.parts.builtinDir, set.id, schema.file);
    const file = `${set.id}/${schema.file}`;
    const builtin = await readTextFile(absolutePath, this.parts.builtinDir);
    if (builtin !== null)
      return { ...base, source: 'builtin', file, absolutePath, ...judged(schema, builtin, absolutePath) };
    const missing = schema.requiredFile ? [missingFile(absolutePath)] : [];
    return { ...base, source: 'none', file, absolutePath, text: '', problems: missing };
  }

  /** Files in the project's folders of prompts that stand for nothing: a slip in a name would else go unseen. */
  private async strays(projectPath: string | null): Promise<Problem[]> {
    if (projectPath === null) return [];
    const found = this.sets.map(async (set): Promise<Problem[]> => {
      const folder = join(PROMPTS_DIR, set.id);
      const names = await listGuarded(projectPath, folder);
      const known = set.prompts.map(({ file }) => file);
      return names
        .filter((name) => /\.md$/i.test(name) && !/^(\.|readme\.md$)/i.test(name) && !known.includes(name))
        .sort()
        .map((name) => ({
          code: 'validation.prompt_file',
          severity: 'error',
          message: `${name} is no prompt file of the set ${set.id}, so it is never read`,
          where: { file: join(folder, name) },
          mend: `the files are ${known.join(', ')}; rename it, or move it out of this folder`,
        }));
    });
    return (await Promise.all(found)).flat();
  }
}

const hashOf = (text: string): string => createHash('sha256').update(text).digest('hex');

const rowOf = ({ schema: _, text: __, ...row }: ReadPrompt): PromptRow => row;

function refusal(problems: readonly Problem[]): PromptsError {
  const [first] = problems;
  const lines = problems.map(({ message, where }) =>
    [where?.file, where?.line, ` ${message}`].filter((part) => part !== undefined).join(':'),
  );
  return {
    ...appError(first?.code ?? 'validation.failed', `prompt files are not valid: ${lines.join('; ')}`, {
      ...(first?.where === undefined ? {} : { where: first.where }),
      mend: 'mend the files or remove the overrides; `muster prompts check` tells of each',
    }),
    problems,
  };
}

function missingFile(file: string): Problem {
  const mend = 'the installation is not whole: install Muster again';
  return {
    ...{ code: 'validation.prompt_file', severity: 'error', mend },
    ...{ message: 'the file is missing', where: { file } },
  };
}

/** What is read as a text with all that is wrong with it; what cannot be read as an empty text that says why. */
function judged(schema: PromptSchema, read: TextFile, file: string): { text: string; problems: Problem[] } {
  if ('text' in read) return { text: read.text, problems: validatePrompt(schema, read.text, file) };
  return {
    text: '',
    problems: [
      {
        ...{ code: 'validation.prompt_file', severity: 'error', where: { file } },
        ...{ message: read.trouble, mend: read.mend },
      },
    ],
  };
}
