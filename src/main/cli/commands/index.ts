import { agentsCommand } from '@areas/agents/node/commands/agents';
import { projectsCommand } from '@areas/agents/node/commands/catalog';
import { inboxCommand } from '@areas/attention/node/commands/inbox';
import { backupCommand } from '@areas/backups/node/commands/backup';
import { restoreCommand } from '@areas/backups/node/commands/restore';
import { applyCommand } from '@areas/changes/node/commands/apply';
import { checkoutCommand } from '@areas/changes/node/commands/checkout';
import { deliveriesCommand } from '@areas/deliveries/node/commands/deliveries';
import { targetsCommand } from '@areas/deliveries/node/commands/targets';
import { diagnosticsCommand } from '@areas/diagnostics/node/commands/diagnostics';
import { doctorCommand } from '@areas/doctor/node/commands/doctor';
import { updatesCommand } from '@areas/feed/node/commands/updates';
import { forgeCommand } from '@areas/forges/node/commands/forge';
import { issueCommand } from '@areas/forges/node/commands/issue';
import { prCommand } from '@areas/forges/node/commands/pr';
import {
  answerCommand,
  approveCommand,
  chooseCommand,
  rejectCommand,
} from '@areas/gates/node/commands/answer';
import { gatesCommand } from '@areas/gates/node/commands/gates';
import { homeCommand } from '@areas/home/node/commands/home';
import { hostsCommand } from '@areas/hosts/node/commands/hosts';
import { rulesCommand } from '@areas/permissions/node/commands/rules';
import { projectCommand } from '@areas/projects/node/commands/project';
import { promptsCommand } from '@areas/prompts/node/commands/prompts';
import { againCommand } from '@areas/runs/node/commands/again';
import { exportCommand, importCommand } from '@areas/runs/node/commands/archive';
import { binCommand } from '@areas/runs/node/commands/bin';
import { cancelCommand, resumeCommand } from '@areas/runs/node/commands/cancel-and-resume';
import { cleanCommand } from '@areas/runs/node/commands/clean';
import { compareCommand } from '@areas/runs/node/commands/compare';
import { deletedCommand } from '@areas/runs/node/commands/deleted';
import { doCommand } from '@areas/runs/node/commands/do';
import { listCommand } from '@areas/runs/node/commands/list';
import { newCommand } from '@areas/runs/node/commands/new';
import { outputCommand } from '@areas/runs/node/commands/output';
import { renameCommand } from '@areas/runs/node/commands/rename';
import { runCommand } from '@areas/runs/node/commands/run';
import { showCommand } from '@areas/runs/node/commands/show';
import { statusCommand } from '@areas/runs/node/commands/status';
import { searchCommand } from '@areas/search/node/commands/search';
import { sessionCommand } from '@areas/sessions/node/commands/session';
import { spendCommand } from '@areas/spend/node/commands/spend';
import { convertCommand } from '@areas/workflows/node/commands/convert';
import { expandCommand } from '@areas/workflows/node/commands/expand';
import { migrateCommand } from '@areas/workflows/node/commands/migrate';
import { validateCommand } from '@areas/workflows/node/commands/validate';
import { featureCommands } from '@features/commands';
import type { Command } from '../command';
import { apiCommand } from './core/api';
import { serveCommand } from './core/serve';

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
  renameCommand,
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
  backupCommand,
  restoreCommand,
  doctorCommand,
  agentsCommand,
  projectsCommand,
  projectCommand,
  hostsCommand,
  spendCommand,
  statusCommand,
  diagnosticsCommand,
  serveCommand,
  apiCommand,
];
