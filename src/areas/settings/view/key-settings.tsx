import type { ActionSpec } from '@renderer/client/actions';
import { useReadable } from '@renderer/client/hooks';
import { chordOf, keyCaps } from '@renderer/client/keys/keys';
import { saveSettings, settings } from '@renderer/client/settings';
import { isMac, registry } from '@renderer/client/wire/window';
import { Button, IconButton } from '@renderer/ui/controls/button';
import { TextInput } from '@renderer/ui/controls/field';
import { Keys } from '@renderer/ui/controls/keys';
import { Section } from '@renderer/ui/layout/facts';
import { RotateCcw } from 'lucide-react';
import { useState } from 'react';
import styles from './key-settings.module.css';

/** Every action with its keys, which can be changed. */
export function KeySettings() {
  useReadable(registry.version);
  const [text, setText] = useState('');
  const specs = registry.specs().filter(([id, spec]) => isMeant(id, spec, text));
  const groups = [...new Set(specs.map(([, spec]) => spec.group))];
  return (
    <>
      <TextInput
        type="search"
        className={styles.search}
        aria-label="Search the keys"
        placeholder="Search"
        value={text}
        onChange={(event) => setText(event.target.value)}
      />
      {groups.length === 0 && <p className="quiet">No matches</p>}
      {groups.map((group) => (
        <Section key={group} title={group}>
          <ul className="key-table">
            {specs
              .filter(([, spec]) => spec.group === group)
              .map(([id, spec]) => (
                <KeyRow key={id} id={id} spec={spec} />
              ))}
          </ul>
        </Section>
      ))}
    </>
  );
}

/** Whether an action matches by its title, group or keys. */
const isMeant = (id: string, { title, group }: ActionSpec, text: string): boolean =>
  [title, group, registry.keysOf(id)].join(' ').toLowerCase().includes(text.trim().toLowerCase());

function KeyRow({ id, spec }: { id: string; spec: ActionSpec }) {
  const { keys } = useReadable(settings);
  const [recorded, setRecorded] = useState<readonly string[] | null>(null);
  const now = registry.keysOf(id);
  const isChanged = Object.hasOwn(keys, id);
  const text = (recorded ?? []).join(' ');
  const others = text === '' ? [] : registry.conflicts(id, text);
  const save = () => {
    setRecorded(null);
    if (text !== '') void saveSettings({ keys: { ...keys, [id]: text } });
  };
  const reset = () => {
    const { [id]: _, ...rest } = keys;
    void saveSettings({ keys: rest });
  };
  return (
    <li className={styles.keyRow}>
      <span className="grow cut">{spec.title}</span>
      {others.length > 0 && <span className="waits-text cut">also: {others.map(titleOf).join(', ')}</span>}
      {recorded === null ? (
        <button
          type="button"
          className={styles.keyValue}
          title="Change the keys"
          onClick={() => setRecorded([])}
        >
          <span className="hidden-text">Change the keys of: {spec.title}</span>
          {now === '' ? (
            <span className="faint">none</span>
          ) : (
            now.split(', ').map((one) => <Keys key={one} caps={keyCaps(one, isMac)} />)
          )}
        </button>
      ) : (
        <Recorder recorded={recorded} onPress={setRecorded} onSave={save} onClose={() => setRecorded(null)} />
      )}
      {isChanged ? (
        <IconButton icon={RotateCcw} label="Reset shortcut" onClick={reset} />
      ) : (
        <span className="icon-gap" />
      )}
    </li>
  );
}

const titleOf = (id: string): string => registry.specs().find(([other]) => other === id)?.[1].title ?? id;

interface RecorderProps {
  readonly recorded: readonly string[];
  readonly onPress: (recorded: readonly string[]) => void;
  readonly onSave: () => void;
  readonly onClose: () => void;
}

/** Records the pressed keys, two at most. Enter saves, Esc cancels. */
function Recorder({ recorded, onPress, onSave, onClose }: RecorderProps) {
  return (
    <span className={styles.recorder}>
      <input
        className="input short"
        // biome-ignore lint/a11y/noAutofocus: it appears because its button was pressed
        autoFocus
        readOnly
        aria-label="Press the new keys"
        placeholder="Press keys"
        value=""
        onBlur={onClose}
        onKeyDown={(event) => {
          event.preventDefault();
          event.stopPropagation();
          if (event.key === 'Escape') onClose();
          else if (event.key === 'Enter' && recorded.length > 0) onSave();
          else {
            const chord = chordOf(event.nativeEvent, isMac);
            if (chord) onPress(recorded.length >= 2 ? [chord] : [...recorded, chord]);
          }
        }}
      />
      <Keys caps={keyCaps(recorded.join(' '), isMac)} />
      {recorded.length > 0 && (
        <Button caps={['Enter']} onMouseDown={onSave}>
          Save
        </Button>
      )}
    </span>
  );
}
