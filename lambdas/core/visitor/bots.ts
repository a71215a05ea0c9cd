import { isbot } from 'isbot';

/** Who visits a short link. Only visits by a `person`, which includes people's programs, are counted. */
export type Visitor = 'person' | 'bot' | 'crawler';

/**
 * Crawlers that fetch a link to show a card in a chat or a post: those of Slack, Facebook (Apple's Messages identifies
 * itself as Facebook), X, LinkedIn, WhatsApp, Telegram, Discord, Skype and Teams, Pinterest, Reddit, Mastodon, Bluesky
 * and Viber, and of services that do so for others.
 *
 * WhatsApp and Viber match only at the start: the browsers inside these apps have the same names, but at the end.
 * WhatsApp's desktop app says Electron (https://github.com/allinurl/goaccess/issues/808).
 */
const crawlers =
  /Slackbot-LinkExpanding|Slack-ImgProxy|facebookexternalhit|facebookcatalog|meta-externalfetcher|Facebot|Twitterbot|LinkedInBot|^WhatsApp\/|WhatsApp\/.*Electron\/|TelegramBot|Discordbot|SkypeUriPreview|MicrosoftPreview|Pinterestbot|redditbot|Mastodon\/|Bluesky Cardyb|^Viber\/|Iframely|Embedly|vkShare|Snap URL Preview|Google-PageRenderer|Synapse\/|Mattermost-Bot/i;

/**
 * Programs that act for whoever runs them: command lines and HTTP libraries with their default names. `isbot`
 * classifies them as bots; here they are visitors, unless they call themselves a bot, a crawler or a spider.
 */
export const programs =
  /^(?!.*(?:bot|crawl|spider))(?:curl|libcurl|wget2?|httpie|xh|aria2|powershell|python-requests|python-urllib3?|python-httpx|python|aiohttp|httpx|go-http-client|go-resty|axios|node-fetch|node|undici|got|(?:node-)?superagent|bun|deno|okhttp|apache-httpclient|jakarta commons-httpclient|java|java-http-client|reactornetty|ktor-client|dart|libwww-perl|lwp::simple|perl|ruby|faraday|rest-client|typhoeus|http\.rb|guzzlehttp|php|symfony httpclient|reqwest|hyper|ureq|restsharp|\.net|postmanruntime|insomnia|bruno|hoppscotch|rapidapi|cfnetwork|alamofire|hackney)(?:[/ ;(]|$)/i;

// The whole `User-Agent` of the most common browsers. They are checked first, because the expressions above, and
// isbot's, take milliseconds to compile at a cold start.
/** Chrome and Edge, whose texts are frozen except for the version (https://www.chromium.org/updates/ua-reduction/). */
const chrome = String.raw`\((?:Windows NT 10\.0; Win64; x64|Macintosh; Intel Mac OS X 10_15_7|X11; Linux x86_64|Linux; Android 10; K)\) AppleWebKit/537\.36 \(KHTML, like Gecko\) Chrome/\d{3}\.0\.0\.0 (?:Mobile )?Safari/537\.36(?: Edg/\d{3}\.0\.0\.0)?`;
const safari = String.raw`\((?:Macintosh; Intel Mac OS X 10_15_7|iPhone; CPU iPhone OS \d\d(?:_\d){1,2} like Mac OS X)\) AppleWebKit/605\.1\.15 \(KHTML, like Gecko\) Version/\d\d(?:\.\d){1,2} (?:Mobile/15E148 Safari/604\.1|Safari/605\.1\.15)`;
const firefox = String.raw`\((?:Windows NT 10\.0; Win64; x64|Macintosh; Intel Mac OS X 10\.15|X11; Linux x86_64); rv:\d{3}\.0\) Gecko/20100101 Firefox/\d{3}\.0`;
const commonBrowsers = new RegExp(`^Mozilla/5\\.0 (?:${chrome}|${safari}|${firefox})$`);

/**
 * Classifies a visitor by the `User-Agent`.
 *
 * Bots are visitors without a `User-Agent`, and those that `isbot` recognises, except `programs`. A bot that poses as a
 * browser or as a plain HTTP library is not recognised. `tools/bots.ts` measures how many are.
 *
 * @param userAgent empty if there is none.
 */
export function visitorOf(userAgent: string): Visitor {
  if (userAgent.trim() === '') return 'bot';
  if (commonBrowsers.test(userAgent)) return 'person';
  if (crawlers.test(userAgent)) return 'crawler';
  return !programs.test(userAgent) && looksLikeBot(userAgent) ? 'bot' : 'person';
}

let isCompiled = false;

/**
 * If an expression's first text has 1,000 characters, V8 compiles it natively at once, which takes half the time of
 * interpreting it once (`kTierUpForSubjectLengthValue` in V8's js-regexp.h).
 */
function looksLikeBot(userAgent: string): boolean {
  if (!isCompiled) isbot(''.padEnd(1_000));
  isCompiled = true;
  return isbot(userAgent);
}
