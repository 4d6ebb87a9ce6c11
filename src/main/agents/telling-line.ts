/** `TypeError: x`, `Uncaught Error: x`, `fatal: x`, `error[E0001]: x`, `panic: x`. */
const ERROR = /^(?:uncaught\s+)?(?:[\w.$]*(?:error|exception)\b|fatal\b|panic\b)[^:]*:\s*\S/i;
/** A line of a stack, or what Node prints last. */
const NOISE = /^(?:\s+at\s|\s*\^|Node\.js v\d|\s*\})/;

/** The line of a program's last output that says why it ended; empty if it printed nothing. */
export function tellingLine(text: string): string {
  const lines = text.split('\n').filter((line) => line.trim() !== '');
  const found = lines.findLast((line) => ERROR.test(line)) ?? lines.findLast((line) => !NOISE.test(line));
  return (found ?? lines.at(-1) ?? '').trim();
}
