import { messageOf } from '@contract/error-message';
import { isMap, isScalar, LineCounter, type Node, parseDocument } from 'yaml';
import { z } from 'zod';

/** How often a fault occurs, over all sessions that share the state folder; default: each time. */
const times = { times: z.number().int().positive().optional() };
const asking = {
  /** Request permission first. */
  ask: z.boolean().default(false),
  /** The answer if permission is refused, in place of everything that follows. */
  if_rejected: z.string().optional(),
};
const byClient = { via: z.enum(['client', 'direct']).default('client') };
const millis = z.number().int().nonnegative();

const planEntrySchema = z.strictObject({
  content: z.string(),
  status: z.enum(['pending', 'in_progress', 'completed']).default('pending'),
  priority: z.enum(['high', 'medium', 'low']).default('medium'),
});

/** One action of a reply. Exactly one key. */
const actionSchema = z.union([
  z.strictObject({ say: z.string() }),
  z.strictObject({ think: z.string() }),
  z.strictObject({ plan: z.array(planEntrySchema) }),
  z.strictObject({ read: z.strictObject({ path: z.string(), ...byClient, ...asking }) }),
  z.strictObject({
    write: z.strictObject({ path: z.string(), content: z.string(), ...byClient, ...asking }),
  }),
  z.strictObject({
    edit: z.strictObject({ path: z.string(), find: z.string(), replace: z.string(), ...byClient, ...asking }),
  }),
  z.strictObject({
    run: z.strictObject({
      command: z.string(),
      via: z.enum(['direct', 'terminal']).default('direct'),
      ...asking,
    }),
  }),
  /** Requests permission and does nothing. */
  z.strictObject({
    /** A tool of an MCP server from the client. */
    tool: z.strictObject({
      name: z.string(),
      server: z.string().default('muster'),
      input: z.record(z.string(), z.json()).default({}),
    }),
  }),
  z.strictObject({
    ask: z.strictObject({
      title: z.string(),
      kind: z.string().default('other'),
      input: z.record(z.string(), z.json()).default({}),
      if_rejected: z.string().optional(),
    }),
  }),
  z.strictObject({ wait_ms: millis }),
  /** Waits until the file exists: a test creates it to let the turn continue. */
  z.strictObject({ wait_for_file: z.string() }),
  z.strictObject({ hang: z.strictObject({ ...times }) }),
  z.strictObject({
    crash: z.strictObject({ code: z.number().int().default(1), signal: z.string().optional(), ...times }),
  }),
  z.strictObject({ flood: z.strictObject({ mb: z.number().positive(), ...times }) }),
  z.strictObject({
    garbage: z.strictObject({
      lines: z.number().int().positive().default(1),
      /** Length of each line; default: lines with different errors. */
      bytes: z.number().int().positive().optional(),
      ...times,
    }),
  }),
]);
export type Action = z.infer<typeof actionSchema>;

const errorSchema = z.union([
  /** "Authentication required": each time, or a given number of times. */
  z.literal('auth_required'),
  z.strictObject({ auth_required: z.strictObject({ ...times }) }),
  z.strictObject({
    limit: z.strictObject({
      resets_in_seconds: z.number().nonnegative().optional(),
      resets_at: z.string().optional(),
    }),
    ...times,
  }),
  z.strictObject({ message: z.string(), code: z.number().int().default(-32603), ...times }),
]);
export type ScriptError = z.infer<typeof errorSchema>;

const replyObjectSchema = z.strictObject({
  think: z.string().optional(),
  plan: z.array(planEntrySchema).optional(),
  do: z.array(actionSchema).default([]),
  text: z.string().optional(),
  /** How texts are streamed: characters at a time, and the delay between them. */
  stream: z
    .strictObject({ chunk: z.number().int().positive().default(48), delay_ms: millis.default(0) })
    .optional(),
  usage: z
    .strictObject({
      input_tokens: z.number().int().nonnegative(),
      output_tokens: z.number().int().nonnegative(),
      cost_usd: z.number().nonnegative().optional(),
    })
    .optional(),
  stop: z.enum(['end_turn', 'max_tokens', 'max_turn_requests', 'refusal']).default('end_turn'),
  /** An error in place of the turn's end. */
  error: errorSchema.optional(),
  ignore_cancel: z.boolean().default(false),
});
export type Reply = z.infer<typeof replyObjectSchema>;

const replySchema = z.union([z.string(), replyObjectSchema]).transform((reply): Reply => {
  return typeof reply === 'string' ? replyObjectSchema.parse({ text: reply }) : reply;
});

function isPattern(pattern: string): boolean {
  try {
    new RegExp(pattern);
    return true;
  } catch {
    return false;
  }
}

const scriptSchema = z.strictObject({
  description: z.string().optional(),
  capabilities: z
    .strictObject({
      load: z.boolean().default(true),
      images: z.boolean().default(true),
      embedded: z.boolean().default(true),
    })
    .prefault({}),
  modes: z.array(z.string()).min(1).optional(),
  models: z.array(z.string()).min(1).optional(),
  /** Faults of opening a session. */
  open: z
    .strictObject({
      delay_ms: millis.default(0),
      hang: z.boolean().default(false),
      error: errorSchema.optional(),
      crash: z.strictObject({ code: z.number().int().default(1), stderr: z.string().default('') }).optional(),
    })
    .prefault({}),
  /** The first reply whose pattern matches the prompt (and whose turn it is). */
  match: z
    .array(
      z.strictObject({
        when: z.string().refine(isPattern, 'is not a regular expression'),
        flags: z
          .string()
          .regex(/^[imsu]*$/)
          .default('im'),
        turn: z.number().int().positive().optional(),
        reply: replySchema,
      }),
    )
    .default([]),
  /** Replies by number of the turn in its session. */
  turns: z.array(replySchema).default([]),
  default: replySchema.optional(),
});
export type Script = z.infer<typeof scriptSchema>;

/** An invalid script: where and why. */
class ScriptProblem extends Error {
  override readonly name = 'ScriptProblem';
}

/** The line of an issue's path, or of its nearest existing parent. */
function lineOf(document: ReturnType<typeof parseDocument>, lines: LineCounter, path: PropertyKey[]): number {
  for (let length = path.length; length >= 0; length -= 1) {
    const node = document.getIn(path.slice(0, length), true) as Node | undefined;
    const offset = isMap(node) || isScalar(node) || node?.range ? node?.range?.[0] : undefined;
    if (offset !== undefined) return lines.linePos(offset).line;
  }
  return 1;
}

/** The most specific of a union's errors: the one with the longest path. */
function deepest(issue: z.core.$ZodIssue): { path: PropertyKey[]; message: string } {
  if (issue.code !== 'invalid_union') return { path: [...issue.path], message: issue.message };
  const inner = issue.errors.flat().map((one) => {
    const found = deepest(one);
    return { path: [...issue.path, ...found.path], message: found.message };
  });
  const fallback = { path: [...issue.path], message: issue.message };
  return inner.reduce((best, one) => (one.path.length > best.path.length ? one : best), fallback);
}

/** An undefined alias is only detected when the value is created. */
function readValue(document: ReturnType<typeof parseDocument>, file: string): unknown {
  try {
    return document.toJS();
  } catch (cause) {
    throw new ScriptProblem(`${file}: ${messageOf(cause)}`);
  }
}

export function parseScript(text: string, file: string): Script {
  const lines = new LineCounter();
  const document = parseDocument(text, { lineCounter: lines });
  const broken = document.errors[0];
  if (broken)
    throw new ScriptProblem(`${file}:${broken.linePos?.[0].line ?? 1}: ${broken.message.split('\n')[0]}`);
  const parsed = scriptSchema.safeParse(readValue(document, file) ?? {});
  if (parsed.success) return parsed.data;
  const [first] = parsed.error.issues;
  const { path, message } = first ? deepest(first) : { path: [], message: 'not valid' };
  throw new ScriptProblem(
    `${file}:${lineOf(document, lines, path)}: ${path.map(String).join('.')}: ${message}`,
  );
}

export interface Chosen {
  readonly reply: Reply;
  /** Its place in the script, by which occurrences of its faults are counted. */
  readonly place: string;
  /** The text matched by the pattern's groups. */
  readonly groups: readonly string[];
}

export function chooseReply(script: Script, prompt: string, turn: number): Chosen {
  for (const [index, rule] of script.match.entries()) {
    if (rule.turn !== undefined && rule.turn !== turn) continue;
    const found = new RegExp(rule.when, rule.flags).exec(prompt);
    if (found)
      return { reply: rule.reply, place: `match[${index}]`, groups: found.map((group) => group ?? '') };
  }
  const reply = script.turns[turn - 1];
  if (reply) return { reply, place: `turns[${turn - 1}]`, groups: [] };
  const fallback =
    script.default ?? replyObjectSchema.parse({ text: 'The script has no reply for turn {{turn}}.' });
  return { reply: fallback, place: 'default', groups: [] };
}
