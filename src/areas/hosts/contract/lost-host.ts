/** A host whose connection broke at `since` while a run has work there, which continues. */
export interface LostHost {
  readonly host: string;
  readonly since: number;
}
