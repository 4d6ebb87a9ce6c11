import { readdirSync, readFileSync } from 'node:fs';

const MARK = 'MUSTER_INSTANCE=';

interface Marked {
  readonly pid: number;
  readonly mark: string;
}

/** All living processes that carry Muster's mark. A process that has ended and waits for its parent has none left. */
export function marked(): Marked[] {
  return readdirSync('/proc').flatMap((name) => {
    const pid = Number(name);
    if (!Number.isInteger(pid)) return [];
    try {
      const environment = readFileSync(`/proc/${pid}/environ`, 'latin1');
      const mark = environment.split('\0').find((variable) => variable.startsWith(MARK));
      return mark === undefined ? [] : [{ pid, mark: mark.slice(MARK.length) }];
    } catch {
      return [];
    }
  });
}

/** Its command line, its state, its parent and where in the kernel it waits. */
function told(pid: number): string {
  const read = (name: string): string => {
    try {
      return readFileSync(`/proc/${pid}/${name}`, 'latin1').replaceAll('\0', ' ').trim();
    } catch {
      return 'gone';
    }
  };
  const [state, parent] = read('stat')
    .replace(/^.*\) /s, '')
    .split(' ');
  return `process ${pid} (${state}, child of ${parent}, in ${read('wchan')}): ${read('cmdline').slice(-200)}`;
}

const EVERY_MS = 100;
export const LIMIT_MS = 5_000;

/** Looks all the time for processes that outlive the core that started them. */
export class MarkWatch {
  /** Processes that lived longer than they may, by their ids, with what they are and what they wait for. */
  readonly overdue = new Map<number, string>();
  longest = 0;
  private readonly died = new Map<string, number>();
  private readonly timer = setInterval(() => this.look(), EVERY_MS);

  coreDied(instanceId: string): void {
    this.died.set(instanceId, performance.now());
  }

  /** Waits until nothing of dead cores lives, or until it is overdue. */
  async settled(): Promise<void> {
    for (const until = performance.now() + LIMIT_MS + 2 * EVERY_MS; performance.now() < until; ) {
      if (this.look() === 0) return;
      await new Promise((resolve) => setTimeout(resolve, EVERY_MS));
    }
  }

  close(): void {
    clearInterval(this.timer);
  }

  private look(): number {
    let living = 0;
    const now = performance.now();
    for (const { pid, mark } of marked()) {
      const instance = mark.split('.')[1] ?? '';
      const died = this.died.get(instance);
      if (died === undefined) continue;
      living += 1;
      this.longest = Math.max(this.longest, now - died);
      if (now - died > LIMIT_MS && !this.overdue.has(pid)) this.overdue.set(pid, told(pid));
    }
    return living;
  }
}
