import { Field, Segments, Select, TextInput } from '@renderer/ui/controls/field';
import { type RuleWords, type Span, spanLabels } from './rule-words';

export interface Choice {
  readonly value: string;
  readonly label: string;
}

interface RuleFieldsProps {
  readonly words: RuleWords;
  readonly onChange: (words: RuleWords) => void;
  readonly agents: readonly Choice[];
  readonly projects: readonly { readonly id: number; readonly name: string }[];
  readonly spans: readonly Span[];
  /** At a gate only the fields of its request are shown. */
  readonly shows: { readonly path: boolean; readonly command: boolean; readonly everywhere: boolean };
}

const FILES = 'Relative to the workspace. * matches within a name, ** any folders.';
/** A permission applies narrowly, a denial broadly. */
const HINTS = {
  allow: {
    command:
      'One simple command; * matches any characters. Joined, piped or redirected commands never match.',
    path: `${FILES} Hidden files match only by name.`,
  },
  deny: {
    command: 'Also matches inside joined commands; * matches any characters.',
    path: `${FILES} Hidden files, too.`,
  },
};

/** The fields of a permission rule. */
export function RuleFields({ words, onChange, agents, projects, spans, shows }: RuleFieldsProps) {
  const change = (more: Partial<RuleWords>) => onChange({ ...words, ...more });
  return (
    <>
      <Field label="Agent">
        {(ids) => (
          <Select {...ids} value={words.agent} onChange={(event) => change({ agent: event.target.value })}>
            {agents.map(({ value, label }) => (
              <option key={value} value={value}>
                {label}
              </option>
            ))}
          </Select>
        )}
      </Field>
      <Text
        label="Tool"
        hint="* stands for any characters."
        value={words.tool}
        onText={(tool) => change({ tool })}
      />
      {shows.command && (
        <Text
          label="Command"
          hint={HINTS[words.effect].command}
          value={words.command}
          onText={(command) => change({ command })}
        />
      )}
      {shows.path && (
        <Text
          label="Files"
          hint={HINTS[words.effect].path}
          value={words.path}
          onText={(path) => change({ path })}
        />
      )}
      <Field label="For how long">
        {() => (
          <Segments
            label="For how long"
            value={words.span}
            options={spans.map((value) => ({ value, label: spanLabels[value] }))}
            onChange={(span) => change({ span })}
          />
        )}
      </Field>
      {words.span !== 'run' && (
        <Where words={words} projects={projects} everywhere={shows.everywhere} onChange={change} />
      )}
    </>
  );
}

interface TextProps {
  readonly label: string;
  readonly hint: string;
  readonly value: string;
  readonly onText: (text: string) => void;
}

function Text({ label, hint, value, onText }: TextProps) {
  return (
    <Field label={label} hint={hint}>
      {(ids) => (
        <TextInput
          {...ids}
          data-part="pattern"
          className="mono"
          value={value}
          onChange={(event) => onText(event.target.value)}
        />
      )}
    </Field>
  );
}

interface WhereProps {
  readonly words: RuleWords;
  readonly projects: RuleFieldsProps['projects'];
  readonly everywhere: boolean;
  readonly onChange: (more: Partial<RuleWords>) => void;
}

function Where({ words, projects, everywhere, onChange }: WhereProps) {
  const hint = everywhere
    ? 'In your own checkout, only a rule of its project can allow a request.'
    : 'In your own checkout: only this project.';
  return (
    <Field label="Where" hint={hint}>
      {(ids) => (
        <Select
          {...ids}
          value={words.projectId ?? ''}
          onChange={({ target }) =>
            onChange({ projectId: target.value === '' ? null : Number(target.value) })
          }
        >
          {projects.map(({ id, name }) => (
            <option key={id} value={id}>
              Only in {name}
            </option>
          ))}
          {everywhere && <option value="">Everywhere</option>}
        </Select>
      )}
    </Field>
  );
}
