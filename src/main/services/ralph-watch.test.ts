import { ok } from '@contract/result';
import { expect, it } from 'vitest';
import { LoopHarness } from '../core/loop/testing/loop';
import type { FoundLog } from '../core/ports/loops';
import { iterationsOf, RalphWatch } from './ralph-watch';

const DONE = '{"type":"turn.completed","usage":{"input_tokens":1,"output_tokens":1}}';

/** A ralph.sh of values: which logs lie there, and whether its process lives. */
class Watching extends LoopHarness {
  found: FoundLog[] = [];
  command: string | null = 'bash ./ralph.sh 7';
  watch = this.anew();

  anew(): RalphWatch {
    this.checkout.logs = async () => ok([...this.found]);
    return new RalphWatch({
      engine: { all: () => this.engine.all(), command: (...asked) => this.engine.command(...asked) },
      loops: this.checkout,
      runs: { startDefinition: async () => ok({ runId: 1 }) },
      logger: { warn: () => undefined },
      commandOf: async () => this.command,
    });
  }

  async open(): Promise<void> {
    await this.loop({ watch: { pid: 9 }, worker: {} });
    await this.look();
  }

  async look(times = 3): Promise<void> {
    for (let i = 0; i < times; i += 1) {
      await this.watch.look();
      await this.idle();
    }
  }

  lay(iteration: number, mark: string, ended = true): void {
    this.found = [...this.found.filter((log) => log.iteration !== iteration), { iteration, mark, ended }];
    this.checkout.files.set(`${iteration}.jsonl`, ended ? DONE : '{"type":"turn.started"}');
  }
}

it('posts an update for each attempt, with N of the command line, and ends with the process', async () => {
  const harness = new Watching(['A', 'B']);
  await harness.open();
  harness.lay(1, 'm1', false);
  await harness.look();
  expect(harness.results()).toEqual([]);
  harness.checkout.do({ pass: ['A'], commit: ['feat: [A] - x'], file: 'Did A.' }, 1);
  harness.lay(1, 'm1');
  await harness.look();
  expect(harness.updates().map(({ text }) => text)).toEqual([
    'Iteration 1/7\nStory: A - Title A\nResult: completed\nCommit: c1\nSummary: Did A.',
  ]);
  harness.command = null;
  await harness.look(4);
  expect(harness.state().activations[1]?.error?.message).toContain('its process is gone; still open: B');
  expect(harness.checkout.asked.filter((one) => !one.startsWith('examine'))).toEqual([]);
});

it('a retry under the same name is one; what was overwritten before it was read is told as such', async () => {
  const harness = new Watching(['A']);
  await harness.open();
  harness.lay(1, 'first');
  await harness.look();
  harness.lay(1, 'second', false);
  await harness.look();
  harness.lay(1, 'third');
  await harness.look(6);
  expect(harness.results()).toEqual(['1 no-op unknown', '1 r1 failed unknown', '1 r2 no-op unknown']);
  expect(harness.updates()[1]?.text).toContain('its files were overwritten before they could be read');
});

it('tells nothing of what had ended before it came, and nothing twice after a restart', async () => {
  const harness = new Watching(['A', 'B']);
  harness.lay(1, 'old');
  await harness.open();
  expect(harness.results()).toEqual([]);
  harness.lay(2, 'new', false);
  await harness.look();
  await harness.restart();
  harness.watch = harness.anew();
  harness.lay(2, 'new');
  await harness.look(6);
  expect(harness.results()).toEqual(['2 no-op unknown']);
  for (const story of harness.checkout.stories) story.passes = true;
  await harness.look();
  expect(harness.state().outcome).toBe('succeeded');
});

it.each([
  ['bash ./ralph.sh 12', 12],
  ['bash ./ralph.sh --tool amp 3', 3],
  ['ralph --max-iterations=8', 8],
  ['bash ./ralph.sh', null],
])('N of %j is %s', (command, wanted) => {
  expect(iterationsOf(command)).toBe(wanted);
});
