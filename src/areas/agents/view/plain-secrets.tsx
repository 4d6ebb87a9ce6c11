import { ownValue } from '@contract/own';
import { call } from '@renderer/client/rpc';
import { attempt } from '@renderer/client/toasts';
import { Button } from '@renderer/ui/controls/button';
import { Note } from '@renderer/ui/layout/note';
import { masked, plainSecrets } from '../contract/plain-secrets';
import type { AgentProfile } from '../contract/profile';

interface PlainSecretsProps {
  readonly profile: AgentProfile;
  /** Called with the profile that names the keys as secrets. */
  readonly onMoved: (profile: AgentProfile) => void;
}

/** Warns of keys that would be saved as plain text, and moves them to the keychain. */
export function PlainSecrets({ profile, onMoved }: PlainSecretsProps) {
  const names = plainSecrets(profile);
  if (names.length === 0) return null;
  const move = async () => {
    for (const name of names) {
      const set = await attempt(call('secret.set', { name, value: ownValue(profile.env, name) ?? '' }));
      if (set === null) return;
    }
    onMoved(masked(profile));
  };
  return (
    <Note tone="waits" acts={<Button onClick={() => void move()}>Move to keychain and save</Button>}>
      {names.join(', ')} {names.length === 1 ? 'looks like a secret' : 'look like secrets'}. The environment
      of a profile is kept as plain text.
    </Note>
  );
}
