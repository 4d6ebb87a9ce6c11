import { anyAgent, type Doctor } from '@areas/doctor/contract/procedures';
import { hashOf, navigate } from '../../client/route';
import { Button } from '../../ui/controls/button';
import { Note } from '../../ui/layout/note';

interface NoAgentProps {
  readonly doctor: Doctor | null;
  /** Leaves the place where it is said. */
  readonly onLeave?: (() => void) | undefined;
}

/** That no real agent can work on this machine, and where it is said what is missing. */
export function NoAgent({ doctor, onLeave }: NoAgentProps) {
  if (doctor === null || anyAgent(doctor)?.state !== 'missing') return null;
  const open = () => {
    onLeave?.();
    navigate(hashOf('settings', 'doctor'));
  };
  return (
    <Note tone="waits" live="status" acts={<Button onClick={open}>Open the doctor</Button>}>
      No agent is ready on this machine.
    </Note>
  );
}
