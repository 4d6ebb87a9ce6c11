import { useQuery } from '@renderer/client/hooks';
import { hashOf, navigate, setQuery } from '@renderer/client/route';
import { ActButton } from '@renderer/parts/controls/act';
import { Button } from '@renderer/ui/controls/button';
import { Select, TextInput } from '@renderer/ui/controls/field';
import { CheckCheck, X } from 'lucide-react';
import { type Update, updateResultSchema } from '../contract/update';

const RESULTS: readonly Update['result'][] = updateResultSchema.options;

interface FeedHeadProps {
  readonly query: Readonly<Record<string, string>>;
  readonly runName: string | undefined;
  readonly from: number | undefined;
  readonly unread: number;
}

/** The filters of the feed. */
export function FeedHead({ query, runName, from, unread }: FeedHeadProps) {
  return (
    <header className="pane-head">
      <TextInput
        type="search"
        aria-label="Search the updates"
        placeholder="Search the updates"
        value={query.q ?? ''}
        onChange={(event) => setQuery({ q: event.target.value })}
      />
      <Select
        aria-label="Result"
        value={query.result ?? ''}
        onChange={(event) => setQuery({ result: event.target.value })}
      >
        <option value="">All results</option>
        {RESULTS.map((result) => (
          <option key={result} value={result}>
            {result}
          </option>
        ))}
      </Select>
      <Sources query={query} />
      {from !== undefined && (
        <Button icon={X} onClick={() => navigate(hashOf('feed'))} tip="Go to the newest">
          Around one update
        </Button>
      )}
      {query.run && (
        <Button icon={X} onClick={() => setQuery({ run: '' })} tip="Show the updates of all runs">
          Only {runName ?? `run ${query.run}`}
        </Button>
      )}
      <span className="grow" />
      {unread > 0 && (
        <ActButton action="feed.read" icon={CheckCheck}>
          Mark all read
        </ActButton>
      )}
    </header>
  );
}

/** Agents and steps that send updates, in one choice. */
function Sources({ query }: { query: Readonly<Record<string, string>> }) {
  const { value } = useQuery('feed.sources', {});
  const chosen = query.agent ? `agent:${query.agent}` : query.step ? `step:${query.step}` : '';
  const names = (of: 'agents' | 'steps', own: string | undefined): readonly string[] => {
    const known = value?.[of] ?? [];
    return own && !known.includes(own) ? [own, ...known] : known;
  };
  const groups = [
    { kind: 'agent', label: 'Agents', names: names('agents', query.agent) },
    { kind: 'step', label: 'Steps', names: names('steps', query.step) },
  ];
  return (
    <Select
      aria-label="Agent or step"
      value={chosen}
      onChange={(event) => {
        const [kind = '', ...name] = event.target.value.split(':');
        setQuery({ agent: '', step: '', [kind || 'step']: name.join(':') });
      }}
    >
      <option value="">All agents and steps</option>
      {groups
        .filter((group) => group.names.length > 0)
        .map((group) => (
          <optgroup key={group.kind} label={group.label}>
            {group.names.map((name) => (
              <option key={name} value={`${group.kind}:${name}`}>
                {name}
              </option>
            ))}
          </optgroup>
        ))}
    </Select>
  );
}
