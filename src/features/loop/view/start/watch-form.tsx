import { useStart } from '@renderer/client/hooks';
import { hashOf, navigate } from '@renderer/client/route';
import { call } from '@renderer/client/rpc';
import { attempt } from '@renderer/client/toasts';
import { refresh } from '@renderer/client/wire/query';
import { Button } from '@renderer/ui/controls/button';
import { Field, TextInput } from '@renderer/ui/controls/field';
import { Fold } from '@renderer/ui/layout/fold';
import { Eye } from 'lucide-react';
import { useState } from 'react';

const isWholeNumber = (text: string): boolean => /^[1-9]\d{0,8}$/.test(text.trim());

interface Watched {
  readonly folder: string;
  readonly pid: string;
  readonly iterations: string;
}

async function watch(projectId: number, uid: string, of: Watched): Promise<boolean> {
  const pid = of.pid.trim() === '' ? null : Number(of.pid);
  const wanted = { uid, projectId, folder: of.folder.trim() || '.', pid, iterations: Number(of.iterations) };
  const started = await attempt(call('loop.watch', wanted));
  if (started === null) return false;
  await refresh('loop.list');
  navigate(hashOf('loop', started.runId));
  return true;
}

/** Watches a ralph.sh that someone else has started: Muster posts the same updates. */
export function WatchForm({ projectId }: { readonly projectId: number }) {
  const [of, set] = useState({ folder: '.', pid: '', iterations: '10' });
  const [starting, setStarting] = useState(false);
  const startOnce = useStart(JSON.stringify([projectId, of]));
  const able =
    !starting &&
    (of.pid.trim() === '' || isWholeNumber(of.pid)) &&
    isWholeNumber(of.iterations) &&
    Number(of.iterations) <= 1_000;
  const field = (name: keyof typeof of) => ({
    value: of[name],
    onChange: (event: { target: { value: string } }) => set({ ...of, [name]: event.target.value }),
  });
  return (
    <Fold head={<span>Watch a running ralph.sh</span>} className="loop-more">
      <form
        aria-label="Watch a loop"
        onSubmit={(event) => {
          event.preventDefault();
          if (!able) return;
          setStarting(true);
          void startOnce((uid) => watch(projectId, uid, of)).finally(() => setStarting(false));
        }}
      >
        <Field label="Its folder" hint="The folder with prd.json and logs/. Nothing in it is changed.">
          {(ids) => <TextInput {...ids} {...field('folder')} />}
        </Field>
        <Field
          label="Its process"
          hint="The id of its process. Empty: Muster looks for the ralph.sh that works in this folder."
        >
          {(ids) => <TextInput {...ids} className="short" inputMode="numeric" {...field('pid')} />}
        </Field>
        <Field
          label="Its iterations"
          hint="Maximum iterations, if the command line of the process does not name them."
        >
          {(ids) => <TextInput {...ids} className="short" inputMode="numeric" {...field('iterations')} />}
        </Field>
        <Button type="submit" icon={Eye} disabled={!able}>
          Watch it
        </Button>
      </form>
    </Fold>
  );
}
