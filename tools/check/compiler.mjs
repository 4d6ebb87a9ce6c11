/**
 * The sources as TypeScript 7 compiles them, for all checks that need types: one process, in which each project reads a
 * file that another one has read already, and checks only the files that are its own.
 */
import { existsSync, readdirSync } from 'node:fs';
import { dirname, join, relative } from 'node:path';
import { API } from 'typescript-native/unstable/sync';
import { root } from '../lib/paths.mjs';

/** Those of a room before those that import it. What only tests import is checked with the tests. */
export const PROJECTS = [
  'tools/tsconfig/pure.json',
  'src/main/tsconfig.json',
  'src/preload/tsconfig.json',
  'src/renderer/tsconfig.json',
  'src/sandbox-page/tsconfig.json',
  'tools/tsconfig/tests.json',
];

/** Opens the compiler. `planted` (path -> text) are files that it finds in addition to, or in place of, those on disk. */
export class Compiler {
  #planted = new Map();
  #api;

  constructor(folder = root) {
    this.folder = folder;
    this.#api = new API({ cwd: folder, fs: this.#files() });
  }

  #files() {
    const planted = () => this.#planted;
    const below = (path) => [...planted().keys()].filter((file) => file.startsWith(`${path}/`));
    return {
      readFile: (path) => planted().get(path),
      fileExists: (path) => (planted().has(path) ? true : undefined),
      directoryExists: (path) => (below(path).length > 0 ? true : undefined),
      getAccessibleEntries: (path) => {
        const inside = below(path).map((file) => file.slice(path.length + 1).split('/'));
        if (inside.length === 0) return undefined;
        const real = existsSync(path) ? readdirSync(path, { withFileTypes: true }) : [];
        const names = (wanted, isReal) => [
          ...new Set([
            ...inside.filter(wanted).map(([name]) => name),
            ...real.filter(isReal).map(({ name }) => name),
          ]),
        ];
        return {
          files: names(
            (parts) => parts.length === 1,
            (entry) => entry.isFile(),
          ),
          directories: names(
            (parts) => parts.length > 1,
            (entry) => entry.isDirectory(),
          ),
        };
      },
    };
  }

  /** From now on these files are there as well; returns the paths of those that were there before. */
  plant(files) {
    const before = [...files.keys()].filter((file) => existsSync(join(this.folder, file)));
    this.#planted = new Map([...files].map(([file, text]) => [join(this.folder, file), text]));
    const paths = (names) => names.map((file) => join(this.folder, file));
    this.#api.updateSnapshot({
      fileChanges: {
        changed: paths(before),
        created: paths([...files.keys()].filter((file) => !before.includes(file))),
      },
    });
    return before;
  }

  open(config) {
    const path = join(this.folder, config);
    return this.#api.updateSnapshot({ openProjects: [path] }).getProject(path);
  }

  /** Each project with the files that are checked in it, one after the other. */
  *projects() {
    const done = new Set();
    for (const config of PROJECTS) {
      const project = this.open(config);
      const own = new Set(project.rootFiles);
      const last = config === PROJECTS.at(-1);
      const files = (last ? project.program.getSourceFileNames() : project.rootFiles).filter(
        (file) => own.has(file) || (last && this.#isSource(file) && !done.has(file)),
      );
      for (const file of files) done.add(file);
      yield { config, project, files };
    }
  }

  #isSource = (file) => file.startsWith(`${this.folder}/`) && !file.includes('/node_modules/');

  close() {
    this.#api.close();
  }

  /** What the compiler says of these files, as `file:line:column error TS1: text`. */
  problems({ program }, files) {
    const all = files.flatMap((file) => [
      ...program.getSyntacticDiagnostics(file),
      ...program.getSemanticDiagnostics(file),
    ]);
    return all.map((diagnostic) => this.#text(program, diagnostic));
  }

  /** What it says of a project as a whole. */
  projectProblems({ program }) {
    return [
      ...program.getConfigFileParsingDiagnostics(),
      ...program.getProgramDiagnostics(),
      ...program.getGlobalDiagnostics(),
    ].map((diagnostic) => this.#text(program, diagnostic));
  }

  #text(program, { fileName, pos, code, text, messageChain = [] }) {
    const lines = (chain, indent) =>
      chain.flatMap((one) => [`${indent}${one.text}`, ...lines(one.messageChain ?? [], `${indent}  `)]);
    const said = [`error TS${code}: ${text}`, ...lines(messageChain, '  ')].join('\n');
    return fileName ? `${this.place(program, fileName, pos)} ${said}` : said;
  }

  /** `file:line:column`, from 1. */
  place(program, fileName, position) {
    const source = program.getSourceFile(fileName);
    const at = source?.getLineAndCharacterOfPosition(position) ?? { line: 0, character: 0 };
    return `${relative(this.folder, fileName)}:${at.line + 1}:${at.character + 1}`;
  }
}

/** The paths (relative to the root) that a file of this text imports from the sources, without their endings. */
export function importsOf(file, text) {
  return [...text.matchAll(/(?:from|import\()\s*'([^']+)'/g)].flatMap(([, name]) => {
    if (name.startsWith('.')) return [join(dirname(file), name)];
    const [, room, rest] = /^@(areas|contract|features|main|renderer)\/(.*)$/.exec(name) ?? [];
    return room === undefined ? [] : [join('src', room, rest)];
  });
}
