/** Scripts and files of `captures.test.ts`. */
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import type { Ask, Reply } from '../../fixtures/model-server/exchange';
import { editCalls, namedCall, shellCall } from '../../fixtures/model-server/tool-calls';

const FOLDER = join(import.meta.dirname, '..', '..', '..', 'src', 'main', 'agents', 'acp', '__captures__');
const LONGEST = 2000;

export const FINAL = '{"decision": "approve",\n "findings": []}';

const PLANS = {
  TodoWrite: { todos: [{ content: 'Check', status: 'pending', activeForm: 'Checking' }] },
  todowrite: { todos: [{ id: '1', content: 'Check', status: 'pending', priority: 'high' }] },
  todo_write: { todos: [{ id: '1', content: 'Check', status: 'pending' }] },
  write_todos: { todos: [{ description: 'Check', status: 'pending' }] },
  update_plan: { plan: [{ step: 'Check', status: 'pending' }] },
};

function planCall(ask: Ask): Reply['call'] | null {
  for (const [name, input] of Object.entries(PLANS)) {
    if (ask.tools.some((tool) => tool.name === name)) return namedCall(ask.tools, name, input);
  }
  return null;
}

/** A turn that thinks, says something before each tool call, plans, and ends with a decision. */
export function interleaved(ask: Ask): Reply {
  const write = editCalls(ask, { file: 'notes.txt', before: null, after: 'made' })[0];
  const steps: Reply[] = [
    {
      thinking: 'The files come first.',
      text: 'Now I will look at part 0.',
      call: shellCall(ask.tools, 'cat README.md'),
    },
    { text: 'Next I write the notes.', call: write },
    { text: 'Then I plan.', call: planCall(ask) },
  ].flatMap(({ call, ...said }) => (call ? [{ ...said, call }] : []));
  return steps[ask.results.length] ?? { thinking: 'Everything is done.', text: FINAL };
}

/** A session's traffic as it is stored: without local paths, ids, and lists irrelevant to a turn. */
export function kept(wire: string, folders: Readonly<Record<string, string>>): string {
  let text = wire;
  for (const [folder, name] of Object.entries(folders)) text = text.replaceAll(folder, name);
  const lines = text.trim().split('\n');
  const turn = lines.filter((line) => !/"(available_commands_update|config_option_update)"/.test(line));
  return `${turn.map((line) => shortened(line)).join('\n')}\n`;
}

function shortened(line: string): string {
  const cut = (value: unknown): unknown => {
    if (typeof value === 'string') return value.length > LONGEST ? `${value.slice(0, LONGEST)}...` : value;
    if (Array.isArray(value)) return value.slice(0, 12).map(cut);
    if (typeof value !== 'object' || value === null) return value;
    return Object.fromEntries(Object.entries(value).map(([key, one]) => [key, cut(one)]));
  };
  return JSON.stringify(cut(JSON.parse(line)));
}

const fileOf = (agent: string, name: string) => join(FOLDER, agent, `${name}.jsonl`);

export function saveCapture(agent: string, name: string, text: string): void {
  mkdirSync(dirname(fileOf(agent, name)), { recursive: true });
  writeFileSync(fileOf(agent, name), text);
}

export const readCapture = (agent: string, name: string): string => readFileSync(fileOf(agent, name), 'utf8');

/** The kinds of updates in order, without repetitions: the splitting of a text is random. */
export function kindsIn(capture: string): string[] {
  const kinds = capture
    .trim()
    .split('\n')
    .flatMap((line) => {
      const { message } = JSON.parse(line);
      const kind = message.params?.update?.sessionUpdate ?? message.method;
      return typeof kind === 'string' &&
        /^(agent_|tool_call|plan|session\/request|session\/prompt)/.test(kind)
        ? [kind.replace('tool_call_update', 'tool_call')]
        : [];
    });
  return kinds.filter((kind, index) => kind !== kinds[index - 1]);
}
