import { hashOf } from '@renderer/client/route';
import { CheckRow } from '@renderer/parts/doctor/check-row';
import { NoAgent } from '@renderer/parts/doctor/no-agent';
import { useDoctor } from '@renderer/parts/doctor/use-doctor';
import styles from './agents-here.module.css';

/** Which agents are ready on this machine, before work for one is offered. */
export function AgentsHere() {
  const { value: doctor } = useDoctor();
  const here = doctor?.checks.filter(({ group }) => group === 'agents') ?? [];
  return (
    <section className={styles.here} aria-label="Agents on this machine">
      <h2>Agents on this machine</h2>
      {doctor === null && (
        <p className="quiet" role="status">
          Looking for installed agents
        </p>
      )}
      <NoAgent doctor={doctor} />
      <ul>
        {here.map((check) => (
          <CheckRow key={check.id} check={check} />
        ))}
      </ul>
      {here.length > 0 && <a href={hashOf('settings', 'doctor')}>What else is checked on this machine</a>}
    </section>
  );
}
