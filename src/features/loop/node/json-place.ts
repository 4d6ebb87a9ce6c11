/** A step into JSON: an object key, or a list index. */
type JsonStep = string | number;

/** The steps of a path such as `userStories[2].title`. */
export function jsonSteps(path: string): JsonStep[] {
  return [...path.matchAll(/([^.[\]]+)|\[(\d+)\]/g)].map(([, key, index]) =>
    index === undefined ? (key ?? '') : Number(index),
  );
}

/**
 * The line (from 1) of a path's target; of its nearest existing parent if a part of the path is missing. The
 * text is assumed to be JSON: for any other the answer is some line of it.
 */
export function lineOfJson(text: string, path: readonly JsonStep[]): number {
  const walk = new Walk(text);
  walk.space();
  let found = walk.at;
  for (const step of path) {
    if (!walk.enter(step)) break;
    found = walk.at;
  }
  return text.slice(0, found).split('\n').length;
}

class Walk {
  at = 0;
  constructor(private readonly text: string) {}

  space(): void {
    while (this.at < this.text.length && /[\s\uFEFF]/.test(this.text[this.at] ?? '')) this.at += 1;
  }

  /** Moves to the value of a key or index. False if there is none; it then stays nearby. */
  enter(step: JsonStep): boolean {
    const open = this.text[this.at];
    if (open !== (typeof step === 'number' ? '[' : '{')) return false;
    const start = this.at;
    this.at += 1;
    for (let index = 0; this.at < this.text.length; index += 1) {
      this.space();
      if (/[\]}]/.test(this.text[this.at] ?? ']')) break;
      const name = typeof step === 'number' ? index : this.key();
      if (name === step) return true;
      this.value();
      this.space();
      if (this.text[this.at] === ',') this.at += 1;
    }
    this.at = start;
    return false;
  }

  private key(): string {
    const from = this.at;
    this.string();
    const name = this.text.slice(from + 1, this.at - 1);
    this.space();
    if (this.text[this.at] === ':') this.at += 1;
    this.space();
    return name;
  }

  private string(): void {
    this.at += 1;
    while (this.at < this.text.length && this.text[this.at] !== '"')
      this.at += this.text[this.at] === '\\' ? 2 : 1;
    this.at += 1;
  }

  /** Skips any value. */
  private value(): void {
    let depth = 0;
    while (this.at < this.text.length) {
      const sign = this.text[this.at] ?? '';
      if (depth === 0 && /[,\]}]/.test(sign)) return;
      if (sign === '"') {
        this.string();
        continue;
      }
      if (/[[{]/.test(sign)) depth += 1;
      if (/[\]}]/.test(sign)) depth -= 1;
      this.at += 1;
    }
  }
}
