import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import {
  cableSchema,
  stepDefinitionSchema,
  workflowDefinitionSchema,
} from '@areas/workflows/contract/definition';
import { jsonSchema } from '@contract/ids';
import { agentShape } from '@main/core/step/agent/agent';
import { expect, test } from 'vitest';
import { z } from 'zod';
import { stepRegistry } from './core';

const page = readFileSync(join('docs', 'workflows.md'), 'utf8');

/** The text under a heading of the page. */
function section(heading: string): string {
  const from = page.indexOf(`\n### ${heading}\n`);
  if (from < 0) return '';
  const rest = page.slice(from + heading.length + 6);
  return rest.slice(0, rest.search(/^##/m));
}

/** The keys in the first column of the tables of a section. */
const documented = (text: string): string[] =>
  [...text.matchAll(/^\| `([^`]+)`/gm)].map(([, key = '']) => key).sort();

/** Schemas that have a table of their own, or are whole texts for an agent. */
const ENDS: readonly z.core.$ZodType[] = [stepDefinitionSchema, jsonSchema];

/** The keys of a schema: `a.b` in an object, `a[].b` in each entry of a list, `a.*.b` in each value of a record. */
function keysOf(schema: z.core.$ZodType, path = ''): string[] {
  if (ENDS.includes(schema) && path !== '') return [path];
  if (schema === cableSchema && path.startsWith('body.')) return [path];
  const { def } = (schema as z.core.$ZodTypes)._zod;
  const inner = (found: string[]): string[] => (found.length === 0 ? [path] : found);
  switch (def.type) {
    case 'lazy':
      return keysOf(def.getter(), path);
    case 'optional':
    case 'nullable':
    case 'default':
    case 'prefault':
      return keysOf(def.innerType, path);
    case 'union':
      return [...new Set(def.options.flatMap((option) => keysOf(option, path)))];
    case 'object':
      return inner(
        Object.entries(def.shape).flatMap(([key, value]) =>
          keysOf(value, path === '' ? key : `${path}.${key}`),
        ),
      );
    case 'array': {
      const found = keysOf(def.element, `${path}[]`);
      return found.length === 1 && found[0] === `${path}[]` ? [path] : found;
    }
    case 'record': {
      const found = keysOf(def.valueType, `${path}.*`);
      return found.length === 1 && found[0] === `${path}.*` ? [path] : found;
    }
    default:
      return [path];
  }
}

/** Without keys that only hold others; they are documented where that says more. */
const differences = (schema: z.core.$ZodType, text: string, shared: readonly string[] = []) => {
  const keys = keysOf(schema).map((key) =>
    key.replace(/^(position)\..*/, '$1').replace(/(re_prompts).*/, '$1'),
  );
  const known = new Set(
    keys.flatMap((key) => key.split('.').map((_, at, parts) => parts.slice(0, at + 1).join('.'))),
  );
  const holders = new Set([...known].flatMap((key) => [key, key.replace(/\[\]$/, '')]));
  const found = documented(text);
  return {
    missing: [...new Set(keys)].filter(
      (key) => !found.includes(key) && !shared.includes(key.replace(/\[\]$/, '')),
    ),
    unknown: found.filter((key) => !holders.has(key)),
  };
};

test('The page of the language has every key of a workflow and of a step, and no other', () => {
  const steps = (key: string) => !key.startsWith('steps[]');
  const workflow = differences(workflowDefinitionSchema, section('A workflow'), ['steps']);
  expect({ ...workflow, missing: workflow.missing.filter(steps) }).toEqual({ missing: [], unknown: [] });
  expect(differences(stepDefinitionSchema, section('A step'))).toEqual({ missing: [], unknown: [] });
  const shared = z.object(agentShape);
  expect(differences(shared, section('The agent of a step'))).toEqual({ missing: [], unknown: [] });
});

test.each([...stepRegistry.values()].map((module) => [module.type, module] as const))(
  'The page of the language has every key of %s, and no other',
  (type, module) => {
    const text = section(type);
    const shared = text.includes('(#the-agent-of-a-step)') ? keysOf(z.object(agentShape)) : [];
    expect(differences(module.config, text, shared)).toEqual({ missing: [], unknown: [] });
  },
);
