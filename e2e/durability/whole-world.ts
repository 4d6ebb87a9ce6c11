import { execFileSync } from 'node:child_process';
import { mkdirSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

/** About 900 KB: far above what an event holds. */
const LAST = 150_000;

/**
 * A run whose steps look themselves at what they were given: an output of any size is whole, no answer has words of
 * another turn, and a worktree has the files of its submodule. A step that finds something else fails permanently.
 */
export const wholeWorkflows: Readonly<Record<string, string>> = {
  whole: `name: whole
steps:
  - id: print
    type: step.command
    on_interrupt: retry
    config: { script: seq 1 ${LAST} }
  - id: count
    type: step.command
    on_interrupt: retry
    config:
      script: |
        [ "$(printf '%s\\n' "$print.output" | cksum)" = "$(seq 1 ${LAST} | cksum)" ] || exit 3
        test -f lib/lib.txt || exit 4
        echo whole
  - id: tell
    type: step.agent_task
    on_interrupt: retry
    config: { acp_profile_id: tardy, instruction: Tell it., re_prompts: [Once more.] }
  - id: read
    type: step.command
    on_interrupt: retry
    config:
      script: |
        case "$tell.output" in
          *Late*) exit 5;;
          *'Answer of this turn.'*'Answer of this turn.'*) echo whole;;
          *) exit 6;;
        esac
cables:
  - { from: print.data_out, to: count.data_in }
  - { from: print.data_out, to: tell.data_in }
  - { from: tell.data_out, to: read.data_in }
`,
};

/** An agent that says something after the end of each turn: while the next one is at work. */
const tardy = `import { createInterface } from 'node:readline';
const send = (message) => console.log(JSON.stringify({ jsonrpc: '2.0', ...message }));
let turns = 0;
const say = (turn, text) => {
  const content = { type: 'text', text };
  const update = { sessionUpdate: 'agent_message_chunk', messageId: 'message-' + turn, content };
  send({ method: 'session/update', params: { sessionId: 'one', update } });
};
const wait = (ms) => new Promise((resolve) => setTimeout(resolve, ms));
createInterface({ input: process.stdin }).on('line', async (line) => {
  const { id, method } = JSON.parse(line);
  if (method === 'initialize')
    send({ id, result: { protocolVersion: 1, agentCapabilities: {}, authMethods: [] } });
  else if (method === 'session/new') send({ id, result: { sessionId: 'one' } });
  else if (method === 'session/prompt') {
    turns += 1;
    const turn = turns;
    await wait(1500);
    say(turn, 'Answer of this turn.');
    send({ id, result: { stopReason: 'end_turn' } });
    await wait(2500);
    say(turn, ' Late words.');
  } else if (id !== undefined) send({ id, result: {} });
});
`;

/** Its program, and the line of its profile. */
export function writeTardy(project: string): string {
  const program = join(project, 'tardy.mjs');
  writeFileSync(program, tardy);
  return `  - { kind: acp, id: tardy, name: tardy, command: node, args: [${program}], max_sessions: 8, permissions: allow_all }\n`;
}

/** A submodule `lib` whose origin is gone: only the project has its objects. */
export function addSubmodule(project: string): void {
  const origin = `${project}-lib`;
  mkdirSync(origin);
  const git = (cwd: string, ...args: string[]) => execFileSync('git', args, { cwd, stdio: 'ignore' });
  const who = ['-c', 'user.name=Library', '-c', 'user.email=library@example.org'];
  git(origin, 'init', '-q', '-b', 'main');
  writeFileSync(join(origin, 'lib.txt'), 'a library\n');
  git(origin, 'add', '-A');
  git(origin, ...who, 'commit', '-qm', 'start');
  git(project, '-c', 'protocol.file.allow=always', 'submodule', 'add', '-q', origin, 'lib');
  rmSync(origin, { recursive: true });
}
