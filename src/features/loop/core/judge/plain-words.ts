import { lazily } from '@contract/lazy-value';

/*
 * Recognises a worker's result in its own words if there is no `Result:` line (judge.ts, rules 8 and 9). Each
 * pattern covers one phrasing; plain-words.test.ts has sentences of each kind and harmless ones that must not
 * match. A pattern needs the worker or its work as subject, or an imperative request: what a feature does, or
 * what used to be so, says nothing about this attempt.
 */

const ADVERB =
  '(?:(?:again|also|completely|currently|entirely|fully|hence|now|really|still|therefore|thus|totally) ){0,2}';
const WORK = '(?:(?:this|the|my|further) (?:story|task|work|progress|iteration)|progress|work)';
const HUMAN = '(?:you|the user|the operator|the maintainer|a human|someone|somebody)';
const START = '^[\\s>*_#\\-\\d.)]*';
const GO_ON = '(?:proceed|continue|go on|go any further)';
const HELP =
  '(?:input|decision|answer|approval|confirmation|help|guidance|clarification|feedback|instructions|permission|access|credentials)';

const of = (...sources: string[]): readonly RegExp[] => sources.map((source) => new RegExp(source, 'i'));
/** Story ids are in capitals. */
const ofStory = (rest: string): RegExp => new RegExp(`\\b[A-Z][A-Z0-9]*-\\d+ ${rest}`);

/** The worker cannot continue without someone. */
const stuck = lazily((): readonly RegExp[] => [
  ...of(
    // "I am blocked", "we are still stuck"
    `\\b(?:i am|i'm|we are|we're|i remain|we remain) ${ADVERB}(?:blocked|stuck)\\b(?! no)`,
    // "I cannot proceed", "we are unable to continue", "Cannot proceed without network access"
    `\\b(?:i|we) ${ADVERB}(?:cannot|can't|can not|am unable to|are unable to) ${GO_ON}\\b`,
    `${START}(?:cannot|can't|can not|unable to) ${GO_ON}\\b`,
    // "The story is blocked by US-001", "progress is blocked until the token is renewed"
    `\\b${WORK} (?:is|remains) ${ADVERB}(?:blocked|stuck)\\b(?! no)`,
    // "The work cannot continue until someone grants access"
    `\\b${WORK} (?:cannot|can't|can not) (?:proceed|continue|go on|be (?:completed|finished|done)(?= (?:without|until)))`,
    // "Blocked on missing credentials"
    `${START}(?:blocked|stuck) (?:on|by|until|because|due to|waiting)\\b`,
    // "I need your decision", "we need user input to proceed"
    `\\b(?:i|we) (?:still )?(?:need|require) (?:your|the user's|the operator's) ${HELP}\\b`,
    `\\b(?:i|we) (?:still )?(?:need|require) user (?:input|decision|answer|approval|help|guidance|clarification)(?= (?:about|before|for|here|on|regarding|to|which|whether)\\b|\\s*[.,:!?]|\\s*$)`,
    // "I need access to the database", "I need you to run the migration"
    `\\b(?:i|we) (?:still )?(?:need|require) (?:access|credentials|permissions?|(?:an? |the )?(?:decision|api key|password|login)|more (?:information|details)|you to|someone to)\\b`,
    // "This requires a decision from you"
    `\\b(?:requires|needs|calls for) (?:an? |the )?${HELP} (?:from|by|of) ${HUMAN}\\b`,
    // "A human needs to decide"
    `\\b(?:the user|the operator|the maintainer|a human|someone|somebody) (?:needs to|has to|must) (?:decide|approve|confirm|grant|provide|choose|clarify)\\b`,
    // "I don't have permission to install packages"
    `\\b(?:i|we) (?:do not|don't) have (?:the )?(?:necessary )?(?:permissions?|access|credentials|rights?)\\b`,
    // "Waiting for your approval", "I am waiting for credentials", "Awaiting your decision"
    `(?:${START}|\\b(?:i am|i'm|we are|we're) )(?:still |currently |now )?(?:waiting (?:for|on)|awaiting) (?:${HUMAN}\\b|your\\b|the (?:user|operator)'s\\b|(?:an? |the |user |human )?${HELP}\\b)`,
    // "Please confirm that I may delete it", "Please provide the API key"
    `${START}(?:so |and |then )?please (?:provide|confirm|clarify|decide|tell me|let me know (?:which|whether)|advise|grant|choose|supply|specify|send me|give me)\\b`,
    // "This needs a human decision", "the schema requires manual approval"
    `\\b(?:this|it|that|the (?:story|task|work|change|next step)) (?:needs|requires|calls for) (?:an? |the )?(?:human|manual|operator|operator's|maintainer's|user's|your) ${HELP}\\b`,
    `${START}(?:needs|requires) (?:an? )?(?:human|manual|operator) ${HELP}\\b`,
    // "The story is waiting on you to approve the new dependency", "it depends on your decision"
    `\\b(?:${WORK}|this|it) (?:is|remains) ${ADVERB}(?:waiting (?:for|on)|awaiting|pending) (?:${HUMAN}\\b|your\\b|(?:an? |the |user |human )?${HELP}\\b)`,
    `\\b(?:${WORK}|this|it) depends on (?:your|the operator's|the user's) ${HELP}\\b`,
    // "Giving up: the migration does not apply", "Stopping here, because the token has expired"
    `${START}(?:i am |i'm |we are )?giving up\\b`,
    `${START}(?:i am |i'm |i have |i've )?stopp(?:ing|ed) here\\b(?=\\s*[:,.;\\u2013\\u2014-]|\\s+(?:because|since|until|as)\\b)`,
    // "There is no way to continue without the key", "No further progress is possible"
    `\\b(?:there is|i see) no way (?:for me )?to ${GO_ON}\\b`,
    `\\bno (?:further |more )?progress is possible\\b`,
    // "I do not know which database to use"
    `\\bi (?:do not|don't) know (?:which|whether|what) \\b[^.?]*\\b(?:you want|to use|is meant|is wanted|is right)\\b`,
    // "I will wait for your answer", "over to you: which table?"
    `\\bi(?:'ll| will) wait (?:for|until) (?:${HUMAN}|your)\\b`,
    // "Someone with access must rotate the key"
    `\\bsomeone (?:with|who has) [^.]{1,60}? (?:must|needs to|has to)\\b`,
    // "Let me know which option you prefer"
    `${START}(?:let me know|tell me) (?:which|whether)\\b`,
  ),
  ofStory(`(?:is|remains) ${ADVERB}(?:blocked|stuck)\\b(?! no)`),
  ofStory(
    `(?:is|remains) ${ADVERB}(?:waiting (?:for|on)|awaiting|pending) (?:${HUMAN}\\b|your\\b|(?:an? |the |user |human )?${HELP}\\b)`,
  ),
  ofStory(`(?:needs|requires) (?:an? |the )?(?:human|manual|operator|your) ${HELP}\\b`),
]);

/** A question that only the operator can answer; an offer of further work does not count. */
const questions = lazily(() =>
  of(
    `${START}which\\b[^?]*\\b(?:do you|would you|should i|should we|shall i|you want|you prefer)\\b[^?]*\\?$`,
    `${START}(?:how|where|what|who) (?:should (?:i|we)|shall (?:i|we)|do you want|would you like)\\b[^?]*\\?$`,
    `${START}(?:should|shall|may) (?:i|we)\\b[^?]*\\?$`,
    `${START}(?:can|could|would) you (?:please )?(?:tell|confirm|clarify|provide|decide|grant|let me know|share|give|send)\\b[^?]*\\?$`,
  ),
);
const OFFER = /\b(?:also|next|as well|too|anything else|further|start(?:ing)? (?:on|with)|continue with)\b/i;

const TRACEBACK = /^\s*Traceback \(most recent call last\)/im;
const CHECK = '(?:typecheck|type check|tests?|build|lint|linter|checks?|suite)';
const PART = '(?:story|task|work|implementation|feature|migration|change)';
const NOT_DONE =
  '(?:not (?:yet )?(?:finished|complete|completed|done)|incomplete|unfinished|only (?:partially|partly|half) (?:done|implemented|finished|complete))\\b';

/** This attempt's work is not finished. "0 failed" does not count. */
const unfinished = lazily((): readonly RegExp[] => [
  ...of(
    // "I could not finish", "I was not able to get the build to pass"
    `\\b(?:i|we) (?:could not|couldn't|was unable to|were unable to|am unable to|are unable to|was not able to|wasn't able to|were not able to|am not able to|did not manage to|failed to) (?:\\w+ ){0,2}?(?:complete|finish|implement|make|get|fix|resolve)\\b`,
    // "I did not finish the form", "I haven't completed the story"
    `\\b(?:i|we) (?:did not|didn't|have not|haven't|had not) (?:yet )?(?:finish|finished|complete|completed)\\b`,
    // "The tests still fail", "two tests are failing", "the build is broken"
    `\\b${CHECK} (?:still|is still|are still) (?:fail|fails|failing|broken|red)\\b`,
    `\\b${CHECK} (?:is|are) (?:currently )?(?:failing|broken|red)\\b`,
    // "The typecheck does not pass yet"
    `\\b${CHECK} (?:does not|doesn't|do not|don't) (?:yet )?(?:pass|compile|succeed)\\b(?! (?:without|unless|if|when))`,
    // "There are still type errors"
    `\\bthere (?:is|are) still (?:\\w+ ){0,2}?(?:errors?|failures?|failing tests?)\\b`,
    // "The story is not finished", "the implementation is incomplete", "it is only partially done"
    `\\b(?:this|the|my) ${PART} (?:is|remains|was) ${ADVERB}${NOT_DONE}`,
    `${START}(?:this|it) is ${ADVERB}${NOT_DONE}`,
    `${START}not (?:done|finished|completed?)(?: yet)?\\s*[:.]`,
    `(?:${START}|\\b(?:this|the) (?:story|task) (?:is|was) )unable to (?:be )?complete`,
    // "I ran out of time", "I gave up", "I had to stop before"
    `\\b(?:i|we) (?:ran|have run) out of (?:time|budget|tokens|context)\\b`,
    `\\b(?:i|we) (?:gave up|have given up|had to give up)\\b`,
    `\\b(?:i|we) (?:had to stop|stopped) before\\b`,
    // "I left the story unfinished"
    `\\b(?:i|we) (?:left|leave) (?:the|this|it) (?:\\w+ )?(?:unfinished|incomplete|half[- ]done)\\b`,
    // "Work remains", "more work is needed"
    `${START}(?:some |more |much )?work (?:still )?(?:remains|is (?:still )?(?:needed|left|required))\\b`,
    // "The remaining criteria are not met"
    `\\b(?:criteria|criterion|requirements?) (?:is|are) (?:still )?(?:not (?:yet )?met|unmet)\\b`,
  ),
  ofStory(`(?:is|remains) ${ADVERB}${NOT_DONE}`),
]);

/** Words of a condition, or a negation of what follows. */
const UNREAL: readonly RegExp[] = [
  /^[\s>*_#-]*(?:if|unless|in case)\b/i,
  /\b(?:after|before|if|once|unless|until|when|whenever|where|whether)\s+(?:the )?$/i,
  /(?:\bnot|n't|\bnever) (?:believe|feel|mean|say|think)(?: that)? $/i,
  /\b(?:none of|no|0|zero)\s+(?:\w+ )?$/i,
];
/** An initial state is mentioned because it has changed. */
const AT_FIRST = /\b(?:at first|initially|originally|previously|earlier)\b/i;
const NO_LONGER = /\bno longer\b/i;

const BLOCKED_LINE = /^[\s>*_#-]*blocked[*_]*\s*:[\s*_]*(.*)$/i;
const NOTHING = /^(?:none|no|nothing|nobody|not at all|not blocked|false|0|n\/a|-)[\s.!]*$/i;

/** Clauses, without quoted text. */
const sentencesOf = (text: string): string[] =>
  text
    .replaceAll('\u2019', "'")
    .replace(/`[^`\n]*`|"[^"\n]*"|\u201c[^\u201d\n]*\u201d/g, '…')
    .split(/\n|;|(?<=[.!?])\s+/);

const says = (sentence: string, patterns: readonly RegExp[]): boolean =>
  !AT_FIRST.test(sentence) &&
  !NO_LONGER.test(sentence) &&
  patterns.some((pattern) => {
    const found = pattern.exec(sentence);
    if (found === null) return false;
    const before = sentence.slice(0, found.index);
    return !UNREAL.some((unreal) => unreal.test(before));
  });

const asks = (sentence: string): boolean => !OFFER.test(sentence) && says(sentence.trimEnd(), questions());

const isBlockedLine = (line: string): boolean => {
  const rest = BLOCKED_LINE.exec(line)?.[1];
  return rest !== undefined && !NOTHING.test(rest);
};

/** Whether the worker says that it cannot continue without someone; the subject is itself or its work. */
export const saysStuck = (text: string): boolean =>
  text.split('\n').some(isBlockedLine) ||
  sentencesOf(text).some((sentence) => says(sentence, stuck()) || asks(sentence));

/** Whether the worker says that the work is not finished. */
export const saysUnfinished = (text: string): boolean =>
  TRACEBACK.test(text) ||
  sentencesOf(text).some((sentence) => !/\buntil\b/i.test(sentence) && says(sentence, unfinished()));
