import { ok } from '@contract/result';
import { ask } from '@main/api/core-service';
import { command } from '@main/cli/command';
import { EXIT, type ExitCode } from '@main/cli/exit';
import { columns } from '@main/cli/output/columns';
import type { Output } from '@main/cli/output/output';
import {
  type Check,
  type CheckGroup,
  type CheckState,
  checkGroupTitles,
  type Doctor,
  verdictOf,
} from '../../contract/procedures';

const EXITS: Record<CheckState, ExitCode> = { ok: EXIT.ok, missing: EXIT.failed, unknown: EXIT.notice };

export const doctorCommand = command({
  name: 'doctor',
  summary: 'Says what Muster needs on this machine, what is missing, and the command that brings it.',
  words: '',
  least: 0,
  most: 0,
  more: [
    'Nothing is asked of a provider: a login is what the files, variables and programs of this machine show, and else',
    '`unknown`. Exit code 0 if everything that is needed is there, 1 if something is missing, 8 if something that is',
    'needed could not be found out.',
  ].join('\n'),
  flags: { quick: { help: 'do not start the sandbox of questions over documents' } },
  onlyAsks: true,
  async run(context, { flags }) {
    const link = await context.open({ mode: 'reading' });
    if (!link.ok) return link;
    const found = await ask(link.value, 'doctor.get', { thorough: !flags.quick });
    if (!found.ok) return found;
    const verdict = verdictOf(found.value);
    context.out.document({ verdict, checks: found.value.checks }, () => linesOf(found.value, context.out));
    return ok(EXITS[verdict]);
  },
});

function linesOf({ checks }: Doctor, { style }: Output): string[] {
  const words: Record<CheckState, string> = {
    ok: style.good('ok'),
    missing: style.bad('missing'),
    unknown: style.waits('unknown'),
  };
  const groups = Object.entries(checkGroupTitles) as [CheckGroup, string][];
  return groups.flatMap(([group, title], index) => {
    const rows = checks.filter((check) => check.group === group);
    if (rows.length === 0) return [];
    const lines = columns(
      rows.map((row) =>
        group === 'available'
          ? [row.title, row.command ?? row.detail]
          : [words[row.state], row.title, row.detail],
      ),
      { indent: '  ' },
    );
    const told = lines.flatMap((line, at) => [line, ...commandOf(rows[at], group)]);
    return [...(index === 0 ? [] : ['']), style.bold(title), ...told];
  });
}

const commandOf = (check: Check | undefined, group: CheckGroup): string[] =>
  check?.command == null || group === 'available' ? [] : [`      ${check.command}`];
