import { oneLine } from '@areas/feed/contract/plain-line';
import { counted } from '@contract/counted';
import type { EventContext, Tell } from '@main/cli/output/event-line';
import type { WatchSeen } from '../../contract/events';
import { warningWords } from '../../contract/warnings';

const quiet = (): null => null;
const inLoop = ({ state }: EventContext, activationId: number): string =>
  state.activations[activationId]?.stepId ?? 'loop';

const processLine = ({ pid, script, startedAt }: WatchSeen['processes'][number]): string =>
  `process ${pid} (${script})${startedAt === null ? '' : `, since ${new Date(startedAt).toLocaleTimeString()}`}`;

/** The runner of a watched loop. */
function runnerLines({ how, processes }: WatchSeen): { what: string; under?: string[] } {
  const [first] = processes;
  switch (how) {
    case 'found':
    case 'named':
      return { what: first === undefined ? 'its process is known' : `is run by ${processLine(first)}` };
    case 'several':
      return {
        what: 'several processes may run it; watch again with --pid',
        under: processes.map(processLine),
      };
    case 'none':
      return { what: 'no running ralph.sh was found here; Muster watches its files' };
    case 'untold':
      return { what: 'this system does not show which process runs it; Muster watches its files' };
  }
}

/** One line per event of a loop; an attempt's result is in its update. */
export const ofLoops = {
  'loop.plan-requested': quiet,
  'loop.plan-read': ({ activationId, plan, branch, archived }, at) => {
    const stories = plan.state === 'read' ? plan.stories : [];
    const open = stories.filter((story) => !story.passes).length;
    const are = open === 1 || stories.length === 1 ? 'is' : 'are';
    const of = counted(stories.length, 'story', 'stories');
    const count = plan.state === 'read' ? `${open} of ${of} ${are} open` : 'no plan file';
    const on = branch === null ? '' : `, on ${branch}`;
    const before = archived === null ? '' : `; the previous plan is in ${archived}`;
    return { who: inLoop(at, activationId), what: `${count}${on}${before}` };
  },
  'loop.plan-refused': ({ activationId, error }, at) => ({
    who: inLoop(at, activationId),
    what: at.style.bad(`no plan: ${error.message}${error.mend === undefined ? '' : ` (${error.mend})`}`),
  }),
  'loop.attempt-started': ({ activationId, iteration, of, retry, story }, at) => ({
    who: inLoop(at, activationId),
    what: `iteration ${iteration}/${of}${retry > 0 ? ` (retry ${retry})` : ''}${story === null ? '' : `: ${oneLine(story.id)} - ${oneLine(story.title) || 'unknown'}`}`,
  }),
  'loop.attempt-prepared': ({ activationId, error }, at) =>
    error === null
      ? null
      : {
          who: inLoop(at, activationId),
          what: at.style.bad(`the attempt cannot start: ${error.message}`),
        },
  'loop.attempt-ended': quiet,
  'loop.attempt-examined': quiet,
  'loop.attempt-judged': ({ activationId, warnings }, at) =>
    warnings.length === 0
      ? null
      : {
          who: inLoop(at, activationId),
          what: at.style.waits('needs a look'),
          under: warnings.map(warningWords),
        },
  'loop.story-skipped': ({ activationId, storyId, by }, at) => ({
    who: inLoop(at, activationId),
    what: `${storyId} is skipped, says ${by}`,
  }),
  'loop.watch-started': ({ activationId, folder, pid }, at) => ({
    who: inLoop(at, activationId),
    what: `watches ${folder}${pid === null ? '' : `, process ${pid}`}`,
  }),
  'loop.watch-observed': ({ activationId, seen }, at) => ({
    who: inLoop(at, activationId),
    ...runnerLines(seen),
  }),
  'loop.watch-noted': quiet,
  'loop.watch-ended': ({ activationId, why }, at) => ({
    who: inLoop(at, activationId),
    what: `watched until it ended: ${why}`,
  }),
  'loop.pause-requested': ({ activationId, by }, at) => ({
    who: inLoop(at, activationId),
    what: `pauses after this iteration, says ${by}`,
  }),
} satisfies Partial<Tell>;
