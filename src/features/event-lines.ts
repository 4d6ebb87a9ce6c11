import { ofLoops } from './loop/node/commands/event-lines';
import { ofRlm } from './rlm/node/commands/event-lines';
import { ofTeams } from './team/node/commands/event-lines';

/** What happens in features, in a line of text each. Apart from `commands.ts`: commands print these lines. */
export const featureEventLines = { ...ofTeams, ...ofLoops, ...ofRlm };
