import { call } from '@renderer/client/rpc';
import { attempt } from '@renderer/client/toasts';
import { refresh } from '@renderer/client/wire/query';
import { CheckRow } from '@renderer/parts/doctor/check-row';
import { useDoctor } from '@renderer/parts/doctor/use-doctor';
import { ErrorNote } from '@renderer/parts/problems/error-note';
import { Button } from '@renderer/ui/controls/button';
import { Section } from '@renderer/ui/layout/facts';
import { Fold } from '@renderer/ui/layout/fold';
import { Note } from '@renderer/ui/layout/note';
import { useState } from 'react';
import { type Check, checkGroupTitles, type Doctor, verdictOf } from '../../contract/procedures';
import styles from './doctor-page.module.css';

/** What Muster needs on this machine, what is missing, and the command that brings it. */
export function DoctorPage() {
  const { value: doctor, error } = useDoctor();
  return (
    <div className={styles.doctor}>
      {error && <ErrorNote error={error} />}
      {doctor === null && !error && (
        <p className="quiet" role="status">
          Looking at this machine
        </p>
      )}
      {doctor && <Found doctor={doctor} />}
    </div>
  );
}

const VERDICTS = {
  ok: { tone: 'done', text: 'Everything that Muster needs is on this machine.' },
  missing: { tone: 'failed', text: 'Something that Muster needs is missing.' },
  unknown: { tone: 'waits', text: 'Not everything that Muster needs could be found out.' },
} as const;

function Found({ doctor }: { readonly doctor: Doctor }) {
  const [trying, setTrying] = useState(false);
  const tryAll = async () => {
    setTrying(true);
    await attempt(call('doctor.get', { thorough: true }));
    await refresh('doctor.get');
    setTrying(false);
  };
  const { tone, text } = VERDICTS[verdictOf(doctor)];
  const of = (group: Check['group']) => doctor.checks.filter((check) => check.group === group);
  return (
    <>
      <Note
        tone={tone}
        live="status"
        acts={
          <Button disabled={trying} onClick={() => void tryAll()}>
            {trying ? 'Checking' : 'Check again'}
          </Button>
        }
      >
        {text} Logins are read from this machine: nothing is asked of a provider.
      </Note>
      {(['needed', 'agents', 'keys', 'machine'] as const).map((group) => (
        <Group key={group} title={checkGroupTitles[group]} checks={of(group)} />
      ))}
      {of('available').length > 0 && (
        <Fold
          key={String(of('agents').length === 0)}
          open={of('agents').length === 0}
          head={<h2 className={styles.available}>{checkGroupTitles.available}</h2>}
        >
          <Rows checks={of('available')} />
        </Fold>
      )}
    </>
  );
}

const Group = ({ title, checks }: { readonly title: string; readonly checks: readonly Check[] }) =>
  checks.length > 0 && (
    <Section title={title}>
      <Rows checks={checks} />
    </Section>
  );

const Rows = ({ checks }: { readonly checks: readonly Check[] }) => (
  <ul>
    {checks.map((check) => (
      <CheckRow key={check.id} check={check} />
    ))}
  </ul>
);
