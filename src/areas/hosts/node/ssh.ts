import { type ChildProcessWithoutNullStreams, spawn } from 'node:child_process';
import { homedir } from 'node:os';
import type { AppError } from '@contract/errors';
import { err, fail, ok, type Result } from '@contract/result';
import type { Host } from '../contract/host';
import { HOST_LOOK_MS } from '../contract/limits';
import { fingerprintIn, SSH_FAILED, sshFailure } from '../core/ssh-failure';

/** The operator's configuration, agent and known hosts apply as in a terminal; nothing is asked, nothing lowered. */
const OPTIONS = [
  '-T',
  ...['BatchMode=yes', 'ForwardAgent=no', 'ServerAliveInterval=5', 'ServerAliveCountMax=3'].flatMap((one) => [
    '-o',
    one,
  ]),
];

/** What a broken login shell may print before it is ended. */
const OUTPUT_BYTES = 256 * 1024;
const STDERR_BYTES = 16 * 1024;

interface SshParts {
  /** The absolute path of a program, or null. */
  find(command: string): Promise<string | null>;
  environment(): Promise<Readonly<Record<string, string>>>;
}

interface RemoteCommand {
  readonly command: string;
  readonly input?: string | Uint8Array;
  readonly ms?: number;
}

/** A running `ssh`, its streams, and how it ended. */
export interface SshConnection {
  readonly child: ChildProcessWithoutNullStreams;
  /** The end of its standard error. */
  stderr(): string;
  readonly ended: Promise<number | null>;
}

/** The system's own `ssh`. */
export class Ssh {
  constructor(private readonly parts: SshParts) {}

  /** For git, which starts it itself: a shell command. */
  async gitCommand(): Promise<Result<string>> {
    const program = await this.#program();
    return program.ok ? ok([program.value, ...OPTIONS].map((word) => `'${word}'`).join(' ')) : program;
  }

  async connect(host: Host, command: string): Promise<Result<SshConnection>> {
    return this.#start([...OPTIONS, '--', host.ssh, command]);
  }

  /** Runs a command to its end and returns its output; a failed connection is one clear error. */
  async run(host: Host, { command, input = '', ms = HOST_LOOK_MS }: RemoteCommand): Promise<Result<string>> {
    const ran = await this.#ran(await this.connect(host, command), input, ms);
    if (!ran.ok) return ran;
    const { code, stdout, stderr } = ran.value;
    if (code === SSH_FAILED) return err(await this.failure(host, stderr));
    if (code === null)
      return fail('host.unreachable', `${host.name} did not answer within ${Math.round(ms / 1000)} s.`, {
        mend: `Check the network, and try: ssh ${host.ssh}`,
      });
    if (code !== 0 && stdout === '')
      return fail('host.unfit', `A command on ${host.name} failed: ${stderr.trim().slice(-200)}`, {
        mend: `Try: muster hosts doctor ${host.name}`,
      });
    return ok(stdout);
  }

  /** For an unknown key ssh is asked once more, because it names the fingerprint only in its log. */
  async failure(host: Host, stderr: string): Promise<AppError> {
    const known = { name: host.name, alias: host.ssh, stderr };
    const error = sshFailure(known);
    if (error.code !== 'host.key') return error;
    const asked = await this.#ran(
      await this.#start(['-v', ...OPTIONS, '--', host.ssh, 'true']),
      '',
      HOST_LOOK_MS,
    );
    return sshFailure({ ...known, fingerprint: asked.ok ? fingerprintIn(asked.value.stderr) : null });
  }

  async #program(): Promise<Result<string>> {
    const program = await this.parts.find('ssh');
    return program === null
      ? fail('not_found', 'ssh is not installed, or not on PATH.', { mend: 'Install OpenSSH.' })
      : ok(program);
  }

  async #start(args: readonly string[]): Promise<Result<SshConnection>> {
    const program = await this.#program();
    if (!program.ok) return program;
    const child = spawn(program.value, args, {
      cwd: homedir(),
      env: { ...(await this.parts.environment()) },
      stdio: ['pipe', 'pipe', 'pipe'],
      windowsHide: true,
    });
    let stderr = '';
    child.stderr.on('data', (bytes: Buffer) => {
      stderr = (stderr + bytes.toString('utf8')).slice(-STDERR_BYTES);
    });
    child.stdin.on('error', () => undefined);
    const ended = new Promise<number | null>((resolve) => {
      child.once('close', (code) => resolve(code));
      child.once('error', (error) => {
        stderr += error.message;
        resolve(SSH_FAILED);
      });
    });
    return ok({ child, stderr: () => stderr, ended });
  }

  async #ran(
    started: Result<SshConnection>,
    input: string | Uint8Array,
    ms: number,
  ): Promise<Result<{ code: number | null; stdout: string; stderr: string }>> {
    if (!started.ok) return started;
    const { child, ended, stderr } = started.value;
    let stdout = '';
    child.stdout.on('data', (bytes: Buffer) => {
      stdout += bytes.toString('utf8');
      if (stdout.length > OUTPUT_BYTES) child.kill();
    });
    const timer = setTimeout(() => child.kill(), ms);
    child.stdin.end(input);
    const code = await ended;
    clearTimeout(timer);
    // What printed so much is for the reader of the output to judge.
    return ok({ code: stdout.length > OUTPUT_BYTES ? 0 : code, stdout, stderr: stderr() });
  }
}
