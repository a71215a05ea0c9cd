export { chromiumPath, newPage, startChromium } from '../../../tools/browser/chromium.ts';
