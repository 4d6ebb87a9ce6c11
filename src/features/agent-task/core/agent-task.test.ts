import { gate, Harness, task } from '@main/core/engine/testing/harness';
import { describe, expect, test } from 'vitest';

const content = (harness: Harness, stepId: string, port: string) => {
  const state = harness.state();
  const ids = state.steps[stepId]?.activationIds ?? [];
  return state.activations[ids[ids.length - 1] ?? 0]?.outputs[port]?.content;
};

describe('step.agent_task (seed 000)', () => {
  test('an agent task sends the re-prompts in order in the same session and merges the responses to the letter (3.1, 4.1)', async () => {
    const harness = new Harness();
    const responses = ['first', 'second', 'third'];
    harness.agents.answer = () => ({ response: responses.shift() ?? '' });
    await harness.run({
      steps: [task('draft', { re_prompts: ['Review it.', { text: 'Finish it.', attachments: [] }] })],
    });
    expect(harness.agents.sent.map((turn) => turn.request.prompt)).toEqual([
      'do draft',
      'Review it.',
      'Finish it.',
    ]);
    expect(new Set(harness.agents.sent.map((turn) => turn.spec.key)).size).toBe(1);
    expect(content(harness, 'draft', 'data_out')).toEqual({
      merged_content: 'first\n───── Re-prompt 1 ─────\nsecond\n───── Re-prompt 2 ─────\nthird',
      response_count: 3,
      has_re_prompts: true,
    });
    expect(harness.state().outcome).toBe('succeeded');
  });

  test('an agent task posts the progress events with their fields, index from 0 and tokens or null (11)', async () => {
    const harness = new Harness();
    const usage = { input_tokens: 10, output_tokens: 7, total_tokens: 17, cost_usd: null };
    harness.agents.answer = (turn) => ({ response: 'x', usage: turn.request.prompt === 'b' ? usage : null });
    await harness.run({ steps: [task('draft', { re_prompts: ['a', 'b'] })] });
    expect(harness.events().filter((event) => event.type.startsWith('task.'))).toEqual([
      {
        type: 'task.agent_task.reprompt_dispatched',
        module_id: 'draft',
        reprompt_index: 0,
        reprompt_count: 2,
      },
      { type: 'task.agent_task.reprompt_response', module_id: 'draft', reprompt_index: 0, token_count: null },
      {
        type: 'task.agent_task.reprompt_dispatched',
        module_id: 'draft',
        reprompt_index: 1,
        reprompt_count: 2,
      },
      { type: 'task.agent_task.reprompt_response', module_id: 'draft', reprompt_index: 1, token_count: 7 },
    ]);
  });

  test('an agent task posts one update for every turn of the chain, in the format of seed 004', async () => {
    const harness = new Harness();
    harness.agents.answer = () => ({ response: 'One line.\n\nAnother.\nThird.\nFourth.' });
    await harness.run({ steps: [task('draft', { re_prompts: ['again'] }, { title: 'Draft the notes' })] });
    const texts = harness.events().flatMap((event) => (event.type === 'update.posted' ? [event.text] : []));
    expect(texts).toEqual([
      'Iteration 1/2\nStory: draft - Draft the notes\nResult: completed\nCommit: none\nSummary: One line.\nAnother.\nThird.',
      'Iteration 2/2\nStory: draft - Draft the notes\nResult: completed\nCommit: none\nSummary: One line.\nAnother.\nThird.',
    ]);
  });

  test('an agent task gives each response on a port of its own where separate_outputs is set (5)', async () => {
    const harness = new Harness();
    const responses = ['first', 'second'];
    harness.agents.answer = () => ({ response: responses.shift() ?? '' });
    await harness.run({ steps: [task('draft', { re_prompts: ['more'], separate_outputs: true })] });
    expect(content(harness, 'draft', 'original_out')).toBe('first');
    expect(content(harness, 'draft', 'reprompt_1_out')).toBe('second');
    expect(content(harness, 'draft', 'data_out')).toMatchObject({ response_count: 2 });
  });

  test('an agent task asks for named outputs in the last turn only, and takes them from the last response only (4.2)', async () => {
    const harness = new Harness();
    const responses = ['📄 Analysis\nold', '**Analysis:**\nnew\nlines\n\n## 📄 Summary\nshort'];
    harness.agents.answer = () => ({ response: responses.shift() ?? '' });
    await harness.run({
      steps: [task('draft', { re_prompts: ['Go on.'], named_outputs: ['📄 Analysis', '📄 Summary', 'Gap'] })],
    });
    expect(harness.agents.sent.map((turn) => turn.request.prompt)).toEqual([
      'do draft',
      'Go on.\nWhen producing your final output, label the following sections clearly:\n- 📄 Analysis\n- 📄 Summary\n- Gap',
    ]);
    expect(content(harness, 'draft', 'named_analysis_out')).toBe('new\nlines');
    expect(content(harness, 'draft', 'named_summary_out')).toBe('short');
    expect(content(harness, 'draft', 'named_gap_out')).toBe('');
    expect(harness.state().activations[1]?.warnings).toEqual([
      'the last response has no section "Gap"; its output is empty',
    ]);
  });

  test('an agent task keeps the text of labels that differ in their number alone', async () => {
    const harness = new Harness();
    harness.agents.answer = () => ({ response: '## 2024 Report\nold\n## 2025 Report\nnew' });
    await harness.run({ steps: [task('draft', { named_outputs: ['2024 Report', '2025 Report'] })] });
    expect(content(harness, 'draft', 'named_2024_report_out')).toBe('old');
    expect(content(harness, 'draft', 'named_2025_report_out')).toBe('new');
    expect(harness.state().activations[1]?.warnings).toEqual([]);
  });

  test.each([
    [['C', 'C#'], 'two named outputs have almost the same name: "C#"'],
    [['Summary', '📄 **Summary:**'], 'two named outputs have almost the same name: "📄 **Summary:**"'],
    [['Foo', 'Foo™'], 'two named outputs have almost the same name: "Foo™"'],
    [['📄'], 'the name of the output "📄" has no letter or digit'],
  ])('an agent task refuses the labels %j', async (named_outputs, message) => {
    await expect(new Harness().run({ steps: [task('draft', { named_outputs })] })).rejects.toThrow(message);
  });

  test('an agent task puts the naming instruction into the primary prompt where there is no re-prompt', async () => {
    const harness = new Harness();
    await harness.run({ steps: [task('draft', { named_outputs: ['Summary'] })] });
    expect(harness.agents.sent[0]?.request.prompt).toBe(
      'do draft\nWhen producing your final output, label the following sections clearly:\n- Summary',
    );
  });

  test('an agent task fires signal_out once, after the last response, and counts the re-prompts in the receipt', async () => {
    const harness = new Harness();
    await harness.run({
      steps: [task('a', { re_prompts: ['x', 'y'] }), task('b')],
      cables: [{ from: 'a.signal_out', to: 'b.signal_in' }],
    });
    const events = harness.events();
    const started = events.findIndex((event) => event.type === 'activation.started' && event.stepId === 'b');
    const answered = events.filter((event, index) => index < started && event.type === 'turn.finished');
    expect(answered).toHaveLength(3);
    expect(harness.state().activations[1]?.signals.filter((port) => port === 'signal_out')).toHaveLength(1);
    expect(content(harness, 'a', 'receipt_out')).toMatchObject({ re_prompt_count: 2, responses: 3 });
    expect(harness.state().activations[1]?.outputs.receipt_out?.metadata).toEqual({
      step_id: 'a',
      activation_id: 1,
      port: 'receipt_out',
      re_prompt_count: 2,
    });
  });

  test('a later step gets each predecessor once, as one merged entry (7.5)', async () => {
    const harness = new Harness();
    harness.agents.answer = (turn) => ({ response: `<${turn.request.prompt.split('\n')[0]}>` });
    await harness.run({
      steps: [task('a', { re_prompts: ['r'] }), task('b'), task('c')],
      cables: [
        { from: 'a.data_out', to: 'b.data_in' },
        { from: 'b.data_out', to: 'c.data_in' },
      ],
    });
    const merged = '<do a>\n───── Re-prompt 1 ─────\n<r>';
    expect(harness.agents.sent[2]?.request.prompt).toBe(`do b\n\n## Input\n${merged}`);
    expect(harness.agents.sent[3]?.request.prompt).toBe(
      `do c\n\n## Earlier steps\n### a\n${merged}\n\n## Input\n<do b>`,
    );
  });

  test('an agent task continues the session of data_in, without repeating what that session has (session_mode, 7.1)', async () => {
    const harness = new Harness();
    await harness.run({
      steps: [task('a', { re_prompts: ['r'] }), task('b', { session_mode: 'continue' })],
      cables: [{ from: 'a.data_out', to: 'b.data_in' }],
    });
    const keys = harness.agents.sent.map((turn) => turn.spec.key);
    expect(new Set(keys).size).toBe(1);
    expect(harness.agents.opened).toHaveLength(1);
    expect(harness.state().activations[2]?.outputs.data_out?.source_session_key).toBe(keys[0]);
  });

  test('a step is not told again what stood in an earlier prompt of the session that it continues', async () => {
    const harness = new Harness();
    await harness.run({
      steps: [task('v'), task('w'), task('x'), task('y'), task('b', { session_mode: 'continue' })],
      cables: [
        { from: 'v.data_out', to: 'w.data_in' },
        { from: 'w.data_out', to: 'x.data_in' },
        { from: 'x.data_out', to: 'b.data_in' },
        { from: 'y.signal_out', to: 'b.signal_in' },
      ],
    });
    const prompts = harness.agents.sent.map((turn) => turn.request.prompt);
    const x = 'do x\n\n## Earlier steps\n### v\nanswer to: do v\n\n## Input\n';
    expect(prompts[3]?.startsWith(x)).toBe(true);
    // Contains only work from elsewhere: the session has already seen its input.
    expect(prompts[4]).toBe('do b\n\n## Earlier steps\n### y\nanswer to: do y');
  });

  test.each([
    ['is not told it again when a gate leads back to it', 'b', ''],
    ['is told it when it was done again', 'w', '## Earlier steps\n### w\n<do w 2>\n\n'],
  ])('a step in its own session %s', async (_, backTo, told) => {
    const harness = new Harness();
    const answers = new Map<string, number>();
    harness.agents.answer = ({ request }) => {
      const [said = ''] = request.prompt.split('\n');
      answers.set(said, (answers.get(said) ?? 0) + 1);
      return { response: `<${said} ${answers.get(said)}>` };
    };
    await harness.run({
      steps: [task('w'), task('x'), task('b', { session_persist: true }), gate('ok')],
      cables: [
        { from: 'w.data_out', to: 'x.data_in' },
        { from: 'x.data_out', to: 'b.data_in' },
        { from: 'b.data_out', to: 'ok.data_in' },
        { from: 'ok.revise_out', to: `${backTo}.instruction_in` },
      ],
    });
    await harness.answer('reject', { reason: 'shorter' });
    const prompts = harness.agents.sent.map((turn) => turn.request.prompt);
    expect(prompts[2]).toBe('do b\n\n## Earlier steps\n### w\n<do w 1>\n\n## Input\n<do x 1>');
    const revision = backTo === 'b' ? '## Revision requested\nshorter\n\n' : '';
    const input = `## Input\n<do x ${backTo === 'b' ? 1 : 2}>`;
    expect(prompts.at(-1)).toBe(`do b\n\n${revision}${told}${input}`);
  });

  test('a receipt or a part of an output does not stand for the whole in the chain history', async () => {
    const harness = new Harness();
    await harness.run({
      steps: [task('a', { separate_outputs: true, re_prompts: ['more'] }), task('b'), task('c')],
      cables: [
        { from: 'a.receipt_out', to: 'b.context_in' },
        { from: 'a.reprompt_1_out', to: 'c.data_in' },
      ],
    });
    const prompts = harness.agents.sent.map((turn) => turn.request.prompt);
    const entry = '## Earlier steps\n### a\nanswer to: do a\n───── Re-prompt 1 ─────\nanswer to: more';
    for (const id of ['b', 'c'])
      expect(prompts.find((prompt) => prompt.startsWith(`do ${id}`))).toContain(entry);
  });

  test('successors that share a session take turns', async () => {
    const harness = new Harness();
    harness.agents.answer = (turn) => (turn.request.prompt.startsWith('do a') ? { response: 'a' } : null);
    await harness.run({
      steps: [task('a'), task('b', { session_mode: 'continue' }), task('c', { session_mode: 'continue' })],
      cables: [
        { from: 'a.data_out', to: 'b.data_in' },
        { from: 'a.data_out', to: 'c.data_in' },
      ],
    });
    expect(harness.agents.sent).toHaveLength(2);
    harness.agents.sent[1]?.end({ response: 'b' });
    await harness.idle();
    expect(harness.agents.sent).toHaveLength(3);
    harness.agents.sent[2]?.end({ response: 'c' });
    await harness.idle();
    expect(harness.state().outcome).toBe('succeeded');
  });

  test('an agent task goes on in its own session when a gate leads back and session_persist is set (7.1)', async () => {
    const harness = new Harness();
    const steps = [task('a', { re_prompts: ['r'], session_persist: true }), gate('ok')];
    const cables = [
      { from: 'a.data_out', to: 'ok.data_in' },
      { from: 'ok.revise_out', to: 'a.instruction_in' },
    ];
    await harness.run({ steps, cables });
    await harness.answer('reject', { reason: 'shorter please' });
    expect(harness.agents.sent.map((turn) => turn.request.prompt)).toEqual([
      'do a',
      'r',
      'do a\n\n## Revision requested\nshorter please',
      'r',
    ]);
    expect(new Set(harness.agents.sent.map((turn) => turn.spec.key)).size).toBe(1);
    await harness.answer('approve');
    expect(harness.state().outcome).toBe('succeeded');
  });

  test('an agent that stops for too many requests has reached the cap, has not completed, and keeps its responses', async () => {
    const harness = new Harness();
    harness.agents.answer = (turn) =>
      turn.request.prompt === 'r'
        ? { outcome: 'max_requests', stopReason: 'max_turn_requests' }
        : { response: 'one' };
    await harness.run({ steps: [task('a', { re_prompts: ['r'] })] });
    const state = harness.state();
    expect(state.outcome).toBe('failed');
    expect(state.activations[1]?.error?.code).toBe('step.max_iterations');
    expect(state.turns[1]?.response).toBe('one');
    expect(content(harness, 'a', 'data_out')).toMatchObject({ merged_content: 'one', response_count: 1 });
    expect(state.activations[1]).toMatchObject({ signals: [], receipt: { responses: 1, prompts_sent: 2 } });
  });
});
