// Without the font files of the default theme: the example server serves texts only.
export { default } from 'vitepress/theme-without-fonts';
