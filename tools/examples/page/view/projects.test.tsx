import { renderToStaticMarkup } from 'react-dom/server';
import { expect, test } from 'vitest';
import { ProjectList } from './project-list';

test('the page draws a line for each project', () => {
  const drawn = renderToStaticMarkup(<ProjectList projects={[{ name: 'muster', path: '/src/muster' }]} />);
  expect(drawn).toContain('<li>muster: /src/muster</li>');
});
