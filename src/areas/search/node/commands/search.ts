import { searchKindSchema } from '@areas/feed/contract/procedures';
import { fail, ok } from '@contract/result';
import { ask } from '@main/api/core-service';
import { findRun } from '@main/cli/address';
import { numberFlag, wholeNumber } from '@main/cli/arguments/flag-values';
import { command } from '@main/cli/command';
import { EXIT } from '@main/cli/exit';
import { columns } from '@main/cli/output/columns';
import { dayAndTime } from '@main/cli/output/time';
import { z } from 'zod';

const MOST_HITS = 200;
const KINDS = [...searchKindSchema.options, 'terminal'] as const;
const kindSchema = z.enum(KINDS).optional();

export const searchCommand = command({
  name: 'search',
  summary: 'Searches prompts, answers, messages, questions, updates and terminals, the newest first.',
  words: 'TEXT',
  least: 1,
  most: 20,
  more: 'A result contains all the words you type. Of a terminal, the newest output is searched.',
  flags: {
    kind: { value: 'KIND', help: KINDS.join(', ') },
    run: { value: 'RUN', help: 'only in this run' },
    limit: { value: 'N', help: `how many (default 20, at most ${MOST_HITS})` },
  },
  onlyAsks: true,
  async run(context, { words, flags }) {
    const kind = kindSchema.safeParse(flags.kind);
    if (!kind.success)
      return fail('input.invalid', `"${flags.kind}" is not a kind`, { mend: `one of: ${KINDS.join(', ')}` });
    const limitFlag = numberFlag('limit', flags.limit, wholeNumber(1, MOST_HITS));
    if (!limitFlag.ok) return limitFlag;
    const link = await context.open({ mode: 'reading' });
    if (!link.ok) return link;
    const run = flags.run === undefined ? null : await findRun(link.value, flags.run);
    if (run !== null && !run.ok) return run;
    const query = { text: words.join(' '), limit: limitFlag.value ?? 20, runId: run?.value.id };
    const texts =
      kind.data === 'terminal'
        ? ok({ hits: [], more: false, behind: 0 })
        : await ask(link.value, 'search.query', { ...query, kind: kind.data });
    if (!texts.ok) return texts;
    const printed =
      kind.data === undefined || kind.data === 'terminal'
        ? await ask(link.value, 'search.terminals', query)
        : ok({ hits: [], partial: false });
    if (!printed.ok) return printed;
    const { hits, more, behind } = texts.value;
    const terminals = printed.value;
    const document = { hits, more, behind, terminals: terminals.hits, partial: terminals.partial };
    context.out.document(document, () => {
      const missing = behind === 0 ? [] : [`${behind} newer events are not searched yet.`];
      if (hits.length + terminals.hits.length === 0) return ['Nothing found.', ...missing];
      const rows = [
        ...hits.map(({ kind, at, runId, excerpt }) => [kind, dayAndTime(at), String(runId), excerpt]),
        ...terminals.hits.map(({ openedAt, runId, terminal, excerpt }) => [
          ...[`terminal ${terminal}`, dayAndTime(openedAt), String(runId), excerpt],
        ]),
      ];
      const head = ['KIND', 'TIME', 'RUN', 'TEXT'].map(context.out.style.dim);
      return [
        ...columns([head, ...rows], { width: context.out.width }),
        ...(more ? ['There are more: --limit N'] : []),
        ...missing,
        ...(terminals.partial ? ['Older terminal output was not searched.'] : []),
      ];
    });
    return ok(EXIT.ok);
  },
});
