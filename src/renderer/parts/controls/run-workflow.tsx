import { hashOf, navigate } from '../../client/route';
import { Button } from '../../ui/controls/button';

/** The act that fills an empty view of what runs make. */
export const RunWorkflow = () => (
  <Button tone="primary" onClick={() => navigate(hashOf('workflows'))}>
    Run a workflow
  </Button>
);
