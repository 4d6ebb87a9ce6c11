import { verbsOf } from '@main/cli/arguments/verbs';
import { command } from '@main/cli/command';
import { changes, end, interrupt, retry, satisfied, shutdown, spawn, tasks } from './acts';
import { flags } from './flags';
import { merge } from './merge';
import { editMessage, showQueue, withdrawMessage } from './queue';
import { save } from './save';
import { say } from './say';
import { listTeams, showMembers, showMessages } from './show';
import { start } from './start';

const verbs = verbsOf<typeof flags>('team', {
  start: { words: 'NAME|FILE', least: 1, most: 1, help: 'start a team from .muster/teams', run: start },
  list: { words: '', least: 0, most: 0, help: 'the teams of the last runs', run: listTeams },
  members: { words: 'RUN', least: 1, most: 1, help: 'the members and their states', run: showMembers },
  show: { words: 'RUN', least: 1, most: 1, help: 'the same as members', run: showMembers },
  messages: { words: 'RUN', least: 1, most: 1, help: 'the messages', run: showMessages },
  say: { words: 'RUN TEXT', least: 2, most: 2, help: 'write to a member or to the lead', run: say },
  queue: {
    words: 'RUN',
    least: 1,
    most: 1,
    help: 'your undelivered messages',
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
  retry: { words: 'RUN NAME', least: 2, most: 2, help: 'resume a failed member', run: retry },
  merge: { words: 'RUN NAME', least: 2, most: 2, help: 'offer, confirm or decline a merge', run: merge },
  tasks: { words: 'RUN [add TEXT|complete N|free N]', least: 1, most: 3, help: 'the task board', run: tasks },
  save: {
    words: 'RUN NAME',
    least: 2,
    most: 2,
    help: 'save the team in .muster/teams, to start it again',
    run: save,
  },
  end: { words: 'RUN', least: 1, most: 1, help: 'end the team', run: end },
});

export const teamCommand = command({
  name: 'team',
  summary: 'Starts teams, sends messages to members, accepts and merges their work.',
  words: 'VERB [RUN] [...]',
  least: 1,
  most: 4,
  heedsStop: true,
  more: [
    ...verbs.lines,
    '',
    'RUN/STEP names the team if a run has several. A running Muster continues the run, and the command returns. Otherwise',
    'the run continues here until nothing is left to do (code 6 if it waits for you). A text that may release a member is',
    'not sent: the command asks what you mean and ends with code 6.',
  ].join('\n'),
  flags,
  run: (context, call) => verbs.run(context, call),
});
