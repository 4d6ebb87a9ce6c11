/** Why something in a project was not read, and the remedy. */
export interface Trouble {
  readonly trouble: string;
  readonly mend: string;
}
