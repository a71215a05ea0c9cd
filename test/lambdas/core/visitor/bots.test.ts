import crawlers from 'crawler-user-agents' with { type: 'json' };
import { isbot } from 'isbot';
import browsers from 'top-user-agents' with { type: 'json' };
import { describe, expect, test } from 'vitest';
import { visitorOf } from '../../../../lambdas/core/visitor/bots.ts';
import fixtures from '../../../data/user-agents.json' with { type: 'json' };

test.for([
  'Slackbot-LinkExpanding 1.0 (+https://api.slack.com/robots)',
  'facebookexternalhit/1.1 (+http://www.facebook.com/externalhit_uatext.php)',
  'Mozilla/5.0 (Macintosh; Intel Mac OS X 10_11_1) AppleWebKit/601.2.4 (KHTML, like Gecko) Version/9.0.1 Safari/601.2.4 facebookexternalhit/1.1 Facebot Twitterbot/1.0',
  'Twitterbot/1.0',
  'LinkedInBot/1.0 (compatible; Mozilla/5.0; Apache-HttpClient +http://www.linkedin.com)',
  'WhatsApp/2.23.20.0 A',
  'Mozilla/5.0 (Windows NT 6.1; Win64; x64) AppleWebKit/537.36 (KHTML, like Gecko) WhatsApp/0.2.4240 Chrome/53.0.2785.143 Electron/1.4.12 Safari/537.36',
  'TelegramBot (like TwitterBot)',
  'Mozilla/5.0 (compatible; Discordbot/2.0; +https://discordapp.com)',
  'Mozilla/5.0 (Windows NT 6.1; WOW64) SkypeUriPreview Preview/0.5',
  'Mozilla/5.0 (compatible; Pinterestbot/1.0; +http://www.pinterest.com/bot.html)',
  'Mozilla/5.0 (compatible; redditbot/1.0; +http://www.reddit.com/feedback)',
  'http.rb/5.1.1 (Mastodon/4.2.0; +https://mastodon.social/) Bot',
  'Mozilla/5.0 (compatible; Bluesky Cardyb/1.1; +mailto:support@bsky.app)',
])('A crawler for link previews is recognized: %s.', (userAgent) => {
  expect(visitorOf(userAgent)).toBe('crawler');
});

test.for([
  'curl/8.10.1',
  'Wget/1.21.4',
  'HTTPie/3.2.2',
  'python-requests/2.32.3',
  'Python-urllib/3.12',
  'python-httpx/0.27.0',
  'Python/3.12 aiohttp/3.10.5',
  'Go-http-client/2.0',
  'axios/1.7.7',
  'node',
  'node-fetch/1.0 (+https://github.com/bitinn/node-fetch)',
  'undici',
  'got (https://github.com/sindresorhus/got)',
  'okhttp/4.12.0',
  'Apache-HttpClient/5.3 (Java/21.0.1)',
  'Java/17.0.2',
  'Dart/3.5 (dart:io)',
  'GuzzleHttp/7',
  'Ruby',
  'PostmanRuntime/7.42.0',
  'insomnia/10.0.0',
  'libcurl/7.88.1 r-curl/5.0.0 httr/1.4.5',
  'Wget2/2.1.0',
  'go-resty/2.13.1 (https://github.com/go-resty/resty)',
  'node-superagent/3.8.3',
  'Bun/1.1.17',
  'Deno/1.44.4',
  'Java-http-client/17.0.11',
  'ReactorNetty/1.1.20',
  'Ktor-client/2.3.12',
  'libwww-perl/6.77',
  'LWP::Simple/6.77 libwww-perl/6.77',
  'Faraday v2.9.2',
  'rest-client/2.1.0 (linux x86_64) ruby/3.2.2p53',
  'http.rb/5.2.0',
  'PHP/8.3.8',
  'Symfony HttpClient (Curl)',
  'reqwest/0.12.5',
  'RestSharp/111.3.0.0',
])('A program that a person runs is not a bot: %j.', (userAgent) => {
  expect(visitorOf(userAgent)).toBe('person');
});

test.for([
  'Googlebot/2.1 (+http://www.google.com/bot.html)',
  'Mozilla/5.0 AppleWebKit/537.36 (KHTML, like Gecko; compatible; bingbot/2.0; +http://www.bing.com/bingbot.htm) Chrome/116.0.1938.76 Safari/537.36',
  'Mozilla/5.0 (compatible; AhrefsBot/7.0; +http://ahrefs.com/robot/)',
  'Mozilla/5.0 (compatible; GPTBot/1.2; +https://openai.com/gptbot)',
  'ExampleBot/1.0 (python-requests/2.32.3)',
  'curlbot/1.0',
  'python-requests/2.31.0 (compatible; ExampleBot/1.0; +https://example.com/bot)',
  'Go-http-client/1.1 (example crawler)',
  'Java/1.8.0_202 ExampleSpider/2.0',
  'W3C-checklink/4.81 libwww-perl/5.836',
  'python-opengraph-jaywink/0.2.0 (+https://github.com/jaywink/python-opengraph)',
  'Fetch/2.0a (CMS Detection/Web/SEO analysis tool, see http://guess.scritch.org)',
  'HeadlessChrome/120.0.0.0',
])('A bot is recognized whatever program it is built with: %s.', (userAgent) => {
  expect(visitorOf(userAgent)).toBe('bot');
});

test.for(['', ' ', '\t '])('A visitor without a `User-Agent` is a bot: %j.', (userAgent) => {
  expect(visitorOf(userAgent)).toBe('bot');
});

test.for([
  'Mozilla/5.0 (iPhone; CPU iPhone OS 17_5 like Mac OS X) AppleWebKit/605.1.15 (KHTML, like Gecko) Mobile/15E148 [FBAN/FBIOS;FBAV/470.1.0;FBDV/iPhone15,2]',
  'Mozilla/5.0 (iPhone; CPU iPhone OS 17_5 like Mac OS X) AppleWebKit/605.1.15 (KHTML, like Gecko) Mobile/15E148 Instagram 335.1.8.26.85',
  'Mozilla/5.0 (iPhone; CPU iPhone OS 17_5 like Mac OS X) AppleWebKit/605.1.15 (KHTML, like Gecko) Mobile/15E148 LinkedInApp',
  'Mozilla/5.0 (Linux; Android 14; Pixel 8; wv) AppleWebKit/537.36 (KHTML, like Gecko) Version/4.0 Chrome/126.0.0.0 Mobile Safari/537.36 WhatsApp/2.24.13.77',
  'Mozilla/5.0 (Linux; Android 10; SM-G986B Build/QP1A.190711.020; wv) AppleWebKit/537.36 (KHTML, like Gecko) Version/4.0 Chrome/78.0.3904.96 Mobile Safari/537.36 Viber/16.5.0.18',
])('The browser within an app is a person, even if the app also has a crawler: %s.', (userAgent) => {
  expect(visitorOf(userAgent)).toBe('person');
});

describe('The fixtures of isbot', () => {
  test.for(fixtures.bots)("A bot of isbot's fixtures is not a person: %s.", (userAgent) => {
    expect(visitorOf(userAgent)).not.toBe('person');
  });

  test.for(fixtures.browsers)("A browser of isbot's fixtures is a person: %s.", (userAgent) => {
    expect(visitorOf(userAgent)).toBe('person');
  });
});

describe('Public lists of user agents', () => {
  const listed = crawlers.flatMap(({ instances }) => instances);

  test('Every browser in wide use is recognised as a person.', () => {
    expect(browsers.length).toBeGreaterThan(50);
    expect(browsers.filter((userAgent) => visitorOf(userAgent) !== 'person')).toEqual([]);
  });

  test('Every crawler that isbot knows is recognized, except programs under their own names.', () => {
    const missed = listed.filter((userAgent) => isbot(userAgent) && visitorOf(userAgent) === 'person');
    const names = new Set(missed.map((userAgent) => userAgent.split(/[/ (]/)[0]?.toLowerCase()));
    expect([...names].sort()).toEqual([
      'apache-httpclient',
      'axios',
      'curl',
      'go-http-client',
      'got',
      'httpie',
      'node-fetch',
      'okhttp',
      'python',
      'python-httpx',
      'python-requests',
      'python-urllib',
      'wget',
    ]);
    expect(listed.length).toBeGreaterThan(2_000);
  });

  test('isbot misses fewer than 1 in 100 of the listed crawlers.', () => {
    expect(listed.filter((userAgent) => !isbot(userAgent)).length / listed.length).toBeLessThan(0.01);
  });
});

/** The systems that common browsers name. */
const systems = {
  chrome: ['Windows NT 10.0; Win64; x64', 'Macintosh; Intel Mac OS X 10_15_7', 'X11; Linux x86_64', 'Linux; Android 10; K'],
  firefox: ['Windows NT 10.0; Win64; x64', 'Macintosh; Intel Mac OS X 10.15', 'X11; Linux x86_64'],
};
const versions = Array.from({ length: 900 }, (_, index) => 100 + index);
const systemVersions = Array.from({ length: 900 }, (_, index) => [...String(1_000 + index).slice(1)]).map(
  ([tens, ones, minor]) => ({ major: `${tens}${ones}`, minor }),
);

test.for([
  ['Chrome', systems.chrome.flatMap((system) => versions.map((version) => chromeText(system, version)))],
  [
    'Chrome on a telephone',
    systems.chrome.flatMap((system) => versions.map((version) => chromeText(system, version, 'Mobile '))),
  ],
  ['Edge', systems.chrome.flatMap((system) => versions.map((version) => `${chromeText(system, version)} Edg/${version}.0.0.0`))],
  [
    'Firefox',
    systems.firefox.flatMap((system) =>
      versions.map((version) => `Mozilla/5.0 (${system}; rv:${version}.0) Gecko/20100101 Firefox/${version}.0`),
    ),
  ],
  [
    'Safari',
    systemVersions.map(
      ({ major, minor }) =>
        `Mozilla/5.0 (Macintosh; Intel Mac OS X 10_15_7) AppleWebKit/605.1.15 (KHTML, like Gecko) Version/${major}.${minor} Safari/605.1.15`,
    ),
  ],
  [
    'Safari on a telephone',
    systemVersions.map(
      ({ major, minor }) =>
        `Mozilla/5.0 (iPhone; CPU iPhone OS ${major}_${minor}_1 like Mac OS X) AppleWebKit/605.1.15 (KHTML, like Gecko) Version/${major}.${minor}.1 Mobile/15E148 Safari/604.1`,
    ),
  ],
] as const)('isbot takes no version of %s, which `visitorOf` recognises without isbot, for a bot.', ([, texts]) => {
  expect(texts.filter((text) => visitorOf(text) !== 'person' || isbot(text))).toEqual([]);
});

function chromeText(system: string, version: number, mobile = ''): string {
  return `Mozilla/5.0 (${system}) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/${version}.0.0.0 ${mobile}Safari/537.36`;
}

test.for([
  'Mozilla/5.0 (Windows NT 10.0; Win64; x64) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/142.0.0.0 Safari/537.36 ExampleBot/1.0',
  'ExampleBot/1.0 Mozilla/5.0 (X11; Linux x86_64; rv:142.0) Gecko/20100101 Firefox/142.0',
  'Mozilla/5.0 (X11; Linux x86_64; Googlebot; rv:142.0) Gecko/20100101 Firefox/142.0',
  'Mozilla/5.0 (X11; Linux x86_64) AppleWebKit/537.36 (KHTML, like Gecko) HeadlessChrome/142.0.0.0 Safari/537.36',
])("A user agent that adds a bot's name to a common browser's is a bot: %s", (userAgent) => {
  expect(visitorOf(userAgent)).toBe('bot');
});
