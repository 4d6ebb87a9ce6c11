/** A change of what runs decide gets the next number. A run keeps the rules under which it began. */
export type RunRules = 1 | 2 | 3 | 4;

/** The rules of new runs. */
export const NEWEST_RULES = 4;

/** From these rules on a skip is committed as soon as it is certain, and its dependents react to it. */
export const hasEarlySkips = ({ rules = 1 }: { readonly rules?: RunRules | undefined }): boolean =>
  rules >= 3;

/** From these rules on the end of a run says how many passes, items or variants of a step failed. */
export const countsFailedScopes = ({ rules = 1 }: { readonly rules?: RunRules | undefined }): boolean =>
  rules >= 4;

/** From these rules on the question about unapproved work offers to accept it by that name. */
export const namesUnapprovedWork = ({ rules = 1 }: { readonly rules?: RunRules | undefined }): boolean =>
  rules >= 4;
