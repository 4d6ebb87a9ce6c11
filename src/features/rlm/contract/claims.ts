/** A second model's verdicts on a claim of the answer. */
export const claimVerdicts = ['supported', 'unsupported', 'contradicted', 'unclear'] as const;

/**
 * What may weaken a claim about source code: its source, and whether the language is meant to be used that
 * way.
 */
export const claimFlags = ['comment_derived', 'test_code', 'standard_idiom'] as const;
