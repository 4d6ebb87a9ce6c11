import { applyEdit } from '@areas/workflows/contract/apply-edit';
import { isMap } from '@areas/workflows/contract/change';
import type { WorkflowEdit } from '@areas/workflows/contract/edit';
import type { Json } from '@contract/ids';
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { isNode, LineCounter, type Node, parseDocument } from 'yaml';
import { yamlEditor } from '.';

/** Small numbers that decide, one after another, how a document is written. */
class Choices {
  #at = 0;
  constructor(private readonly numbers: readonly number[]) {}
  of(count: number): number {
    this.#at += 1;
    return (this.numbers[this.#at % this.numbers.length] ?? 0) % count;
  }
}

/** Writes a value with comments, empty lines, and each kind of text and collection. */
class Writer {
  constructor(private readonly choices: Choices) {}

  document(value: { [key: string]: Json }): string {
    const head = ['', '# a comment at the top\n\n', '---\n', '%YAML 1.2\n---\n'][this.choices.of(4)] ?? '';
    const tail = ['', '# the end\n', '\n\n'][this.choices.of(3)] ?? '';
    return `${head}${this.map(value, 0).join('\n')}\n${tail}`;
  }

  private comment(column: number): string[] {
    const pad = ' '.repeat(column);
    return (
      [[], [], [`${pad}# about what follows`], [''], [`${pad}# one`, '', `${pad}# two: - [x`]][
        this.choices.of(5)
      ] ?? []
    );
  }

  private tail = () => ['', '', '  # behind'][this.choices.of(3)] ?? '';

  private map(value: { [key: string]: Json }, column: number): string[] {
    const pad = ' '.repeat(column);
    return Object.entries(value).flatMap(([key, inner]) => {
      const name = this.choices.of(6) === 0 ? `"${key}"` : key;
      const [first = '', ...rest] = this.value(inner, column, 'map');
      return [...this.comment(column), `${pad}${name}:${first}`, ...rest];
    });
  }

  private list(value: readonly Json[], column: number): string[] {
    const pad = ' '.repeat(column);
    return value.flatMap((inner) => {
      const [first = '', ...rest] = this.value(inner, column, 'list');
      return [...this.comment(column), `${pad}-${first}`, ...rest];
    });
  }

  /** The text after a colon or dash, and the lines below. */
  private value(value: Json, column: number, around: 'map' | 'list'): string[] {
    const step = this.choices.of(3) === 0 ? 4 : 2;
    if (typeof value === 'string') return this.text(value, column, step);
    if (typeof value !== 'object' || value === null) return [` ${String(value)}${this.tail()}`];
    const size = Array.isArray(value) ? value.length : Object.keys(value).length;
    if (size === 0 || this.choices.of(4) === 0) return [` ${this.flow(value)}${this.tail()}`];
    if (Array.isArray(value)) {
      const flat = around === 'map' && this.choices.of(3) === 0;
      const lines = this.list(value, flat ? column : column + step);
      return [this.tail(), ...lines];
    }
    const lines = this.map(value, column + step);
    const compact =
      around === 'list' && lines[0]?.trim() !== '' && !lines[0]?.includes('#') && this.choices.of(2) === 0;
    if (!compact) return [this.tail(), ...lines];
    const [first = '', ...rest] = lines;
    return [`${' '.repeat(step - 1)}${first.trimStart()}`, ...rest];
  }

  private flow(value: Json): string {
    if (typeof value === 'string')
      return this.choices.of(2) === 0 || value !== 'plain' ? JSON.stringify(value) : value;
    if (typeof value !== 'object' || value === null) return String(value);
    const [open, close] = Array.isArray(value) ? '[]' : '{}';
    const parts = Array.isArray(value)
      ? value.map((one) => this.flow(one))
      : Object.entries(value).map(([key, one]) => `${key}: ${this.flow(one)}`);
    const pad = this.choices.of(2) === 0 ? ' ' : '';
    return `${open}${pad}${parts.join(', ')}${parts.length > 0 && this.choices.of(4) === 0 ? ',' : ''}${pad}${close}`;
  }

  private text(value: string, column: number, step: number): string[] {
    const simple = /^[a-z][a-z ]*[a-z]$/.test(value) && !/^(null|true|false)$/.test(value);
    const kind = this.choices.of(4);
    const blocks = /^[^\n ]/.test(value) && !/[\t\r]| \n|[^\n]\n\n+[^\n]/.test(value);
    if (kind < 2 && blocks) {
      const [, body = '', end = ''] = /^([\s\S]*?)(\n*)$/.exec(value) ?? [];
      const chomp = end === '' ? '-' : end === '\n' ? '' : '+';
      const lines = body.split('\n').map((line) => ' '.repeat(column + step) + line);
      const folds = kind === 1 && !body.includes('\n');
      const explicit = this.choices.of(3) === 0 ? String(step) : '';
      const blanks =
        chomp === '+'
          ? end
              .slice(1)
              .split('')
              .map(() => '')
          : this.choices.of(3) === 0
            ? ['']
            : [];
      return [` ${folds ? '>' : '|'}${explicit}${chomp}${this.tail()}`, ...lines, ...blanks];
    }
    if (simple && kind === 2) return [` ${value}${this.tail()}`];
    if (kind === 3 && !/[\n\r\t]/.test(value)) return [` '${value.replaceAll("'", "''")}'${this.tail()}`];
    return [` ${JSON.stringify(value)}${this.tail()}`];
  }
}

const someText = fc.constantFrom(
  ...[
    'plain',
    'two words',
    'a: b',
    '- x',
    '# no comment',
    '',
    'yes',
    '1',
    "it's",
    '$plan.output',
    'ü "quoted"',
  ],
  ...[
    'one\ntwo',
    'one\ntwo\n',
    'end\n',
    'end\n\n',
    '  indented\nless',
    'a\n\n\nb',
    'tab\there',
    '*star',
    '{x',
  ],
);
const scalar: fc.Arbitrary<Json> = fc.oneof(
  someText,
  fc.integer({ min: -9, max: 99 }),
  fc.boolean(),
  fc.constant(null),
);
const config: fc.Arbitrary<{ [key: string]: Json }> = fc.dictionary(
  fc.constantFrom('instruction', 're_prompts', 'deep', 'x'),
  fc.oneof(
    { weight: 3, arbitrary: scalar },
    {
      weight: 2,
      arbitrary: fc.array(fc.oneof(scalar, fc.dictionary(fc.constantFrom('text', 'at'), scalar)), {
        maxLength: 4,
      }),
    },
    {
      weight: 1,
      arbitrary: fc.dictionary(
        fc.constantFrom('a', 'b'),
        fc.oneof(scalar, fc.array(scalar, { maxLength: 3 })),
      ),
    },
  ),
  { maxKeys: 4 },
) as fc.Arbitrary<{ [key: string]: Json }>;

const IDS = ['plan', 'build', 'review', 'ship'] as const;
const stepOf = (id: string, inner: { [key: string]: Json }): Json => ({
  id,
  type: 'step.agent_task',
  config: inner,
});
const cablesOf = (count: number): Json[] =>
  IDS.slice(0, Math.max(0, count - 1)).map((id, index) => ({
    from: `${id}.data_out`,
    to: `${IDS[index + 1]}.data_in`,
  }));

const workflow: fc.Arbitrary<{ [key: string]: Json }> = fc
  .record({
    configs: fc.array(config, { minLength: 1, maxLength: 4 }),
    body: fc.option(fc.array(config, { minLength: 1, maxLength: 3 })),
    late: fc.boolean(),
  })
  .map(({ configs, body, late }) => {
    const steps = configs.map((one, index) => stepOf(IDS[index] ?? '', one));
    const [first] = steps;
    if (body !== null && isMap(first))
      first.config = {
        ...(first.config as { [key: string]: Json }),
        body: {
          steps: body.map((one, index) => stepOf(IDS[index] ?? '', one)),
          cables: cablesOf(body.length),
        },
      };
    const parts = { name: 'release', steps, cables: cablesOf(steps.length) };
    return late ? { cables: parts.cables, steps, name: 'release' } : parts;
  });

interface Case {
  readonly text: string;
  readonly edit: WorkflowEdit;
}

/** An edit that fits a document. */
function editOf(document: { [key: string]: Json }, choices: Choices, value: Json): WorkflowEdit {
  const steps = document.steps as { [key: string]: Json }[];
  const index = choices.of(steps.length);
  const outer = steps[index] ?? {};
  const inner = ((outer.config as { body?: { steps: { [key: string]: Json }[] } }).body?.steps ?? [])[0];
  const nested = inner !== undefined && choices.of(2) === 0;
  const step = nested ? [String(outer.id), String(inner.id)] : [String(outer.id)];
  const body = nested ? [String(outer.id)] : [];
  const own = (nested ? inner : outer).config as { [key: string]: Json };
  const keys = Object.keys(own).filter((key) => key !== 'body');
  const key = keys[choices.of(Math.max(1, keys.length))] ?? 'instruction';
  const held = own[key];
  const cables = (nested ? (outer.config as { body: { cables: Json[] } }).body.cables : document.cables) as {
    from: string;
    to: string;
  }[];
  const cable = cables[choices.of(Math.max(1, cables.length))];
  const path = ['config', key];
  switch (choices.of(12)) {
    case 0:
      return {
        kind: 'step.add',
        body,
        at: choices.of(nested ? 2 : steps.length + 1),
        step: { id: 'fresh', type: 'step.x', config: { instruction: value } },
      };
    case 1:
      return { kind: 'step.remove', step };
    case 2:
      return { kind: 'step.rename', step, id: 'renamed' };
    case 3:
      return { kind: 'step.move', step, position: { x: choices.of(9), y: -2.5 } };
    case 4:
      return { kind: 'value.set', step: [], path: ['description'], value };
    case 5:
      return { kind: 'value.unset', step, path: choices.of(3) === 0 ? ['config'] : path };
    case 6:
    case 7:
      if (!Array.isArray(held)) return { kind: 'value.set', step, path: ['config', 'added'], value };
      return { kind: 'list.insert', step, path, at: choices.of(held.length + 1), value };
    case 8:
      if (!Array.isArray(held) || held.length === 0)
        return { kind: 'value.set', step, path: ['title'], value: 'a title' };
      if (choices.of(2) === 0) return { kind: 'list.remove', step, path, at: choices.of(held.length) };
      return { kind: 'list.move', step, path, at: choices.of(held.length), to: choices.of(held.length) };
    case 9:
      if (cable === undefined) return { kind: 'cable.add', body, from: 'plan.a', to: 'plan.b' };
      return choices.of(2) === 0
        ? { kind: 'cable.remove', body, ...cable }
        : { kind: 'cable.reconnect', body, ...cable, newTo: 'ship.other_in' };
    case 10:
      return { kind: 'cable.add', body, from: 'plan.x_out', to: 'ship.x_in' };
    default:
      return { kind: 'value.set', step, path, value };
  }
}

const numbers = fc.array(fc.nat({ max: 59 }), { minLength: 40, maxLength: 40 });
const cases: fc.Arbitrary<Case> = fc
  .record({
    document: workflow,
    style: numbers,
    act: numbers,
    value: fc.oneof(
      { weight: 3, arbitrary: scalar },
      { weight: 1, arbitrary: fc.array(scalar, { maxLength: 3 }) },
      { weight: 1, arbitrary: fc.dictionary(fc.constantFrom('k', 'l'), scalar) },
    ) as fc.Arbitrary<Json>,
    ends: fc.record({ crlf: fc.boolean(), bom: fc.boolean(), cut: fc.boolean() }),
  })
  .map(({ document, style, act, value, ends }) => {
    const plain = new Writer(new Choices(style)).document(document);
    const cut = ends.cut ? plain.replace(/\n+$/, '') : plain;
    const text = `${ends.bom ? '\uFEFF' : ''}${ends.crlf ? cut.replaceAll('\n', '\r\n') : cut}`;
    return { text, edit: editOf(saidBy(text) as { [key: string]: Json }, new Choices(act), value) };
  });

const saidBy = (text: string): Json => {
  const document = parseDocument(text);
  if (document.errors.length > 0) throw new Error(`${document.errors[0]?.message}\n${text}`);
  return document.toJS() as Json;
};

test('the spliced text says what the pure function gives', () => {
  fc.assert(
    fc.property(cases, ({ text, edit }) => {
      const meant = applyEdit(saidBy(text), edit);
      const done = yamlEditor.edit(text, [edit]);
      if (!meant.ok) {
        expect(done).toMatchObject({ ok: false, error: { code: meant.error.code } });
        return;
      }
      if (!done.ok) throw new Error(done.error.message);
      expect(saidBy(done.value.text)).toEqual(meant.value);
      expect(done.value.value).toEqual(meant.value);
    }),
    { numRuns: 200 },
  );
});

/**
 * The lines (from 0) that an edit of one place may change: those of the value, and of the key or dash before
 * it.
 */
function linesOfEdit(
  text: string,
  edit: Extract<WorkflowEdit, { readonly kind: 'value.set' | 'value.unset' | 'list.remove' }>,
): [number, number] | null {
  const { kind, path, step } = edit;
  const lines = new LineCounter();
  const document = parseDocument(text, { lineCounter: lines });
  let node: Node | null = document.contents as Node | null;
  const get = (from: Node | null, key: string | number): Node | null => {
    const found = (from as { get?(key: unknown, keep: boolean): unknown } | null)?.get?.(key, true);
    return isNode(found) ? found : null;
  };
  step.forEach((id, depth) => {
    if (depth > 0) node = get(get(node, 'config'), 'body');
    const steps = get(node, 'steps') as { items: Node[] } | null;
    node = steps?.items.find((item) => String(get(item, 'id')) === id) ?? null;
  });
  const whole = kind === 'list.remove' ? [...path, edit.at] : [...path];
  // An emptied collection becomes {} or [].
  const holder = whole.slice(0, -1).reduce(get, node) as { items?: unknown[] } | null;
  if (kind !== 'value.set' && holder?.items?.length === 1) whole.pop();
  for (const part of whole) node = get(node, part);
  const range = node?.range;
  if (range == null) return null;
  return [lines.linePos(range[0]).line - 1, lines.linePos(Math.max(range[0], range[1] - 1)).line - 1];
}

test('the lines before and behind a changed value are the same, byte for byte', () => {
  fc.assert(
    fc.property(cases, ({ text, edit }) => {
      if (edit.kind !== 'value.set' && edit.kind !== 'value.unset' && edit.kind !== 'list.remove') return;
      const place = linesOfEdit(text, edit);
      const done = yamlEditor.edit(text, [edit]);
      if (place === null || !done.ok || done.value.text === text) return;
      const old = text.split(/(?<=\n)/);
      const fresh = done.value.text;
      // A key or dash may be on an earlier line, with comments before its value.
      let first = place[0];
      while (first > 0 && /^\s*(#|$)/.test(old[first - 1] ?? '')) first -= 1;
      expect(fresh.startsWith(old.slice(0, Math.max(0, first - 1)).join(''))).toBe(true);
      const behind = old.slice(place[1] + 1).join('');
      expect(fresh.endsWith(behind)).toBe(true);
    }),
    { numRuns: 200 },
  );
});

test('an edit that adds takes no line away', () => {
  fc.assert(
    fc.property(cases, ({ text, edit }) => {
      const done = yamlEditor.edit(text, [edit]);
      if (!done.ok || !['step.add', 'cable.add', 'list.insert', 'step.move'].includes(edit.kind)) return;
      const old = text.split(/\r?\n/);
      const fresh = new Set(done.value.text.split(/\r?\n/));
      const gone = old.filter((line) => !fresh.has(line));
      // Only a collection in flow style, or an empty one, counts.
      expect(gone.every((line) => /[[{]|:\s*(null|""|~)?\s*(#.*)?$/.test(line))).toBe(true);
      expect(gone.length).toBeLessThanOrEqual(1);
    }),
    { numRuns: 200 },
  );
});
