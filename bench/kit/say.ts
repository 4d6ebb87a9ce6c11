/** A program of bench/sides answers with one line of JSON, its last line of output. */
export function say(answer: unknown): void {
  process.stdout.write(`${JSON.stringify(answer)}\n`);
}
