import { spawn } from 'node:child_process';
import { access, constants, readdir, readFile, stat } from 'node:fs/promises';
import { delimiter, dirname, extname, isAbsolute, join, resolve } from 'node:path';
import { LOGIN_SHELL_END_MS, LOGIN_SHELL_MS, LOGIN_SHELL_OUTPUT_MS } from '../../limits/core';
import { cleanPath } from './environment';
import { signal } from './guard/end-group';

const MARKER = '__muster_path__';

interface SearchPathOptions {
  readonly environment: Readonly<Record<string, string | undefined>>;
  readonly home: string;
  /** False if Muster was started from a shell, whose PATH is already complete. */
  readonly askLoginShell: boolean;
  /** Timeout for the login shell, in milliseconds. */
  readonly loginShellMs?: number;
}

/** PATH, completed for an app started by the desktop, which lacks what the operator's shell adds. */
export class SearchPath {
  #folders: Promise<string[]> | null = null;

  constructor(private readonly options: SearchPathOptions) {}

  async value(): Promise<string> {
    return (await this.folders()).join(delimiter);
  }

  folders(): Promise<string[]> {
    this.#folders ??= this.#collect();
    return this.#folders;
  }

  async find(command: string, options: { path?: string; cwd?: string } = {}): Promise<string | null> {
    if (command === '') return null;
    if (/[\\/]/.test(command)) {
      return executable(isAbsolute(command) ? command : resolve(options.cwd ?? process.cwd(), command));
    }
    const first = options.path ? options.path.split(delimiter).filter((folder) => folder !== '') : [];
    for (const folder of new Set([...first, ...(await this.folders())])) {
      const found = await executable(join(folder, command));
      if (found !== null) return found;
    }
    return null;
  }

  async #collect(): Promise<string[]> {
    const { environment, home, askLoginShell, loginShellMs = LOGIN_SHELL_MS } = this.options;
    const ownPath = cleanPath(environment.PATH ?? environment.Path ?? '', delimiter);
    const login = askLoginShell ? await loginShellPath(environment, loginShellMs) : [];
    const known = await existing(await wellKnown(home, environment));
    return [...new Set([...login, ...ownPath, ...known])];
  }
}

async function executable(path: string): Promise<string | null> {
  const endings =
    process.platform === 'win32' && extname(path) === ''
      ? (process.env.PATHEXT ?? '.EXE;.CMD;.BAT').split(';')
      : [''];
  for (const ending of endings) {
    try {
      if (!(await stat(path + ending)).isFile()) continue;
      await access(path + ending, constants.X_OK);
      return path + ending;
    } catch {
      // Not this one.
    }
  }
  return null;
}

/** The login shell may print greetings or hang: its answer is between markers and has a timeout. */
function loginShellPath(environment: SearchPathOptions['environment'], limitMs: number): Promise<string[]> {
  if (process.platform === 'win32') return Promise.resolve([]);
  const shell = environment.SHELL ?? '/bin/sh';
  const script = `printf '${MARKER}%s${MARKER}' "$PATH"`;
  const args = /fish$/.test(shell)
    ? ['-l', '-c', `printf '${MARKER}%s${MARKER}' (string join : $PATH)`]
    : ['-ilc', script];
  return new Promise((done) => {
    // Its own session: an interactive shell would otherwise take over Muster's terminal, and stop there.
    const child = spawn(shell, args, {
      env: { ...environment, TERM: 'dumb' },
      detached: true,
      stdio: ['ignore', 'pipe', 'ignore'],
    });
    let text = '';
    const finish = () => {
      clearTimeout(timer);
      child.stdout.destroy();
      const value = text.split(MARKER)[1];
      done(value ? cleanPath(value, ':') : []);
    };
    const timer = setTimeout(() => {
      const { pid } = child;
      finish();
      if (pid === undefined) return;
      // Programs started by a profile remove their locks when terminated, but not when killed.
      signal(-pid, 'SIGHUP');
      setTimeout(() => signal(-pid, 'SIGKILL'), LOGIN_SHELL_END_MS).unref();
    }, limitMs);
    child.stdout.on('data', (chunk: Buffer) => {
      text += chunk.toString('utf8');
    });
    child.once('error', finish).once('exit', () => setTimeout(finish, LOGIN_SHELL_OUTPUT_MS));
  });
}

async function wellKnown(home: string, environment: SearchPathOptions['environment']): Promise<string[]> {
  const inHome = [
    '.local/bin',
    'bin',
    '.npm-global/bin',
    '.bun/bin',
    '.deno/bin',
    '.cargo/bin',
    '.volta/bin',
    '.opencode/bin',
    '.local/share/pnpm',
    'Library/pnpm',
    '.local/share/mise/shims',
    '.asdf/shims',
  ].map((folder) => join(home, folder));
  const shared = ['/opt/homebrew/bin', '/usr/local/bin', '/home/linuxbrew/.linuxbrew/bin', '/snap/bin'];
  const windows = environment.APPDATA ? [join(environment.APPDATA, 'npm')] : [];
  const node = /node(\.exe)?$/.test(process.execPath) ? [dirname(process.execPath)] : [];
  return [...inHome, ...(await npmPrefix(home)), ...(await newestNvm(home)), ...shared, ...windows, ...node];
}

/** The target of `npm install --global` if the operator changed it. */
async function npmPrefix(home: string): Promise<string[]> {
  try {
    const match = /^\s*prefix\s*=\s*(\S+)\s*$/m.exec(await readFile(join(home, '.npmrc'), 'utf8'));
    return match?.[1] ? [join(match[1].replace(/^(~|\$\{HOME\})/, home), 'bin')] : [];
  } catch {
    return [];
  }
}

async function newestNvm(home: string): Promise<string[]> {
  const versions = join(home, '.nvm', 'versions', 'node');
  try {
    const names = (await readdir(versions)).filter((name) => /^v\d+\./.test(name));
    names.sort((a, b) => a.localeCompare(b, 'en', { numeric: true }));
    const newest = names.at(-1);
    return newest ? [join(versions, newest, 'bin')] : [];
  } catch {
    return [];
  }
}

async function existing(folders: readonly string[]): Promise<string[]> {
  const there = await Promise.all(
    folders.map((folder) =>
      stat(folder).then(
        (found) => found.isDirectory(),
        () => false,
      ),
    ),
  );
  return folders.filter((_, index) => there[index]);
}
