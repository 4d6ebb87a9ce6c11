import { statSync } from 'node:fs';
import { basename, dirname, join, resolve, sep } from 'node:path';
import { type AppError, appError } from '@contract/errors';
import { fail, ok, type Result } from '@contract/result';
import type { DocumentReader } from '@main/core/ports/documents';
import type { StepRegistry } from '@main/core/step/module';
import { listGuarded } from '@main/guarded-files/read';
import { readTextFile } from '@main/services/text-file';
import { convertArchon, isArchon } from './archon';
import type { ForeignWorkflow } from './node-context';
import { ConversionReport, type ConvertedKey } from './report';
import { isRaw, type Raw, textAt } from './untrusted-value';

export interface ConvertedFile {
  /** The file's original location. */
  readonly source: string;
  /** The workflow's text; null if the file is not an Archon workflow. */
  readonly text: string | null;
  readonly keys: readonly ConvertedKey[];
  readonly error: AppError | null;
}

interface ConversionParts {
  readonly reader: DocumentReader;
  readonly registry: StepRegistry;
  readonly write: (value: unknown) => string;
}

/** Reads Archon workflows with the command files that they name. Writes nothing. */
export class Conversions {
  constructor(private readonly parts: ConversionParts) {}

  async convert(path: string): Promise<Result<ConvertedFile[]>> {
    const facts = statSync(path, { throwIfNoEntry: false });
    if (facts === undefined) return fail('not_found', `there is no file or folder ${path}`);
    if (!facts.isDirectory()) return ok([await this.file(path)]);
    const found: string[] = [];
    await yamlFiles(path, '', found);
    const converted = await Promise.all(found.map((name) => this.file(join(path, name))));
    // A folder may contain other YAML files too.
    return ok(converted.filter(({ error }) => error?.code !== 'input.invalid'));
  }

  /** The other workflows in the folder, if this one calls any. */
  private async others(source: string, document: Raw): Promise<Others> {
    if (!callsOthers(document)) return NO_OTHERS;
    const folder = workflowsFolder(source);
    const found: string[] = [];
    await yamlFiles(folder, '', found);
    const workflows = new Map<string, ForeignWorkflow>();
    const commands = new Map<string, string>();
    for (const name of found) {
      const read = await readTextFile(join(folder, name), folder);
      if (read === null || 'trouble' in read) continue;
      const { value, problems, lineOf } = this.parts.reader.parse(read.text, name);
      if (problems.length > 0 || !isArchon(value)) continue;
      const called = textAt(value, 'name') ?? basename(name).replace(/\.ya?ml$/, '');
      if (!workflows.has(called)) workflows.set(called, { document: value, source: name, lineOf });
      for (const [command, text] of await commandTexts(join(folder, name), value))
        commands.set(command, text);
    }
    return { workflows, commands };
  }

  private async file(source: string): Promise<ConvertedFile> {
    const failed = (error: AppError): ConvertedFile => ({ source, text: null, keys: [], error });
    const read = await readTextFile(source, dirname(source));
    if (read === null) return failed(appError('not_found', `there is no file ${source}`));
    if ('trouble' in read) return failed(appError('validation.failed', `${source}: ${read.trouble}`));
    const document = this.parts.reader.parse(read.text, source);
    const [problem] = document.problems;
    if (problem !== undefined) return failed(problem);
    if (!isArchon(document.value)) {
      const mend = 'convert a file with a name and a list of nodes';
      return failed(appError('input.invalid', `${source} is no workflow of Archon`, { mend }));
    }
    const report = new ConversionReport(document.lineOf);
    const texts = await commandTexts(source, document.value);
    const others = await this.others(source, document.value);
    const { registry, write } = this.parts;
    const workflow = convertArchon(document.value, {
      registry,
      report,
      command: (name) => texts.get(name) ?? others.commands.get(name) ?? null,
      workflow: (name) => others.workflows.get(name) ?? null,
    });
    return { source, text: write(workflow), keys: report.keys, error: null };
  }
}

/** Other workflows by name, and the command files that they name. */
interface Others {
  readonly workflows: ReadonlyMap<string, ForeignWorkflow>;
  readonly commands: ReadonlyMap<string, string>;
}

const NO_OTHERS: Others = { workflows: new Map(), commands: new Map() };

/** The folder to search for workflows: the enclosing `workflows`, else the file's own. */
function workflowsFolder(source: string): string {
  const sourceFolder = dirname(resolve(source));
  const parts = sourceFolder.split(sep);
  const at = parts.lastIndexOf('workflows');
  return at < 0 ? sourceFolder : parts.slice(0, at + 1).join(sep);
}

/** Every mapping in a document, at any depth. */
function* mappings(value: unknown): Generator<Raw> {
  if (isRaw(value)) yield value;
  if (typeof value === 'object' && value !== null)
    for (const one of Object.values(value)) yield* mappings(one);
}

const callsOthers = (document: Raw): boolean =>
  [...mappings(document)].some((one) => textAt(one, 'include') !== null || textAt(one, 'workflow') !== null);

const DEEPEST = 12;

/** The YAML files below a folder, sorted by name. */
async function yamlFiles(root: string, folder: string, found: string[]): Promise<void> {
  const depth = folder.split(sep).length;
  for (const name of await listGuarded(root, folder)) {
    const path = join(folder, name);
    const facts = statSync(join(root, path), { throwIfNoEntry: false });
    if (facts?.isDirectory() === true && name !== 'node_modules' && depth < DEEPEST)
      await yamlFiles(root, path, found);
    else if (facts?.isFile() === true && /\.ya?ml$/.test(name)) found.push(path);
  }
}

const FOLDERS = ['commands', join('commands', 'defaults')].flatMap((name) => [name, join('.archon', name)]);
const LEVELS = 6;

/** The command files that nodes name: in a folder `commands` beside the workflow's folder, or further up. */
async function commandTexts(source: string, document: Raw): Promise<ReadonlyMap<string, string>> {
  const named = [...mappings(document)].map((node) => textAt(node, 'command'));
  const texts = new Map<string, string>();
  for (const name of new Set(named)) {
    if (name === null || !/^[A-Za-z0-9][A-Za-z0-9._-]*$/.test(name)) continue;
    const text = await commandText(dirname(resolve(source)), name);
    if (text !== null) texts.set(name, text);
  }
  return texts;
}

async function commandText(from: string, name: string): Promise<string | null> {
  for (let folder = from, up = 0; up < LEVELS; folder = dirname(folder), up += 1)
    for (const inside of FOLDERS) {
      const read = await readTextFile(join(folder, inside, `${name}.md`), join(folder, inside));
      if (read !== null && 'text' in read) return read.text;
    }
  return null;
}
