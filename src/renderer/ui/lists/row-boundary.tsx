import { Component, type ReactNode } from 'react';
import { Button } from '../controls/button';
import { Question } from '../controls/dialog';
import styles from './row-boundary.module.css';

interface Props<Row> {
  readonly row: Row;
  readonly draw: (row: Row) => ReactNode;
}

interface State {
  /** Why the row could not be drawn. */
  readonly failed: string | null;
  readonly open: boolean;
}

/** A row that cannot be drawn says so, and can be read as text; the other rows of its list are drawn. */
export class RowBoundary<Row> extends Component<Props<Row>, State> {
  override state: State = { failed: null, open: false };

  static getDerivedStateFromError(cause: unknown) {
    return { failed: messageOf(cause) };
  }

  override componentDidUpdate(before: Props<Row>) {
    if (this.state.failed === null || before.row === this.props.row) return;
    // Lists make their rows again for each change of any of them; that must not close what is being read.
    if (textOf(before.row) !== textOf(this.props.row)) this.setState({ failed: null, open: false });
  }

  override render() {
    const { failed, open } = this.state;
    if (failed === null) return <Drawn {...this.props} />;
    const show = (shown: boolean) => this.setState({ open: shown });
    return (
      <div className={styles.broken}>
        <span className="cut">This entry cannot be shown: {failed}.</span>
        <Button tone="ghost" onClick={() => show(true)}>
          Show as text
        </Button>
        {open && (
          <Question
            title="Entry as text"
            onClose={() => show(false)}
            footer={<Button onClick={() => show(false)}>Close</Button>}
          >
            <pre className={styles.text}>{textOf(this.props.row)}</pre>
          </Question>
        )}
      </div>
    );
  }
}

/** A component of its own, so that an error of `draw` itself reaches the boundary too. */
function Drawn<Row>({ row, draw }: Props<Row>) {
  return draw(row);
}

const messageOf = (cause: unknown): string => (cause instanceof Error ? cause.message : String(cause));

function textOf(row: unknown): string {
  try {
    return JSON.stringify(row, null, 2);
  } catch (cause) {
    return messageOf(cause);
  }
}
