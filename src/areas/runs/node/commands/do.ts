import { resolve } from 'node:path';
import { projectFolder } from '@areas/projects/node/project-folder';
import { ok } from '@contract/result';
import { ulids } from '@main/adapters/system/ids';
import { ask } from '@main/api/core-service';
import { command } from '@main/cli/command';
import { EXIT } from '@main/cli/exit';
import { beginIn } from '@main/cli/running/begin-run';
import { defaultAgent } from '@main/cli/running/chosen-agent';
import { waitForRun } from '@main/cli/running/wait';
import { withCore } from '@main/cli/running/with-core';
import { detached } from './run';

const BY = 'command line';

export const doCommand = command({
  name: 'do',
  summary: 'Gives one agent a prompt in a project, and waits until it is done.',
  words: 'PROMPT',
  least: 1,
  most: 1,
  heedsStop: true,
  more: [
    'PROMPT - reads standard input. The project is that of the current folder unless you pass --project.',
    'The agent works in a worktree of its own; `muster apply RUN` brings the result into your checkout.',
    '`muster new NAME --from RUN` makes a workflow of it.',
  ].join('\n'),
  flags: {
    agent: {
      value: 'AGENT',
      help: 'the id of the agent, as `muster agents` lists it (default: the default profile)',
    },
    project: { value: 'DIR', help: 'the project (default: that of the current folder)' },
    attach: { value: 'FILE', many: true, help: 'a file for the prompt' },
    'in-place': { help: 'work in the project folder itself, instead of in a worktree' },
    detach: { help: 'start it and return; the running Muster works on it, or one in the background' },
    'no-wait': { help: 'exit with code 6 when only gates remain, instead of waiting for answers' },
  },
  async run(context, { words, flags }) {
    const given = words[0] ?? '';
    const prompt = given === '-' ? await context.readInput() : given;
    const folder =
      flags.project === undefined
        ? projectFolder(resolve(context.cwd, 'x'))
        : resolve(context.cwd, flags.project);
    const uid = ulids.ulid();
    const wish = {
      uid,
      prompt,
      startedBy: BY,
      workspace: flags['in-place'] ? ('project' as const) : ('worktree' as const),
      attachments: flags.attach.map((path) => resolve(context.cwd, path)),
    };
    const begun = await withCore(context, { mode: flags.detach ? 'background' : 'working' }, async (link) => {
      const agent =
        flags.agent === undefined
          ? await defaultAgent(link, context, { flag: '--agent', folder })
          : ok(flags.agent);
      if (!agent.ok) return agent;
      return beginIn(link, folder, async ({ id: projectId }) => {
        const started = await ask(link, 'run.startTask', { ...wish, projectId, agent: agent.value });
        return started.ok ? ok({ runId: started.value.runId, file: '', problems: [] }) : started;
      });
    });
    if (!begun.ok) return begun;
    const { link, value } = begun.value;
    if (value.runId === null) return ok(EXIT.interrupted);
    if (flags.detach) return detached(context, link, value.runId);
    return waitForRun(context, { link, runId: value.runId, throughGates: !flags['no-wait'], afterSeq: 0 });
  },
});
