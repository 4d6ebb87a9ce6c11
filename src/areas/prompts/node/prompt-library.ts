import { createHash } from 'node:crypto';
import { join } from 'node:path';
import { type AppError, appError, type Problem } from '@contract/errors';
import { err, fail, ok, type Result } from '@contract/result';
import { readTextFile, type TextFile } from '@main/services/text-file';
import type { PromptFolder } from '../contract/folders';
import type { PromptCheck, PromptDetail, PromptRow } from '../contract/procedures';
import type { PromptSchema, PromptSet } from '../contract/schema';
import { type PromptId, promptSets } from '../contract/sets';
import { parseTemplate } from '../core/template';
import { validatePrompt } from '../core/validate';
import { PROMPTS_DIR, type PromptLayer, promptLayers, strayFiles } from './prompt-layers';

/** A valid text. */
interface LoadedPrompt {
  readonly text: string;
  readonly source: PromptRow['source'];
  readonly file: string;
  /** SHA-256 of the text, in hexadecimal. */
  readonly hash: string;
}
type LoadedPrompts = Readonly<Record<PromptId, LoadedPrompt>>;

/** Its message contains all problems; it also lists them individually. */
interface PromptsError extends AppError {
  readonly problems: readonly Problem[];
}

/** One prompt of a project as on disk, with its problems. */
interface ReadPrompt extends PromptRow {
  readonly schema: PromptSchema;
  readonly text: string;
}

/** A project (null: none), and folders that override it. */
type LibraryPlace = readonly [projectPath: string | null, folders?: readonly PromptFolder[]];

interface LibraryParts {
  /** Contains a folder for each set: the app's `resources/prompts`. */
  readonly builtinDir: string;
  readonly sets?: readonly PromptSet[];
  /** The folder named in this process's environment. */
  readonly variable?: string | undefined;
}

/**
 * Muster's prompt texts and their overrides: in a folder named by a flag or the environment, else in the
 * project. The files are authoritative and read each time. An invalid text is never used, and never skipped
 * in favour of the next source.
 */
export class PromptLibrary {
  private readonly sets: readonly PromptSet[];

  constructor(private readonly parts: LibraryParts) {
    this.sets = parts.sets ?? promptSets;
  }

  /**
   * All texts as they apply in a place, validated. Fails with every problem of every file; the error code is
   * the first one's. A run keeps the returned texts, whatever happens to the files.
   */
  async loadAll(...place: LibraryPlace): Promise<Result<LoadedPrompts, PromptsError>> {
    const prompts = await this.readAll(place);
    const problems = [...prompts.flatMap((prompt) => prompt.problems), ...(await this.strays(place))].filter(
      ({ severity }) => severity === 'error',
    );
    if (problems.length > 0) return err(refusal(problems));
    const loaded = prompts.map(({ id, text, source, file }): [string, LoadedPrompt] => [
      id,
      { text, source, file, hash: hashOf(text) },
    ]);
    // Contains every id of the contract's sets, because `readAll` iterates over those sets.
    return ok(Object.fromEntries(loaded) as LoadedPrompts);
  }

  async list(...place: LibraryPlace): Promise<PromptRow[]> {
    return (await this.readAll(place)).map(rowOf);
  }

  /** All problems, file by file, and files that match no prompt. */
  async check(...place: LibraryPlace): Promise<PromptCheck> {
    const [prompts, strays] = [await this.list(...place), await this.strays(place)];
    const problems = [...prompts.flatMap((prompt) => prompt.problems), ...strays];
    return {
      projectPath: place[0],
      valid: problems.every(({ severity }) => severity !== 'error'),
      prompts,
      strays,
    };
  }

  /** One prompt with its text. Errors: `not_found`. */
  async get(
    projectPath: string | null,
    id: string,
    folders: readonly PromptFolder[] = [],
  ): Promise<Result<PromptDetail>> {
    const known = this.find(id);
    if (known === null) return fail('not_found', `there is no prompt ${id}`);
    const read = await this.read(known, [projectPath, folders]);
    const builtin = await this.builtin(known);
    return ok({
      ...rowOf(read),
      schema: known.schema,
      text: read.text,
      pieces: parseTemplate(read.text).map(({ kind, raw }) => ({ kind, raw })),
      hash: hashOf(read.text),
      builtinText: builtin.text,
    });
  }

  /** Null if no set has such a prompt. */
  find(id: string): Known | null {
    for (const set of this.sets) {
      const schema = set.prompts.find((prompt) => prompt.id === id);
      if (schema) return { set, schema };
    }
    return null;
  }

  private readAll(place: LibraryPlace): Promise<ReadPrompt[]> {
    const all = this.sets.flatMap((set) => set.prompts.map((schema) => ({ set, schema })));
    return Promise.all(all.map((known) => this.read(known, place)));
  }

  /** The text from the first source that has one, valid or not; else Muster's own. */
  private async read({ set, schema }: Known, place: LibraryPlace): Promise<ReadPrompt> {
    const [projectPath] = place;
    const overrideFile = projectPath === null ? null : join(PROMPTS_DIR, set.id, schema.file);
    const base = {
      id: schema.id,
      title: schema.title,
      purpose: schema.purpose,
      overrideFile,
      schema,
      set: { id: set.id, title: set.title },
    };
    for (const { source, root, folder, nameOf } of this.layers(place)) {
      const inRoot = join(folder, set.id, schema.file);
      const absolutePath = join(root, inRoot);
      const ownText = await readTextFile(absolutePath, root);
      const file = nameOf(inRoot);
      if (ownText !== null) return { ...base, source, file, absolutePath, ...judged(schema, ownText, file) };
    }
    return { ...base, ...(await this.builtin({ set, schema })) };
  }

  private async builtin({ set, schema }: Known) {
    const absolutePath = join(this.parts.builtinDir, set.id, schema.file);
    const file = `${set.id}/${schema.file}`;
    const builtin = await readTextFile(absolutePath, this.parts.builtinDir);
    if (builtin !== null)
      return { source: 'builtin', file, absolutePath, ...judged(schema, builtin, absolutePath) } as const;
    const problems = schema.requiredFile ? [missingFile(absolutePath)] : [];
    return { source: 'none', file, absolutePath, text: '', problems } as const;
  }

  private layers([projectPath, folders = []]: LibraryPlace): PromptLayer[] {
    return promptLayers(projectPath, folders, this.parts.variable);
  }

  private async strays(place: LibraryPlace): Promise<Problem[]> {
    const found = await Promise.all(this.layers(place).map((layer) => strayFiles(layer, this.sets)));
    return found.flat();
  }
}

interface Known {
  readonly set: PromptSet;
  readonly schema: PromptSchema;
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
      mend: 'correct the files or remove the overrides; `muster prompts check` lists the problems',
    }),
    problems,
  };
}

function missingFile(file: string): Problem {
  const mend = 'the installation is incomplete: reinstall Muster';
  return {
    code: 'validation.prompt_file',
    severity: 'error',
    mend,
    message: 'the file is missing',
    where: { file },
  };
}

/** A text with its problems; an unreadable file gives an empty text and the reason. */
function judged(schema: PromptSchema, read: TextFile, file: string): { text: string; problems: Problem[] } {
  if ('text' in read) return { text: read.text, problems: validatePrompt(schema, read.text, file) };
  return {
    text: '',
    problems: [
      {
        code: 'validation.prompt_file',
        severity: 'error',
        where: { file },
        message: read.trouble,
        mend: read.mend,
      },
    ],
  };
}
