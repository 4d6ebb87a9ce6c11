import { command } from '@main/cli/command';
import { verbsOf } from '@main/cli/verbs';
import { changes, end, interrupt, retry, satisfied, shutdown, spawn, tasks } from './acts';
import { flags } from './flags';
import { merge } from './merge';
import { editMessage, showQueue, withdrawMessage } from './queue';
import { say } from './say';
import { listTeams, showMembers, showMessages } from './show';
import { start } from './start';

const verbs = verbsOf<typeof flags>('team', {
  start: { words: 'NAME|FILE', least: 1, most: 1, help: 'start a team of .muster/teams', run: start },
  list: { words: '', least: 0, most: 0, help: 'the teams of the last runs', run: listTeams },
  members: { words: 'RUN', least: 1, most: 1, help: 'who is at what, since when and why', run: showMembers },
  messages: { words: 'RUN', least: 1, most: 1, help: 'what was said', run: showMessages },
  say: { words: 'RUN TEXT', least: 2, most: 2, help: 'write to a member or to the lead', run: say },
  queue: {
    words: 'RUN',
    least: 1,
    most: 1,
    help: 'your messages that are not delivered yet',
    run: showQueue,
  },
  edit: { words: 'RUN N TEXT', least: 3, most: 3, help: 'change message N of the queue', run: editMessage },
  withdraw: {
    words: 'RUN N',
    least: 2,
    most: 2,
    help: 'withdraw message N of the queue',
    run: withdrawMessage,
  },
  changes: { words: 'RUN NAME TEXT', least: 3, most: 3, help: 'ask for changes', run: changes },
  satisfied: { words: 'RUN NAME', least: 2, most: 2, help: 'accept: a last round follows', run: satisfied },
  interrupt: { words: 'RUN NAME [TEXT]', least: 2, most: 3, help: 'end a turn now', run: interrupt },
  spawn: { words: 'RUN NAME', least: 2, most: 2, help: 'add a member', run: spawn },
  shutdown: { words: 'RUN NAME', least: 2, most: 2, help: 'stop a member', run: shutdown },
  retry: { words: 'RUN NAME', least: 2, most: 2, help: 'take a failed member up again', run: retry },
  merge: { words: 'RUN NAME', least: 2, most: 2, help: 'offer, confirm or decline a merge', run: merge },
  tasks: {
    ...{ words: 'RUN [add TEXT|complete N|free N]', least: 1, most: 3 },
    ...{ help: 'the task board', run: tasks },
  },
  end: { words: 'RUN', least: 1, most: 1, help: 'end the team', run: end },
});

export const teamCommand = command({
  name: 'team',
  summary: 'Starts teams, talks with their members, accepts and merges their work.',
  words: 'VERB [RUN] [...]',
  least: 1,
  most: 4,
  heedsStop: true,
  more: [
    ...verbs.lines,
    '',
    'RUN/STEP names the team where a run has several. Where a Muster is running, that one goes on with the run and the',
    'command ends; else the run goes on here until it rests (code 6 where it waits for you). Words that may release a',
    'member are asked about: nothing is sent, and the command ends with code 6.',
  ].join('\n'),
  flags,
  run: (context, call) => verbs.run(context, call),
});
