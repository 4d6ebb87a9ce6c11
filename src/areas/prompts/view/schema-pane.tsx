import { Status } from '@renderer/ui/controls/status';
import { Facts, Section } from '@renderer/ui/layout/facts';
import { Check, CircleX } from 'lucide-react';
import type { PromptDetail } from '../contract/procedures';
import promptsStyles from './prompts.module.css';
import styles from './schema-pane.module.css';

/** What the text must contain and may contain. */
export function SchemaPane({ value }: { value: PromptDetail }) {
  const { schema, text, problems, hash } = value;
  const dropped = (phrase: string): boolean =>
    problems.some(({ message }) => message.endsWith(`the words “${phrase}” are missing`));
  return (
    // biome-ignore lint/a11y/noNoninteractiveTabindex: it scrolls by keys, and nothing in it is focusable
    <aside className="pane side-pane scroll" aria-label="Schema" tabIndex={0}>
      <Section title="Placeholders" count={schema.placeholders.length}>
        <ul className={styles.promptSchema}>
          {schema.placeholders.map(({ name, required, says }) => (
            <li key={name}>
              <code className={promptsStyles.promptPlaceholder}>{`{${name}}`}</code>{' '}
              <span className="note faint">{required ? 'required' : 'optional'}</span>
              <p className="quiet">{says}</p>
            </li>
          ))}
        </ul>
        <p className="note faint">
          Write a literal brace twice: <code>{'{{'}</code> or <code>{'}}'}</code>.
        </p>
      </Section>
      {schema.keyPhrases.length > 0 && (
        <Section title="Required words" count={schema.keyPhrases.length}>
          <ul className={styles.promptSchema}>
            {schema.keyPhrases.map((phrase) => (
              <li key={phrase} className={styles.promptPhrase}>
                <Status
                  tone={dropped(phrase) ? 'failed' : 'grey'}
                  icon={dropped(phrase) ? CircleX : Check}
                  markOnly
                >
                  {dropped(phrase) ? 'Missing' : 'Present'}
                </Status>
                <span className="reads">{phrase}</span>
              </li>
            ))}
          </ul>
        </Section>
      )}
      <Section title="File">
        <Facts
          facts={[
            { name: 'Length', value: `${text.length} of ${schema.maxLength} characters` },
            { name: 'Must exist', value: schema.requiredFile ? 'yes' : 'no' },
            { name: 'SHA-256', value: <span className="mono">{hash.slice(0, 12)}</span> },
          ]}
        />
      </Section>
    </aside>
  );
}
