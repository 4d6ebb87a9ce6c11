import type { DiffReview } from '../diff/diff-files';

/** What every renderer of evidence is given. */
export interface EvidenceProps {
  readonly text: string;
  /** Its name for screen readers. */
  readonly label: string;
  /** Where comments on a diff are collected while it is decided on. */
  readonly review?: DiffReview | null;
}
