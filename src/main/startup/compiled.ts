import { mkdirSync, readdirSync, readFileSync, renameSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { basename, dirname, join, resolve } from 'node:path';
import { Script } from 'node:vm';
import { OLD_CODE_CACHE_MS, SAVE_CODE_CACHE_MS } from '../limits/main';

interface Compiled {
  readonly script: Script;
  readonly source: Buffer;
  /** The source as a function, which is what V8 compiles. */
  readonly text: string;
  /** The file for its compiled code. */
  readonly cachePath: string;
  readonly isNew: boolean;
}

/** Takes a CommonJS module's scope: exports, require, module, __filename and __dirname. */
type Wrapped = (...scope: unknown[]) => void;

/**
 * Runs a bundled script and the scripts it requires, and returns the first one's exports. Their V8-compiled
 * code is cached, so that the next start need not compile it: that is half of their load time. A cache for
 * another text or V8 version is not used. `keepIn` is a folder that only the user can write.
 */
export function runCompiled(file: string, keepIn: string): object {
  const native = createRequire(file);
  const loaded = new Map<string, { exports: object }>();
  const fresh: Compiled[] = [];
  const run = (path: string): object => {
    const known = loaded.get(path);
    if (known) return known.exports;
    const module = { exports: {} };
    loaded.set(path, module);
    const compiled = compile(path, keepIn);
    if (compiled.isNew) fresh.push(compiled);
    const require = (id: string): unknown =>
      id.startsWith('.') ? run(resolve(dirname(path), id)) : native(id);
    (compiled.script.runInThisContext() as Wrapped)(module.exports, require, module, path, dirname(path));
    return module.exports;
  };
  const exports = run(file);
  const keep = (): void => {
    if (fresh.length > 0) removeOld(keepIn);
    for (const compiled of fresh.splice(0)) keepCompiled(compiled);
  };
  process.once('exit', keep);
  setTimeout(keep, SAVE_CODE_CACHE_MS).unref();
  return exports;
}

function compile(path: string, keepIn: string): Compiled {
  const source = readFileSync(path);
  const cachePath = join(keepIn, `${basename(path)}-${process.versions.v8}`);
  const found = readKept(cachePath, source);
  const text =
    found?.text ?? `(function (exports, require, module, __filename, __dirname) {${source.toString()}\n})`;
  const script = new Script(text, { filename: path, ...(found && { cachedData: found.code }) });
  return {
    script,
    source,
    text,
    cachePath,
    isNew: found === null || script.cachedDataRejected === true,
  };
}

/**
 * The file contains the length of the text, the source, the text as V8 takes it, and the code. The source is
 * compared, because V8 itself checks only the text's length, and hashing would take longer. The text is kept
 * because decoding it from UTF-8 takes longer than reading it. V8 copies code that is not word-aligned.
 */
function readKept(path: string, source: Buffer): { text: string; code: Buffer } | null {
  try {
    const whole = readFileSync(path);
    const { textAt, codeAt, end } = places(source, whole.readUInt32LE());
    if (!whole.subarray(WORD, WORD + source.length).equals(source) || whole.length < end) return null;
    return { text: whole.toString('utf16le', textAt, end), code: whole.subarray(codeAt) };
  } catch {
    return null;
  }
}

const WORD = 8;
const toWord = (bytes: number): number => Math.ceil(bytes / WORD) * WORD;

function places(source: Buffer, characters: number): { textAt: number; end: number; codeAt: number } {
  const textAt = toWord(WORD + source.length);
  const end = textAt + 2 * characters;
  return { textAt, end, codeAt: toWord(end) };
}

function removeOld(keepIn: string): void {
  try {
    for (const name of readdirSync(keepIn)) {
      const path = join(keepIn, name);
      if (Date.now() - statSync(path).mtimeMs > OLD_CODE_CACHE_MS) rmSync(path);
    }
  } catch {
    // The folder does not exist yet, or another process was faster.
  }
}

/** Written beside and then renamed, since two processes may do it at once. An unwritable folder only costs time. */
function keepCompiled({ cachePath: path, source, text, script }: Compiled): void {
  const beside = `${path}.${process.pid}.new`;
  try {
    mkdirSync(dirname(path), { recursive: true, mode: 0o700 });
    const { textAt, codeAt } = places(source, text.length);
    const before = Buffer.alloc(codeAt);
    before.writeUInt32LE(text.length);
    source.copy(before, WORD);
    before.write(text, textAt, 'utf16le');
    writeFileSync(beside, Buffer.concat([before, script.createCachedData()]), { mode: 0o600 });
    renameSync(beside, path);
  } catch {
    // The next start compiles again.
  }
}
