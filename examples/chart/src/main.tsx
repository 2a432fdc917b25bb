import { render } from 'preact';
import { App } from './views/app.tsx';

const root = document.querySelector('#chart');
// What the page shows until the script runs gives way.
root?.replaceChildren();
if (root !== null) render(<App />, root);
