/** What every renderer of evidence is given. */
export interface EvidenceProps {
  readonly text: string;
  /** Its name for screen readers. */
  readonly label: string;
}
