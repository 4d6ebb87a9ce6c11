import type { RanCommand } from '@areas/changes/contract/changes';
import { OutputText } from '@areas/evidence/view/parts/output-text';
import { firstLine, plural } from '@renderer/client/format';
import { Glyph } from '@renderer/ui/controls/icon';
import { inPlainSight } from '@renderer/ui/invisible-characters';
import { Fold } from '@renderer/ui/layout/fold';
import { SquareTerminal } from 'lucide-react';
import { memo } from 'react';
import styles from './commands.module.css';

/** The commands that the agent ran by itself in a turn, with their results. */
export const Commands = memo(function Commands({ commands }: { commands: readonly RanCommand[] }) {
  if (commands.length === 0) return null;
  const failed = commands.filter((one) => one.exitCode !== null && one.exitCode !== 0).length;
  const head = (
    <>
      <Glyph of={SquareTerminal} size={13} />
      <span>Ran {plural(commands.length, 'command')}</span>
      {failed > 0 && <span className="failed-text">{failed} failed</span>}
    </>
  );
  const counted = commands.map((command, index) => ({ ...command, key: `${index}` }));
  return (
    <Fold head={head} className={styles.ran}>
      {counted.map((command) => (
        <Fold
          key={command.key}
          head={
            <>
              <span className="mono cut">{inPlainSight(firstLine(command.command))}</span>
              <span className="grow" />
              <Exit code={command.exitCode} />
            </>
          }
        >
          {command.outputTail ? (
            <OutputText text={command.outputTail} label="End of the output" />
          ) : (
            <p className="note faint">The agent reported no output.</p>
          )}
        </Fold>
      ))}
    </Fold>
  );
});

function Exit({ code }: { code: number | null }) {
  if (code === null) return <span className="faint note">exit code unknown</span>;
  return <span className={`note ${code === 0 ? 'faint' : 'failed-text'}`}>exit {code}</span>;
}
