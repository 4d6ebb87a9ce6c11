import type { Command } from '@main/cli/command';
import { loopCommand } from './loop/node/commands/loop';
import { ralphCommand } from './loop/node/commands/ralph';
import { rlmCommand } from './rlm/node/commands';
import { teamCommand } from './team/node/commands';

/** The registry of features for the command line, in the order of the help. */
export const featureCommands: readonly Command[] = [ralphCommand, loopCommand, teamCommand, rlmCommand];
