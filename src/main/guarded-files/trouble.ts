/** Why something in a project is not read, and how to mend that. */
export interface Trouble {
  readonly trouble: string;
  readonly mend: string;
}
