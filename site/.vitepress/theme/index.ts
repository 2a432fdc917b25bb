import type { Theme } from 'vitepress';
// Without the font files of the default theme: the example server serves texts only.
import DefaultTheme from 'vitepress/theme-without-fonts';
import { h } from 'vue';
import chart from '../../../docs/images/chart-light.png';
import '../../style.css';

const alt =
  "A patient's chart in the browser: the care team, goals on a line of time, orders and immunizations.";

/** The colours and fonts are those of the chart, which the first page shows beside its words. */
export default {
  extends: DefaultTheme,
  Layout: () =>
    h(DefaultTheme.Layout, null, {
      'home-hero-image': () => h('img', { src: chart, alt, style: 'border-radius: 8px' }),
    }),
} satisfies Theme;
