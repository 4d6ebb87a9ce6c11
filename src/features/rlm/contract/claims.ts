/** What a second model says of a claim of the answer. */
export const claimVerdicts = ['supported', 'unsupported', 'contradicted', 'unclear'] as const;

/** What may lessen a claim about source code: where it comes from, and whether the language is meant to be used so. */
export const claimFlags = ['comment_derived', 'test_code', 'standard_idiom'] as const;
