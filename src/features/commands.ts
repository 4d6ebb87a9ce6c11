import type { Command } from '@main/cli/command';
import { loopCommand } from './loop/node/commands/loop';
import { ralphCommand } from './loop/node/commands/ralph';
import { rlmCommand } from './rlm/node/commands';
import { teamCommand } from './team/node/commands';

/** The registry of features, as the command line knows them; in the order in which help shows them. */
export const featureCommands: readonly Command[] = [ralphCommand, loopCommand, teamCommand, rlmCommand];
