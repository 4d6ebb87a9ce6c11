import { ok } from '@contract/result';
import { ask } from '../../api/core-service';
import { command } from '../command';
import { EXIT } from '../exit';
import { gateLines } from '../output/gate-lines';
import { duration } from '../output/time';

/** As many as a core gives at once. */
const MOST = 1000;

export const gatesCommand = command({
  name: 'gates',
  summary: 'Lists what waits for you, with the command for each answer.',
  words: '',
  least: 0,
  most: 0,
  flags: {},
  onlyAsks: true,
  async run(context) {
    const link = await context.open({ mode: 'reading' });
    if (!link.ok) return link;
    const listed = await ask(link.value, 'gate.list', { limit: MOST });
    if (!listed.ok) return listed;
    const rows = listed.value;
    const { out, again } = context;
    out.document({ gates: rows }, () => {
      if (rows.length === 0) return ['Nothing waits.'];
      const told = rows.flatMap((row, index) => {
        const [head = '', ...rest] = gateLines(row, again);
        const since = `${row.runName}, for ${duration(Date.now() - row.openedAt)}`;
        return [...(index > 0 ? [''] : []), `${out.style.bold(head)}  ${out.style.dim(since)}`, ...rest];
      });
      return rows.length < MOST ? told : [...told, '', 'There are more: answer some of these first.'];
    });
    return ok(EXIT.ok);
  },
});
