import type { Issue } from '../contract/forge';
import { COMMENT_PROMPT_CHARS, ISSUE_PROMPT_CHARS } from '../contract/limits';
import { oneLine, visibleText } from '../contract/untrusted';

const MOST_COMMENTS = 200;
const TITLE_CHARS = 250;
const NAME_CHARS = 60;

/**
 * An issue as a person reads it: without what the forge's own readers do not see, and no longer than can be
 * read. A text that is cut says so in its end.
 */
export function shownIssue(issue: Issue): Issue {
  const { discussion } = issue;
  return {
    ...issue,
    title: oneLine(issue.title, TITLE_CHARS),
    author: oneLine(issue.author, NAME_CHARS),
    labels: issue.labels.map((label) => oneLine(label, NAME_CHARS)),
    body: visibleText(issue.body, ISSUE_PROMPT_CHARS),
    discussion: discussion.slice(-MOST_COMMENTS).map((comment) => ({
      ...comment,
      author: oneLine(comment.author, NAME_CHARS),
      body: visibleText(comment.body, COMMENT_PROMPT_CHARS),
    })),
    moreComments: issue.moreComments || discussion.length > MOST_COMMENTS,
  };
}
