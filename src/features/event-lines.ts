import { ofLoops } from './loop/node/commands/event-lines';
import { ofRlm } from './rlm/node/commands/event-lines';
import { ofTeams } from './team/node/commands/event-lines';

/** One line of text per feature event. Separate from `commands.ts`, whose commands print these lines. */
export const featureEventLines = { ...ofTeams, ...ofLoops, ...ofRlm };
