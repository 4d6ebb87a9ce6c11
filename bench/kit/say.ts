/** A program of bench/sides answers with one line of JSON, the last that it writes. */
export function say(answer: unknown): void {
  process.stdout.write(`${JSON.stringify(answer)}\n`);
}
