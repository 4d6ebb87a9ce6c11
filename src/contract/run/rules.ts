/** Each change of how runs decide gets the next number. A run keeps the rules it started with. */
export type RunRules = 1 | 2 | 3 | 4 | 5 | 6;

/** The rules of new runs. */
export const NEWEST_RULES = 6;

/** From these rules on, a skip is committed as soon as it is certain, and dependent steps react to it. */
export const hasEarlySkips = ({ rules = 1 }: { readonly rules?: RunRules | undefined }): boolean =>
  rules >= 3;

/** From these rules on, a run's end says how many passes, items or variants of a step failed. */
export const countsFailedScopes = ({ rules = 1 }: { readonly rules?: RunRules | undefined }): boolean =>
  rules >= 4;

/** From these rules on, the question about unapproved work offers to accept it under that name. */
export const namesUnapprovedWork = ({ rules = 1 }: { readonly rules?: RunRules | undefined }): boolean =>
  rules >= 4;

/** From these rules on, an interactive loop asks after its last pass too, instead of ending by itself. */
export const asksAfterLastPass = ({ rules = 1 }: { readonly rules?: RunRules | undefined }): boolean =>
  rules >= 5;

/** From these rules on, a loop's worker that changed nothing and states no result is asked for it once. */
export const asksForResult = ({ rules = 1 }: { readonly rules?: RunRules | undefined }): boolean =>
  rules >= 6;
