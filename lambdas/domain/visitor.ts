import { isbot } from 'isbot';

/** Who visits a short link. People and their programs are `person`, and count; bots and crawlers don't. */
export type Visitor = 'person' | 'bot' | 'crawler';

/**
 * Crawlers that fetch a link to show a card in a chat or a post: those of Slack, Facebook (Apple's Messages identifies
 * itself as Facebook), X, LinkedIn, WhatsApp, Telegram, Discord, Skype and Teams, Pinterest, Reddit, Mastodon, Bluesky
 * and Viber, and of services that do it for others.
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
const programs =
  /^(?!.*(?:bot|crawl|spider))(?:curl|libcurl|wget2?|httpie|xh|aria2|powershell|python-requests|python-urllib3?|python-httpx|python|aiohttp|httpx|go-http-client|go-resty|axios|node-fetch|node|undici|got|(?:node-)?superagent|bun|deno|okhttp|apache-httpclient|jakarta commons-httpclient|java|java-http-client|reactornetty|ktor-client|dart|libwww-perl|lwp::simple|perl|ruby|faraday|rest-client|typhoeus|http\.rb|guzzlehttp|php|symfony httpclient|reqwest|hyper|ureq|restsharp|\.net|postmanruntime|insomnia|bruno|hoppscotch|rapidapi|cfnetwork|alamofire|hackney)(?:[/ ;(]|$)/i;

/**
 * Classifies a visitor by the `User-Agent`.
 *
 * A bot is whatever `isbot` recognises, except `programs`. A bot that poses as a browser or as a plain HTTP library is
 * not recognised.
 */
export function visitorOf(userAgent: string): Visitor {
  if (crawlers.test(userAgent)) return 'crawler';
  return isbot(userAgent) && !programs.test(userAgent) ? 'bot' : 'person';
}

// Compiles the expressions while the function starts. V8 compiles one natively at once if its first text has 1,000
// characters, in half the time that it takes to interpret it once (`kTierUpForSubjectLengthValue` in V8's js-regexp.h).
visitorOf('Mozilla/5.0 ('.padEnd(1_000));
