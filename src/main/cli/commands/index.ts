import { featureCommands } from '@features/commands';
import type { Command } from '../command';
import { againCommand } from './again';
import { agentsCommand } from './agents';
import { answerCommand, approveCommand, chooseCommand, rejectCommand } from './answer';
import { apiCommand } from './api';
import { applyCommand } from './apply';
import { exportCommand, importCommand } from './archive';
import { projectsCommand } from './catalog';
import { checkoutCommand } from './checkout';
import { cleanCommand } from './clean';
import { compareCommand } from './compare';
import { convertCommand } from './convert';
import { deletedCommand } from './deleted';
import { deliveriesCommand } from './deliveries';
import { doCommand } from './do';
import { expandCommand } from './expand';
import { gatesCommand } from './gates';
import { homeCommand } from './home';
import { inboxCommand } from './inbox';
import { listCommand } from './list';
import { migrateCommand } from './migrate';
import { newCommand } from './new';
import { outputCommand } from './output';
import { promptsCommand } from './prompts';
import { rulesCommand } from './rules';
import { runCommand } from './run';
import { searchCommand } from './search';
import { serveCommand } from './serve';
import { sessionCommand } from './session';
import { showCommand } from './show';
import { spendCommand } from './spend';
import { statusCommand } from './status';
import { cancelCommand, resumeCommand } from './steer';
import { targetsCommand } from './targets';
import { updatesCommand } from './updates';
import { validateCommand } from './validate';

/** In the order of the help. */
export const commands: readonly Command[] = [
  runCommand,
  doCommand,
  newCommand,
  deletedCommand,
  ...featureCommands,
  sessionCommand,
  validateCommand,
  expandCommand,
  migrateCommand,
  convertCommand,
  promptsCommand,
  listCommand,
  showCommand,
  compareCommand,
  outputCommand,
  searchCommand,
  applyCommand,
  cleanCommand,
  updatesCommand,
  deliveriesCommand,
  targetsCommand,
  homeCommand,
  inboxCommand,
  gatesCommand,
  approveCommand,
  rejectCommand,
  chooseCommand,
  answerCommand,
  rulesCommand,
  cancelCommand,
  resumeCommand,
  againCommand,
  checkoutCommand,
  exportCommand,
  importCommand,
  agentsCommand,
  projectsCommand,
  spendCommand,
  statusCommand,
  serveCommand,
  apiCommand,
];
