import { type ChildProcess, spawn } from 'node:child_process';
import { GUARD_QUICK_DEATH_MS } from '../../../limits/terminal-host';

/**
 * Ends all terminals' processes when this process is gone, however it ended. A shell in its own session reads
 * from a pipe whose other end only this process holds. At its end the shell sends TERM, and a second later
 * KILL, to all registered groups and sessions and to all processes with the mark. `bye` means that nothing is
 * left to end.
 */
const SCRIPT = `mark=$1
trap '' HUP INT QUIT TERM
leaders=
while IFS= read -r line; do
  case $line in
    bye) exit 0 ;;
    +*) leaders="$leaders \${line#+}" ;;
    -*) kept=; for l in $leaders; do [ "$l" = "\${line#-}" ] || kept="$kept $l"; done; leaders=$kept ;;
  esac
done
everyone() {
  for l in $leaders; do echo "-$l"; done
  if [ -r /proc/self/stat ]; then
    grep -lsF "$mark" /proc/[0-9]*/environ 2>/dev/null | while IFS=/ read -r _ _ pid _; do echo "$pid"; done
    for file in /proc/[0-9]*/stat; do
      read -r line 2>/dev/null < "$file" || continue
      set -- \${line##*) }
      for l in $leaders; do [ "$4" = "$l" ] && echo "\${line%% *}"; done
    done
  else
    ps -A -E -ww -o pid=,command= 2>/dev/null | while read -r pid rest; do
      case $rest in *"$mark"*) [ "$pid" = "$$" ] || echo "$pid" ;; esac
    done
  fi
}
for p in $(everyone); do kill -TERM "$p"; kill -CONT "$p"; done 2>/dev/null
sleep 1
for round in 1 2 3 4 5; do
  for p in $(everyone); do kill -KILL "$p"; done 2>/dev/null
  sleep 0.2
done`;

export class Guard {
  readonly #leaders = new Set<number>();
  #shell: ChildProcess | null = null;
  #dismissed = false;

  /** The mark is a prefix in each process's environment: `NAME=value`. */
  constructor(private readonly mark: string) {
    // On Windows the console and its processes end with us.
    if (process.platform !== 'win32') this.#start();
  }

  add(leader: number): void {
    this.#leaders.add(leader);
    this.#say(`+${leader}`);
  }

  remove(leader: number): void {
    this.#leaders.delete(leader);
    this.#say(`-${leader}`);
  }

  dismiss(): void {
    this.#dismissed = true;
    this.#say('bye');
    this.#shell?.stdin?.end();
  }

  #start(): void {
    const startedAt = Date.now();
    const shell = spawn('/bin/sh', ['-c', SCRIPT, 'muster-guard', this.mark], {
      detached: true,
      stdio: ['pipe', 'ignore', 'ignore'],
    });
    shell.on('error', () => undefined);
    shell.stdin.on('error', () => undefined);
    shell.on('exit', () => {
      // It was killed: a new one replaces it, unless guards cannot run here.
      if (!this.#dismissed && Date.now() - startedAt > GUARD_QUICK_DEATH_MS) this.#start();
    });
    shell.unref();
    this.#shell = shell;
    for (const leader of this.#leaders) this.#say(`+${leader}`);
  }

  #say(line: string): void {
    if (this.#shell?.stdin?.writable) this.#shell.stdin.write(`${line}\n`);
  }
}
