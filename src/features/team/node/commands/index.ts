import { verbCommand } from '@main/cli/arguments/verbs';
import { changes, end, interrupt, retry, satisfied, shutdown, spawn, tasks } from './acts';
import { flags } from './flags';
import { merge } from './merge';
import { editMessage, showQueue, withdrawMessage } from './queue';
import { save } from './save';
import { say } from './say';
import { listTeams, showMembers, showMessages } from './show';
import { start } from './start';

export const teamCommand = verbCommand({
  name: 'team',
  summary: 'Starts teams, sends messages to members, accepts and merges their work.',
  words: 'VERB [RUN] [...]',
  heedsStop: true,
  more: [
    'RUN/STEP names the team if a run has several. A running Muster continues the run, and the command returns. Otherwise',
    'the run continues here until nothing is left to do (code 6 if it waits for you). A text that may release a member is',
    'not sent: the command asks what you mean and ends with code 6.',
  ].join('\n'),
  flags,
  verbs: {
    start: { words: 'NAME|FILE', help: 'start a team from .muster/teams', run: start },
    list: { words: '', help: 'the teams of the last runs', run: listTeams },
    members: { words: 'RUN', help: 'the members and their states', run: showMembers },
    show: { words: 'RUN', help: 'the same as members', run: showMembers },
    messages: { words: 'RUN', help: 'the messages', run: showMessages },
    say: { words: 'RUN TEXT', help: 'write to a member or to the lead', run: say },
    queue: { words: 'RUN', help: 'your undelivered messages', run: showQueue },
    edit: { words: 'RUN N TEXT', help: 'change message N of the queue', run: editMessage },
    withdraw: { words: 'RUN N', help: 'withdraw message N of the queue', run: withdrawMessage },
    changes: { words: 'RUN NAME TEXT', help: 'ask for changes', run: changes },
    satisfied: { words: 'RUN NAME', help: 'accept: a last round follows', run: satisfied },
    interrupt: { words: 'RUN NAME [TEXT]', help: 'end a turn now', run: interrupt },
    spawn: { words: 'RUN NAME', help: 'add a member', run: spawn },
    shutdown: { words: 'RUN NAME', help: 'stop a member', run: shutdown },
    retry: { words: 'RUN NAME', help: 'resume a failed member', run: retry },
    merge: { words: 'RUN NAME', help: 'offer, confirm or decline a merge', run: merge },
    tasks: { words: 'RUN [add TEXT|complete N|free N]', help: 'the task board', run: tasks },
    save: { words: 'RUN NAME', help: 'save the team in .muster/teams, to start it again', run: save },
    end: { words: 'RUN', help: 'end the team', run: end },
  },
});
