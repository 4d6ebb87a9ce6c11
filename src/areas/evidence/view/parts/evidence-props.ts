import type { DiffReview } from '@areas/changes/view/parts/desk/use-desk';

/** The props of every evidence renderer. */
export interface EvidenceProps {
  readonly text: string;
  /** Its name for screen readers. */
  readonly label: string;
  /** Collects comments on a diff during its review. */
  readonly review?: DiffReview | null;
}
