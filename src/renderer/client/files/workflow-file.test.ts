import type { WorkflowEdit } from '@areas/workflows/contract/edit';
import { beforeEach, expect, test, vi } from 'vitest';

interface Asked {
  readonly name: string;
  readonly input: {
    readonly text?: string;
    readonly base?: string;
    readonly edits?: readonly WorkflowEdit[];
  };
  answer(value: unknown): void;
}

const core = vi.hoisted(() => ({
  asked: [] as Asked[],
  push: (_pushes: unknown): void => undefined,
}));

vi.stubGlobal('navigator', { userAgent: 'Linux' });
vi.stubGlobal('requestAnimationFrame', (run: () => void) => setTimeout(run, 0));
vi.stubGlobal('cancelAnimationFrame', (id: number) => clearTimeout(id));
vi.stubGlobal('window', {
  location: { hash: '' },
  addEventListener: () => undefined,
  muster: {
    call: (name: string, input: Asked['input']) =>
      new Promise((resolve) => {
        core.asked.push({ name, input, answer: (value) => resolve({ ok: true, value }) });
      }),
    subscribe: () => undefined,
    onPush: (listener: (pushes: unknown) => void) => {
      core.push = listener;
    },
  },
});
const { WorkflowFile } = await import('./workflow-file');

/** The next call of a name that the page makes, or has made. */
async function next(name: string): Promise<Asked> {
  await vi.waitFor(() => expect(namesNow()).toContain(name));
  const at = core.asked.findIndex((one) => one.name === name);
  const [found] = core.asked.splice(at, 1);
  if (found === undefined) throw new Error(`${name} was not asked`);
  return found;
}
const namesNow = () => core.asked.map(({ name }) => name);

const documentOf = (x: number) => ({ steps: [{ id: 'a', type: 'step.command', position: { x, y: 0 } }] });
const source = (x: number) => ({ text: `x: ${x}`, hash: `h${x}`, absolutePath: '/w.yaml', writable: true });
const written = (x: number) => ({ kind: 'written', text: `x: ${x}`, hash: `h${x}`, merged: false });
const checkedAs = (x: number) => ({
  ...{ problems: [], runnable: true, definition: null, ports: {}, value: documentOf(x) },
});
const move = (x: number): WorkflowEdit => ({ kind: 'step.move', step: ['a'], position: { x, y: 0 } });

/** A file that is read and checked. */
async function opened() {
  const file = new WorkflowFile({ projectId: 1, file: 'w.yaml' });
  file.view.subscribe(() => undefined);
  (await next('workflow.source')).answer(source(0));
  (await next('workflow.check')).answer(checkedAs(0));
  await vi.waitFor(() => expect(file.view.get().drawn).toEqual(documentOf(0)));
  return file;
}

beforeEach(() => {
  core.asked.length = 0;
});

test('An edit is sent before it is drawn.', async () => {
  const file = await opened();
  let sentFirst = false;
  file.view.subscribe(() => {
    sentFirst = namesNow().includes('workflow.edit');
  });
  void file.edit([move(20)]);
  await vi.waitFor(() => expect(file.view.get().drawn).toEqual(documentOf(20)));
  expect(sentFirst).toBe(true);
});

test('A second edit is drawn at once, and sent when the first is written, though that is not checked yet.', async () => {
  const file = await opened();
  void file.edit([move(20)]);
  const first = await next('workflow.edit');
  void file.edit([move(40)]);
  expect(file.view.get().drawn).toEqual(documentOf(40));
  first.answer(written(20));
  const second = await next('workflow.edit');
  expect(second.input).toMatchObject({ base: 'h20', edits: [{ position: { x: 40, y: 0 } }] });
  const check = await next('workflow.check');
  second.answer(written(40));
  await vi.waitFor(() => expect(file.view.get().text).toBe('x: 40'));
  check.answer(checkedAs(20));
  const last = await next('workflow.check');
  expect(last.input.text).toBe('x: 40');
  expect(file.view.get().drawn).toEqual(documentOf(40));
  last.answer(checkedAs(40));
  await vi.waitFor(() => expect(file.view.get().checkedText).toBe('x: 40'));
});

test('Edits that are computed from the document wait until it was checked.', async () => {
  const file = await opened();
  void file.edit([move(20)]);
  (await next('workflow.edit')).answer(written(20));
  const made = vi.fn(() => [move(60)]);
  void file.edit(made);
  const check = await next('workflow.check');
  expect(made).not.toHaveBeenCalled();
  check.answer(checkedAs(20));
  (await next('workflow.check')).answer(checkedAs(20));
  await next('workflow.edit');
  expect(made).toHaveBeenCalledWith(documentOf(20));
});

test('An edit does not wait while the file is read again, and an older reading is not taken.', async () => {
  const file = await opened();
  core.push([{ topic: 'workflows', projectId: 1 }]);
  const stale = await next('workflow.source');
  void file.edit([move(20)]);
  const edit = await next('workflow.edit');
  stale.answer(source(0));
  edit.answer(written(20));
  await vi.waitFor(() => expect(file.view.get().text).toBe('x: 20'));
  (await next('workflow.source')).answer(source(20));
  await next('workflow.check');
  expect(file.view.get()).toMatchObject({ text: 'x: 20', hash: 'h20', canUndo: true, canRedo: false });
});
