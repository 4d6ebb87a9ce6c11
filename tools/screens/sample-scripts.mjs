/** What the scripted agents of the sample answer. */

const PLAN = `1. Put the limit into a file of its own.
2. Ask it before a berth is booked.
3. Say in the answer when the next try is welcome.`;

export const builder = `match:
  - when: Build the limiter
    reply:
      think: The booking service answers each request at once. The limit has to come before it.
      plan:
        - { content: Write the limiter, status: in_progress, priority: high }
      do:
        - run: { command: "ls src" }
        - write:
            path: src/limit.ts
            content: |
              /** At most \`max\` calls in each window of \`ms\` milliseconds. */
              export class Limit {
                #calls: number[] = [];

                constructor(
                  private readonly max: number,
                  private readonly ms: number,
                ) {}

                /** Whether one more call fits in now. */
                take(now: number): boolean {
                  this.#calls = this.#calls.filter((at) => now - at < this.ms);
                  if (this.#calls.length >= this.max) return false;
                  this.#calls.push(now);
                  return true;
                }
              }
        - edit:
            path: src/booking.ts
            find: "export function book(berth: string): Answer {\\n  return { status: 200, berth };"
            replace: "import { Limit } from './limit';\\n\\nconst limit = new Limit(20, 60_000);\\n\\nexport function book(berth: string, now = Date.now()): Answer {\\n  if (!limit.take(now)) return { status: 429, retryAfter: 60 };\\n  return { status: 200, berth };"
        - say: |
            The limit stands in \`src/limit.ts\`, and \`book\` asks it first.

            | requests in a minute | answer |
            | --- | --- |
            | up to 20 | \`200\` with the berth |
            | the 21st | \`429\` with \`retryAfter\` |

            \`\`\`ts
            if (!limit.take(now)) return { status: 429, retryAfter: 60 };
            \`\`\`
      usage: { input_tokens: 14100, output_tokens: 2580, cost_usd: 0.212 }
  - when: Cover it with a test
    reply:
      do:
        - write: { path: src/limit.test.ts, content: "import { expect, test } from 'vitest';\\nimport { Limit } from './limit';\\n\\ntest('the 21st call in a minute is refused', () => {\\n  const limit = new Limit(20, 60_000);\\n  for (let call = 0; call < 20; call += 1) expect(limit.take(call)).toBe(true);\\n  expect(limit.take(21)).toBe(false);\\n});\\n" }
        - run: { command: "npm test --silent", via: direct }
      text: Three tests pass. One in \`src/booking.test.ts\` fails, because it books 21 berths in a minute.
      usage: { input_tokens: 9000, output_tokens: 1200, cost_usd: 0.11 }
  - when: Ask before
    reply:
      do:
        - edit: { path: src/booking.ts, find: "status: 200, berth", replace: "status: 201, berth, at: Date.now()", ask: true, if_rejected: I was not allowed to. }
      text: It is written.
      usage: { input_tokens: 2100, output_tokens: 180, cost_usd: 0.021 }
  - when: Clean up the branches
    reply:
      do:
        - run: { command: "git branch --merged main | grep -v main | xargs git branch -d", ask: true, if_rejected: I was not allowed to. }
      text: Done.
  - when: Rewrite the index
    reply:
      do: [{ say: "I have read the 40 pages. " }, { wait_for_file: /nowhere/go }]
      text: The index is written.
  - { when: not logged in, reply: { error: auth_required } }
  - when: at the limit
    reply: { error: { limit: { resets_in_seconds: 7200 } } }
  - when: without an end
    reply: { error: { limit: {} } }
  - when: Score
    reply:
      text: '{"score": 8, "reason": "It says what changes for the harbour master, and what does not.", "open": ["the date", "who signs it"]}'
      usage: { input_tokens: 700, output_tokens: 60, cost_usd: 0.004 }
  - when: "operator.*[\\\\s\\\\S]*shorter|shorter"
    flags: i
    reply: "Berths can be booked at most 20 times a minute.\\n\\n**What to do:** nothing, unless you book for others."
  - when: Announce
    reply: "Dear harbour masters,\\n\\nfrom Monday on berths can be booked **at most 20 times a minute**. Who asks more often is told when to try again.\\n\\n**What to do:** nothing, unless you book for others."
  - when: Plan
    reply:
      text: |
${PLAN.replace(/^/gm, '        ')}
      usage: { input_tokens: 3200, output_tokens: 240, cost_usd: 0.031 }
  - when: Break on pier 3
    reply: { error: { message: The page cannot be read. } }
  - when: Sum up
    reply: { text: "Two of three pages were read, and nothing is wrong in them. The page of pier 3 could not be read.", usage: { input_tokens: 900, output_tokens: 70, cost_usd: 0.006 } }
  - when: Result of
    reply: { text: "Ben has planned the new pier in three steps. Nothing is left to do.", usage: { input_tokens: 700, output_tokens: 50, cost_usd: 0.004 } }
  - when: Check the page
    reply: { text: "Read it, and found nothing that is wrong.", usage: { input_tokens: 800, output_tokens: 40, cost_usd: 0.005 } }
default: { text: "Understood: {{prompt}}", usage: { input_tokens: 500, output_tokens: 60, cost_usd: 0.003 } }
`;

export const reviewer = `default:
  text: |
    I read the change twice, and ran it once.

    \`\`\`json
    {"decision": "approve", "findings": [
      {"severity": "high", "text": "A clock that is set back lets everything through, because old calls are never forgotten.", "file": "src/limit.ts", "line": 12},
      {"severity": "medium", "text": "The limit counts for all berths together. One busy pier can lock out the others.", "file": "src/booking.ts", "line": 5},
      {"severity": "low", "text": "The name \`ms\` says nothing about what it measures.", "file": "src/limit.ts", "line": 7}]}
    \`\`\`
  usage: { input_tokens: 6100, output_tokens: 420, cost_usd: 0.064 }
`;

export const undecided = 'default: I have read it twice, and cannot decide.\n';

export const planner = `match:
  - when: "Your plan is approved"
    reply: <task-result>Built.</task-result>
default: |
${PLAN.replace(/^/gm, '  ')}
`;
