import { isbot } from 'isbot';

/** Who asks for a short link. People and their programs count; bots and crawlers do not. */
export type Visitor = 'person' | 'bot' | 'crawler';

/**
 * Crawlers that fetch a link to show in a chat or a post what it leads to. Those of Slack, Facebook (Apple's Messages gives itself
 * out as it, too), X, LinkedIn, WhatsApp, Telegram, Discord, Skype and Teams, Pinterest, Reddit, Mastodon, Bluesky and Viber, and of
 * the services that do it for others.
 *
 * WhatsApp's and Viber's names come first; the browsers within them have these names, too, at their end. WhatsApp's desktop says Electron
 * (https://github.com/allinurl/goaccess/issues/808).
 */
const crawlers =
  /Slackbot-LinkExpanding|Slack-ImgProxy|facebookexternalhit|facebookcatalog|meta-externalfetcher|Facebot|Twitterbot|LinkedInBot|^WhatsApp\/|WhatsApp\/.*Electron\/|TelegramBot|Discordbot|SkypeUriPreview|MicrosoftPreview|Pinterestbot|redditbot|Mastodon\/|Bluesky Cardyb|^Viber\/|Iframely|Embedly|vkShare|Snap URL Preview|Google-PageRenderer|Synapse\/|Mattermost-Bot/i;

/**
 * Programs that fetch on behalf of the one who runs them: command lines and HTTP libraries under the name that they come with.
 * `isbot` takes them for bots; here they are visitors, unless they call themselves a bot.
 */
const programs =
  /^(?!.*(?:bot|crawl|spider))(?:curl|libcurl|wget2?|httpie|xh|aria2|powershell|python-requests|python-urllib3?|python-httpx|python|aiohttp|httpx|go-http-client|go-resty|axios|node-fetch|node|undici|got|(?:node-)?superagent|bun|deno|okhttp|apache-httpclient|jakarta commons-httpclient|java|java-http-client|reactornetty|ktor-client|dart|libwww-perl|lwp::simple|perl|ruby|faraday|rest-client|typhoeus|http\.rb|guzzlehttp|php|symfony httpclient|reqwest|hyper|ureq|restsharp|\.net|postmanruntime|insomnia|bruno|hoppscotch|rapidapi|cfnetwork|alamofire|hackney)(?:[/ ;(]|$)/i;

/**
 * Who asks, by the `User-Agent` that the request has.
 *
 * A bot is what `isbot` knows as one, but for programs: a request of curl or of an HTTP library is somebody's own. A bot that gives
 * itself out as a browser, or as nothing but a program, is not recognised.
 */
export function visitorOf(userAgent: string): Visitor {
  if (crawlers.test(userAgent)) return 'crawler';
  return isbot(userAgent) && !programs.test(userAgent) ? 'bot' : 'person';
}
