import { StartPage } from '@areas/projects/view/parts/start-page';
import { FileSearch } from 'lucide-react';
import { QuestionForm } from './question-form';

interface QuestionStartProps {
  /** The id of the project in the address. */
  readonly wanted: string | null;
  readonly first: boolean;
}

/** Starts a question over documents. */
export function QuestionStart({ wanted, first }: QuestionStartProps) {
  return (
    <StartPage
      label="Ask a question"
      icon={FileSearch}
      title={first ? 'No questions yet' : 'Ask a question'}
      about="A model searches documents too large to read at once. It writes Python, which runs in a sandbox, and asks another model about parts of them. You see every step."
      wanted={wanted === null ? null : Number(wanted)}
    >
      {({ id }) => <QuestionForm key={id} projectId={id} />}
    </StartPage>
  );
}
