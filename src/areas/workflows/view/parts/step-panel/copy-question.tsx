import { Button } from '@renderer/ui/controls/button';
import { Question } from '@renderer/ui/controls/dialog';

interface CopyProps {
  readonly paths: readonly string[];
  readonly onCopy: () => void;
  readonly onClose: () => void;
}

/** Asks whether files from outside the project are copied into it. */
export function CopyQuestion({ paths, onCopy, onClose }: CopyProps) {
  return (
    <Question
      title={paths.length === 1 ? 'Copy the file into the project?' : 'Copy the files into the project?'}
      onClose={onClose}
      footer={
        <>
          <Button onClick={onClose}>Cancel</Button>
          <Button tone="primary" onClick={onCopy}>
            Copy and attach
          </Button>
        </>
      }
    >
      <p className="quiet">
        A step can attach files of its project only. The copy goes into .muster/attachments.
      </p>
      <ul>
        {paths.map((path) => (
          <li key={path} className="mono">
            {path}
          </li>
        ))}
      </ul>
    </Question>
  );
}
