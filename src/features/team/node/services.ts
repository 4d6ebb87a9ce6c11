import { ok } from '@contract/result';
import type { FeatureParts, OpenFeature } from '@main/sdk/feature-services';
import type { teamProcedures } from '../contract/procedures';
import { TeamService } from './service';
import { TeamTemplates } from './templates';

/** Teams in the core's process. */
export function openTeams(parts: FeatureParts): OpenFeature<keyof typeof teamProcedures> {
  const { runs, store } = parts;
  const teams = new TeamService({
    ...parts,
    stateWithoutHistory: (runId) => runs.stateWithoutHistory(runId),
    templates: new TeamTemplates({ ...parts, projects: () => store.projects() }),
  });
  return {
    handlers: {
      'team.list': ({ limit }) => ok(teams.list(limit)),
      'team.messages': (input) => teams.messages(input),
      'team.say': (input) => teams.say(input),
      'team.changes': (input) => teams.changes(input),
      'team.satisfied': (input) => teams.satisfied(input),
      'team.interrupt': (input) => teams.interrupt(input),
      'team.edit': (input) => teams.edit(input),
      'team.withdraw': (input) => teams.withdraw(input),
      'team.spawn': (input) => teams.spawn(input),
      'team.shutdown': (input) => teams.shutdown(input),
      'team.restore': (input) => teams.restore(input),
      'team.merge': (input) => teams.merge(input),
      'team.mergeConfirm': (input) => teams.mergeConfirm(input),
      'team.mergeDecline': (input) => teams.mergeDecline(input),
      'team.cleanup': (place) => teams.cleanup(place),
      'team.taskAdd': (input) => teams.taskAdd(input),
      'team.taskComplete': (input) => teams.taskComplete(input),
      'team.taskFree': (input) => teams.taskFree(input),
      'team.start': (input) => runs.once(input.uid, () => teams.start(input)),
      'team.templates': (input) => teams.templates(input),
      'team.saveTemplate': (input) => teams.saveTemplate(input),
    },
    replies: (limit) => teams.replies(limit),
  };
}
