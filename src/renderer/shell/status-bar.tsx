import { useNeedsYou } from '@areas/attention/view/parts/use-items';
import type { SystemStatus } from '@contract/system/procedures';
import { Clock, Database, Hand, Play, Server, SquareTerminal, Wallet } from 'lucide-react';
import type { ReactNode } from 'react';
import { bytes, plural, spend } from '../client/format';
import { useReadable } from '../client/hooks';
import { systemStatus } from '../client/lists/lists';
import { formatRoute, hashOf } from '../client/route';
import { Elapsed, Until } from '../parts/text/ago';
import { Glyph, type Icon } from '../ui/controls/icon';
import styles from './status-bar.module.css';

/** What runs, what it costs, what happens next, and whether all is well. Each part links to its details. */
export function StatusBar() {
  const status = useReadable(systemStatus);
  const needs = useNeedsYou();
  if (status === null) return <section className={styles.statusBar} aria-label="Status" />;
  const { live, spendToday, next } = status;
  return (
    <section className={styles.statusBar} aria-label="Status">
      <div className={styles.statusNow}>
        <Item icon={Play} to={hashOf('runs')} tone={live.turns + live.commands > 0 ? 'running' : ''}>
          {liveWords(live)}
        </Item>
        {needs > 0 && (
          <Item icon={Hand} to={hashOf('inbox')} tone="waits">
            {plural(needs, 'needs', 'need')} you
          </Item>
        )}
        <Item icon={Wallet} to={SPENT_TODAY} tip={spendTip(spendToday)}>
          {spendWords(spendToday)} today
        </Item>
        {next && (
          <Item icon={Clock} to={hashOf('run', next.runId)} tip={next.what}>
            <Until at={next.at} />: {next.what}
          </Item>
        )}
      </div>
      <Health status={status} />
    </section>
  );
}

const WORDS = {
  starting: 'starting',
  running: 'running',
  restarting: 'restarting',
  failed: 'failed',
  attached: 'attached',
  none: 'off',
  ok: 'ok',
  failing: 'failing',
  opening: 'opening',
};

function Health({ status: { core, ptyHost, store } }: { status: SystemStatus }) {
  const to = hashOf('settings', 'system');
  return (
    <>
      <Item icon={Server} to={to} tone={toneOf(core.state)} tip={core.detail}>
        Core {WORDS[core.state]} <Elapsed from={core.since} to={null} />
      </Item>
      {ptyHost.state !== 'none' && (
        <Item icon={SquareTerminal} to={to} tone={toneOf(ptyHost.state)} tip={ptyHost.detail}>
          Terminals {WORDS[ptyHost.state]}
        </Item>
      )}
      <Item icon={Database} to={to} tone={toneOf(store.state)} tip={store.detail ?? store.path}>
        Store {WORDS[store.state]} · {bytes(store.bytes)}
      </Item>
    </>
  );
}

const toneOf = (state: keyof typeof WORDS): string =>
  state === 'failed' || state === 'failing'
    ? 'failed'
    : state === 'restarting' || state === 'starting'
      ? 'waits'
      : 'well';

function liveWords({ sessions, turns, commands, steps }: SystemStatus['live']): string {
  const parts = [
    sessions > 0 && plural(sessions, 'session'),
    turns > 0 && plural(turns, 'turn'),
    commands > 0 && plural(commands, 'command'),
  ].filter(Boolean);
  if (parts.length > 0) return parts.join(' · ');
  return steps > 0 ? `${plural(steps, 'step')} at work` : 'Nothing runs';
}

const SPENT_TODAY = formatRoute({ path: ['spend'], query: { by: 'run', days: '1' } });

/** Only reported costs are shown as an amount. */
function spendWords({ tokens, costUsd, costUnreported }: SystemStatus['spendToday']): string {
  const unknown = costUsd === 0 && costUnreported > 0;
  return spend(tokens, unknown ? null : costUsd) || (unknown ? 'Cost not reported' : 'No spend');
}

const spendTip = ({ untoldTurns }: SystemStatus['spendToday']): string =>
  untoldTurns > 0 ? `${plural(untoldTurns, 'turn')} did not report their usage` : 'As reported by the agents';

interface ItemProps {
  readonly icon: Icon;
  readonly to: string;
  readonly tone?: string;
  readonly tip?: string | null;
  readonly children: ReactNode;
}

function Item({ icon, to, tone = '', tip, children }: ItemProps) {
  return (
    <a className={`${styles.statusItem} ${tone}`} href={to} title={tip ?? undefined} draggable={false}>
      <Glyph of={icon} size={12} />
      <span className={styles.statusWords}>{children}</span>
    </a>
  );
}
