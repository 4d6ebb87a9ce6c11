import { type ChildProcess, spawn } from 'node:child_process';

/** The terminal host beside the cores: another one takes its place when it is killed. */
export class TerminalProcess {
  private child: ChildProcess;
  private ending = false;

  constructor(private readonly args: readonly string[]) {
    this.child = this.start();
  }

  get pid(): number {
    return this.child.pid ?? 0;
  }

  async end(): Promise<void> {
    this.ending = true;
    const { child } = this;
    const gone = new Promise((resolve) => child.once('exit', resolve));
    if (child.exitCode !== null || child.signalCode !== null) return;
    child.stdin?.end();
    await gone;
  }

  private start(): ChildProcess {
    const child = spawn(process.execPath, [...this.args], { stdio: ['pipe', 'ignore', 'inherit'] });
    child.stdin?.on('error', () => undefined);
    child.once('exit', () => {
      if (!this.ending) this.child = this.start();
    });
    return child;
  }
}
