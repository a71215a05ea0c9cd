import type { Link } from '../core/link/link.ts';
import type { Refusal } from '../core/visit/refusal.ts';
import { type Html, html } from './html.ts';
import { type Look, type Page, page } from './page-layout.ts';
import { wordingIn } from './wording/languages.ts';

/** A page with a title and a sentence. */
export function messagePage(what: Refusal, look: Look): Page {
  const [title, sentence] = wordingIn(look.language).refusals[what];
  return page({ look, title, body: html`<h1>${title}</h1><p>${sentence}</p>` });
}

/** The refusals that show a password form. */
export const passwordRefusals = ['password_required', 'password_wrong', 'cross_site_password', 'too_many_attempts'] as const;
type PasswordRefusal = (typeof passwordRefusals)[number];

/** A password form, which is sent to the requested address. */
export function passwordPage(what: PasswordRefusal, look: Look): Page {
  const { refusals, labels } = wordingIn(look.language);
  const [title, sentence] = refusals[what];
  return page({
    look,
    title,
    body: html`<h1>${title}</h1>
<p id="why">${sentence}</p>
<form method="post">
<label for="password">${labels.password}</label>
<input id="password" name="password" type="password" maxlength="512" autocomplete="off" required autofocus aria-describedby="why">
<button>${labels.open}</button>
</form>`,
  });
}

/**
 * How long the button is ignored after it was pressed, in milliseconds: longer than the response and the destination
 * take. Then it works again, because the page also stays if the destination is a download, or if the visitor stops
 * loading.
 */
const pressedFor = 30_000;

/**
 * Ignores further presses of the button. Otherwise, the second press of a double click would drop the response to the
 * first, which may have used up the link. The button stays enabled, because a disabled button is not sent, and loses
 * the focus. A page from the browser's back/forward cache starts again.
 */
const oncePressedScript = `
let isPressed = false;
const renew = () => { isPressed = false };
document.querySelector('form').addEventListener('submit', (event) => {
  if (isPressed) return event.preventDefault();
  isPressed = true;
  setTimeout(renew, ${pressedFor});
});
addEventListener('pageshow', renew);`;

/**
 * A button that confirms the visit: a form, so that it works without scripts. It is sent to the requested address. The
 * page's policy has no `form-action`, because browsers apply that to the redirect after the form, too.
 */
export function confirmPage([title, sentence]: readonly [title: string, sentence: string], look: Look): Page {
  return page({
    look,
    title,
    body: html`<h1>${title}</h1>
<form method="post">
<p id="why">${sentence}</p>
<button name="confirm" value="1" autofocus aria-describedby="why">${wordingIn(look.language).labels.open}</button>
</form>`,
    script: oncePressedScript,
  });
}

const meta = (attribute: 'name' | 'property', name: string, content: string | null): Html =>
  content === null ? html`` : html`<meta ${{ html: attribute }}="${name}" content="${content}">\n`;

/** A page for crawlers: the link's title, description and image, but not its destination. */
export function cardPage({ title, description, image }: Link, shortUrl: string, { language }: Look): Page {
  return page({
    // Crawlers need no logo.
    look: { language },
    title: title ?? shortUrl,
    head: html`${meta('property', 'og:type', 'website')}${meta('property', 'og:url', shortUrl)}${meta('property', 'og:title', title)}${meta('property', 'og:description', description)}${meta('property', 'og:image', image)}${meta('name', 'description', description)}${meta('name', 'twitter:card', image === null ? 'summary' : 'summary_large_image')}${meta('name', 'twitter:title', title)}${meta('name', 'twitter:description', description)}${meta('name', 'twitter:image', image)}`,
    body: html`<h1>${title ?? shortUrl}</h1><p>${description ?? ''}</p>`,
  });
}

/**
 * Adds the fragment of the page's address to an address in the page that has none, as browsers do when they follow a
 * redirect (RFC 9110, section 10.2.2). The fragment never reaches the service. Without scripts, it is lost.
 *
 * @param element a script's expression for the element that has the address.
 */
const fragmentScript = (element: string, attribute: 'href' | 'src'): string => `
const on = ${element};
const there = on.${attribute};
const keepFragment = () => {
  const next = there.includes('#') ? there : there + location.hash;
  if (on.${attribute} !== next) on.${attribute} = next;
};
keepFragment();
addEventListener('hashchange', keepFragment);`;

/** The preview of a link: the hosts to which it may lead. */
export function previewPage({ title, shortCode }: Link, hosts: string, createdOn: string, look: Look): Page {
  const { labels } = wordingIn(look.language);
  return page({
    look,
    title: labels.leadsTo(hosts),
    body: html`<h1>${labels.leadsTo(hosts)}</h1>
${title === null ? html`` : html`<p>${title}</p>`}
<p>${labels.created(createdOn)}</p>
<p><a href="/${shortCode}">${labels.open}</a></p>`,
    script: fragmentScript("document.querySelector('a')", 'href'),
  });
}

/**
 * Everything that a destination may do in its own window, except navigating the whole window without a click. Allowing
 * both scripts and the same origin is safe: the destination's origin is never the page's, because short domains are
 * refused as destinations.
 *
 * @see https://html.spec.whatwg.org/multipage/iframe-embed-object.html#attr-iframe-sandbox
 */
const sandbox = [
  'allow-downloads',
  'allow-forms',
  'allow-modals',
  'allow-orientation-lock',
  'allow-pointer-lock',
  'allow-popups',
  'allow-popups-to-escape-sandbox',
  'allow-presentation',
  'allow-same-origin',
  'allow-scripts',
  'allow-storage-access-by-user-activation',
  'allow-top-navigation-by-user-activation',
].join(' ');

/**
 * Creates the frame from the `noscript` element, with the fragment added before it loads. A frame whose address changes
 * while it loads would request the destination twice.
 */
const frameScript = `
const unscripted = document.querySelector('noscript').textContent;${fragmentScript("new DOMParser().parseFromString(unscripted, 'text/html').querySelector('iframe')", 'src')}
document.querySelector('main').append(on);`;

/**
 * The destination in a frame that fills the page, under the link's title. Only the destination's origin can be framed.
 */
export function framePage({ title, description, domain, hideReferrer }: Link, location: string, { language }: Look): Page {
  return page({
    // The page shows nothing of ours.
    look: { language },
    title: title ?? domain,
    head: meta('name', 'description', description),
    style: `html, body, main, iframe { margin: 0; border: 0; width: 100%; height: 100%; display: block }
h1 { position: absolute; width: 1px; height: 1px; margin: -1px; overflow: hidden; clip-path: inset(50%) }`,
    // The hidden heading is for screen readers.
    body: html`<h1>${title ?? domain}</h1><noscript><iframe src="${location}" title="${title ?? domain}" allow="fullscreen" sandbox="${sandbox}"></iframe></noscript>`,
    script: frameScript,
    // Some destinations check who frames them. YouTube plays nothing without a referrer.
    referrerPolicy: hideReferrer ? 'no-referrer' : 'strict-origin-when-cross-origin',
    sources: { 'frame-src': new URL(location).origin },
  });
}

/** How long pixels may delay a visitor, in milliseconds. */
const longestWait = 1_000;

/**
 * Continues to the destination once all pixels have fired, and after a second in any case. It reads its values from the
 * page, so that no value of a link becomes part of a script.
 */
const goOnScript = `${fragmentScript("document.querySelector('a')", 'href')}
const { meta, google } = on.dataset;
let waiting = 1;
let gone = false;
const goOn = () => { if (!gone) { gone = true; location.replace(on.href) } };
const fired = () => { if (--waiting === 0) goOn() };
setTimeout(goOn, ${longestWait});
if (meta) {
  waiting++;
  const pixel = new Image();
  pixel.onload = pixel.onerror = fired;
  pixel.src = 'https://www.facebook.com/tr?id=' + meta + '&ev=PageView&noscript=1';
}
if (google) {
  waiting++;
  window.dataLayer = [];
  const gtag = function () { dataLayer.push(arguments) };
  gtag('js', new Date());
  gtag('config', google, { send_page_view: false });
  gtag('event', 'page_view', { send_to: google, event_callback: fired });
  const tag = document.createElement('script');
  tag.onerror = fired;
  tag.src = 'https://www.googletagmanager.com/gtag/js?id=' + google;
  tag.nonce = document.currentScript.nonce;
  document.head.append(tag);
}
fired();`;

/**
 * Fires the link's pixels and continues to the destination.
 *
 * @see https://developers.facebook.com/docs/meta-pixel/implementation/marketing-api (the image),
 *   https://developers.google.com/tag-platform/security/guides/csp (the sources)
 */
export function pixelsPage(link: Link, location: string, look: Look): Page {
  const { title, domain, metaPixelId, googleTagId, hideReferrer } = link;
  const { labels } = wordingIn(look.language);
  const google = 'https://*.google-analytics.com https://*.analytics.google.com https://*.googletagmanager.com';
  const images = [metaPixelId === null ? '' : 'https://www.facebook.com', googleTagId === null ? '' : google].join(' ').trim();
  return page({
    look,
    title: title ?? domain,
    body: html`<h1>${labels.goingOn}</h1>
<p><a href="${location}" data-meta="${metaPixelId ?? ''}" data-google="${googleTagId ?? ''}">${labels.goOn}</a></p>`,
    script: goOnScript,
    // The pixels' services show the domain that the referrer names.
    referrerPolicy: hideReferrer ? 'no-referrer' : 'strict-origin-when-cross-origin',
    sources: {
      'img-src': images,
      ...(googleTagId !== null && { 'connect-src': google, 'script-src': 'https://*.googletagmanager.com' }),
    },
  });
}
