import { counted } from '@contract/counted';
import { messageOf } from '@contract/error-message';
import { lazyObject } from '@contract/lazy-object';
import { ownValue } from '@contract/own';
import { z } from 'zod';
import type { Plan } from '../contract/events';

const REQUIRED: readonly (readonly [key: string, schema: z.ZodType, says: string])[] = [
  ['id', z.string().trim().min(1), 'a text'],
  ['title', z.string(), 'a text'],
  ['priority', z.number(), 'a number'],
  ['passes', z.boolean(), 'true or false'],
];

const storySchema = lazyObject(() => ({
  id: z.string(),
  title: z.string(),
  priority: z.number().optional(),
  passes: z.boolean(),
}));

/**
 * Parses prd.json (upstream has no schema, so this is ours). Reports all problems, not only the first.
 * Ignores unknown keys. `null` is a missing file.
 */
export function readPlan(text: string | null): Plan {
  if (text === null) return { state: 'none' };
  let value: unknown;
  try {
    value = JSON.parse(text.replace(/^\uFEFF/, ''));
  } catch (error) {
    return broken([`prd.json is not JSON: ${messageOf(error)}`]);
  }
  const top = topSchema.safeParse(Array.isArray(value) ? { userStories: value } : value);
  if (!top.success)
    return broken(['prd.json: userStories is missing or not a list; write {"userStories": [...]}']);
  const { branchName, userStories } = top.data;
  const branch = z
    .string()
    .trim()
    .min(1)
    .nullable()
    .safeParse(branchName ?? null);
  const problems = [
    ...(branch.success ? [] : ['prd.json: branchName is not text']),
    ...userStories.flatMap(storyProblems),
    ...twins(userStories),
  ];
  if (problems.length > 0) return broken(problems);
  const stories = z.array(storySchema).parse(userStories);
  const last = stories.reduce((most, { priority }) => Math.max(most, priority ?? 0), 0) + 1;
  return {
    state: 'read',
    branchName: branch.data ?? null,
    stories: stories.map((story) => ({ ...story, priority: story.priority ?? last })),
  };
}

const topSchema = z.looseObject({ userStories: z.array(z.unknown()) });

/** What Muster assumes about a plan of another shape than the usual one. */
export function assumptionsIn(text: string | null): string[] {
  let value: unknown;
  try {
    value = JSON.parse(text?.replace(/^\uFEFF/, '') ?? '');
  } catch {
    return [];
  }
  const top = topSchema.safeParse(Array.isArray(value) ? { userStories: value } : value);
  const stories = top.data?.userStories ?? [];
  const without = stories.filter((story) => isObject(story) && ownValue(story, 'priority') === undefined);
  const of = `${without.length} of ${counted(stories.length, 'story', 'stories')}`;
  const last =
    without.length === 1
      ? `${of} has no priority: it comes last`
      : `${of} have no priority: they come last, in their order`;
  return [
    ...(Array.isArray(value) ? ['it is a list of stories without a branchName'] : []),
    ...(without.length === 0 ? [] : [last]),
  ];
}

const isObject = (value: unknown): value is Record<string, unknown> =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

const broken = (problems: string[]): Plan => ({ state: 'broken', problems });

function storyProblems(story: unknown, index: number): string[] {
  const at = `userStories[${index}]`;
  const object = z.looseObject({}).safeParse(story);
  if (!object.success) return [`${at} is not a story`];
  return REQUIRED.flatMap(([key, schema, says]) => {
    const value = ownValue(object.data, key);
    if (value === undefined && key === 'priority') return [];
    if (value === undefined) return [`${at}.${key} is missing; it is ${says}`];
    return schema.safeParse(value).success ? [] : [`${at}.${key} is not ${says}`];
  });
}

function twins(stories: readonly unknown[]): string[] {
  const seen = new Set<string>();
  return stories.flatMap((story, index) => {
    const id = z.object({ id: z.string() }).safeParse(story).data?.id;
    if (id === undefined) return [];
    if (seen.has(id)) return [`userStories[${index}].id: another story has the id ${id}`];
    seen.add(id);
    return [];
  });
}
