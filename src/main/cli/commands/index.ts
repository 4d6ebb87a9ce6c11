import { forgeCommand } from '@areas/forges/node/commands/forge';
import { issueCommand } from '@areas/forges/node/commands/issue';
import { prCommand } from '@areas/forges/node/commands/pr';
import { featureCommands } from '@features/commands';
import type { Command } from '../command';
import { apiCommand } from './core/api';
import { projectsCommand } from './core/catalog';
import { homeCommand } from './core/home';
import { serveCommand } from './core/serve';
import { spendCommand } from './core/spend';
import { answerCommand, approveCommand, chooseCommand, rejectCommand } from './gates/answer';
import { gatesCommand } from './gates/gates';
import { inboxCommand } from './gates/inbox';
import { rulesCommand } from './gates/rules';
import { againCommand } from './runs/again';
import { applyCommand } from './runs/apply';
import { exportCommand, importCommand } from './runs/archive';
import { binCommand } from './runs/bin';
import { cancelCommand, resumeCommand } from './runs/cancel-and-resume';
import { checkoutCommand } from './runs/checkout';
import { cleanCommand } from './runs/clean';
import { compareCommand } from './runs/compare';
import { deletedCommand } from './runs/deleted';
import { doCommand } from './runs/do';
import { listCommand } from './runs/list';
import { newCommand } from './runs/new';
import { outputCommand } from './runs/output';
import { runCommand } from './runs/run';
import { searchCommand } from './runs/search';
import { sessionCommand } from './runs/session';
import { showCommand } from './runs/show';
import { statusCommand } from './runs/status';
import { updatesCommand } from './runs/updates';
import { agentsCommand } from './settings/agents';
import { deliveriesCommand } from './settings/deliveries';
import { projectCommand } from './settings/project';
import { promptsCommand } from './settings/prompts';
import { targetsCommand } from './settings/targets';
import { convertCommand } from './workflows/convert';
import { expandCommand } from './workflows/expand';
import { migrateCommand } from './workflows/migrate';
import { validateCommand } from './workflows/validate';

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
  issueCommand,
  prCommand,
  forgeCommand,
  cleanCommand,
  binCommand,
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
  projectCommand,
  spendCommand,
  statusCommand,
  serveCommand,
  apiCommand,
];
