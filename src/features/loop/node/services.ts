import { ok } from '@contract/result';
import type { FeaturePorts } from '@features/contract';
import type { FeatureParts, OpenFeature, Outside } from '@main/sdk/feature-services';
import { late } from '@main/sdk/load-on-call';
import type { Loops } from '../contract/ports';
import type { loopProcedures } from '../contract/procedures';
import { LoopService } from './service';
import { RalphWatch } from './watch';

/** Loops in the core's process. */
export function openLoops(parts: FeatureParts): OpenFeature<keyof typeof loopProcedures> {
  const { runs, store } = parts;
  const loops = new LoopService({ ...parts, project: (id) => store.project(id) });
  const watch = new RalphWatch({ ...parts, loops: parts.ports.loops });
  watch.begin();
  return {
    handlers: {
      'loop.watch': (input) => runs.once(input.uid, () => watch.start(input)),
      'loop.nameRunner': (input) => watch.nameRunner(input),
      'loop.list': ({ limit }) => ok(loops.list(limit)),
      'loop.preview': (input) => loops.preview(input),
      'loop.start': (input) => runs.once(input.uid, () => loops.start(input)),
      'loop.pause': (input) => loops.pause(input),
      'loop.log': (input) => loops.log(input),
    },
    stop: () => watch.stop(),
  };
}

export const loopPorts = ({ git, moves }: Outside): Pick<FeaturePorts, 'loops'> => ({
  loops: late<Loops>(async () => {
    const { GitLoops } = await import('./git');
    return new GitLoops(await moves(), undefined, git);
  }),
});
