import Bowser from 'bowser';
import fc from 'fast-check';
import topUserAgents from 'top-user-agents' with { type: 'json' };
import { describe, expect, test } from 'vitest';
import { type Agent, browserOf, browsers, deviceOf, osOf } from '../../../../lambdas/core/visitor/user-agent.ts';
import { anyCharacter } from '../../../support/run/any-character.ts';
import { runs } from '../../../support/run/proof.ts';

const agentOf = (userAgent: string, hints: Partial<Agent> = {}): Agent => ({
  userAgent,
  brands: '',
  platform: '',
  mobile: '',
  ...hints,
});
const told = (agent: Agent) => [browserOf(agent), osOf(agent), deviceOf(agent)];

const windows = 'Mozilla/5.0 (Windows NT 10.0; Win64; x64)';
const mac = 'Mozilla/5.0 (Macintosh; Intel Mac OS X 10_15_7)';
const linux = 'Mozilla/5.0 (X11; Linux x86_64)';
const android = 'Mozilla/5.0 (Linux; Android 10; K)';
const iPhone = 'Mozilla/5.0 (iPhone; CPU iPhone OS 18_7 like Mac OS X)';
const iPad = 'Mozilla/5.0 (iPad; CPU OS 16_6 like Mac OS X)';
const blink = 'AppleWebKit/537.36 (KHTML, like Gecko)';
const webKit = 'AppleWebKit/605.1.15 (KHTML, like Gecko)';

test.for<[string, string | undefined, string | undefined, string | undefined]>([
  [`${windows} ${blink} Chrome/153.0.0.0 Safari/537.36`, 'chrome', 'windows', 'desktop'],
  [`${mac} ${blink} Chrome/153.0.0.0 Safari/537.36`, 'chrome', 'macos', 'desktop'],
  [`${linux} ${blink} Chrome/153.0.0.0 Safari/537.36`, 'chrome', 'linux', 'desktop'],
  [`Mozilla/5.0 (X11; CrOS x86_64 14541.0.0) ${blink} Chrome/152.0.0.0 Safari/537.36`, 'chrome', 'chromeos', 'desktop'],
  [`${android} ${blink} Chrome/153.0.0.0 Mobile Safari/537.36`, 'chrome', 'android', 'mobile'],
  // A tablet's user agent lacks "Mobile".
  [`${android} ${blink} Chrome/153.0.0.0 Safari/537.36`, 'chrome', 'android', 'mobile'],
  [`${iPhone} ${webKit} CriOS/153.0.8010.24 Mobile/15E148 Safari/604.1`, 'chrome', 'ios', 'mobile'],
  [`${linux} ${blink} Ubuntu Chromium/65.0.3325.181 Chrome/65.0.3325.181 Safari/537.36`, 'chrome', 'linux', 'desktop'],
  [`${mac} ${webKit} Version/26.6.2 Safari/605.1.15`, 'safari', 'macos', 'desktop'],
  [`${iPhone} ${webKit} Version/26.6.1 Mobile/15E148 Safari/604.1`, 'safari', 'ios', 'mobile'],
  [`${iPad} ${webKit} Version/16.6 Mobile/15E148 Safari/604.1`, 'safari', 'ios', 'mobile'],
  ['Mozilla/5.0 (Windows NT 10.0; Win64; x64; rv:156.0) Gecko/20100101 Firefox/156.0', 'firefox', 'windows', 'desktop'],
  ['Mozilla/5.0 (X11; Ubuntu; Linux x86_64; rv:156.0) Gecko/20100101 Firefox/156.0', 'firefox', 'linux', 'desktop'],
  ['Mozilla/5.0 (Android 15; Mobile; rv:156.0) Gecko/156.0 Firefox/156.0', 'firefox', 'android', 'mobile'],
  ['Mozilla/5.0 (Android 15; Tablet; rv:156.0) Gecko/156.0 Firefox/156.0', 'firefox', 'android', 'mobile'],
  [`${iPhone} ${webKit} FxiOS/156.0 Mobile/15E148 Safari/605.1.15`, 'firefox', 'ios', 'mobile'],
  [`${windows} ${blink} Chrome/153.0.0.0 Safari/537.36 Edg/153.0.0.0`, 'edge', 'windows', 'desktop'],
  [`${android} ${blink} Chrome/153.0.0.0 Mobile Safari/537.36 EdgA/153.0.0.0`, 'edge', 'android', 'mobile'],
  [`${iPhone} ${webKit} Version/18.0 EdgiOS/153.0.0.0 Mobile/15E148 Safari/604.1`, 'edge', 'ios', 'mobile'],
  [`${windows} ${blink} Chrome/52.0.2743.116 Safari/537.36 Edge/15.15063`, 'edge', 'windows', 'desktop'],
  [`${windows} ${blink} Chrome/151.0.0.0 Safari/537.36 OPR/135.0.0.0`, 'opera', 'windows', 'desktop'],
  ['Opera/9.80 (Android; Opera Mini/36.2/119.132; U; id) Presto/2.12.423 Version/12.16', 'opera', 'android', 'mobile'],
  [`${iPhone} ${webKit} Version/18.5 Mobile/15E148 Safari/604.1 OPT/5.5.0`, 'opera', 'ios', 'mobile'],
  [`${android} ${blink} SamsungBrowser/30.0 Chrome/143.0.0.0 Mobile Safari/537.36`, 'samsung-internet', 'android', 'mobile'],
  [`${windows} ${blink} Chrome/150.0.0.0 YaBrowser/26.8.0.0 Safari/537.36`, 'yandex', 'windows', 'desktop'],
  [`${windows} ${blink} Chrome/140.0.0.0 Safari/537.36 Vivaldi/7.6.3797.63`, 'vivaldi', 'windows', 'desktop'],
  [`${mac} ${webKit} Version/18.5 Safari/605.1.15 Ddg/18.5`, 'duckduckgo', 'macos', 'desktop'],
  [
    'Mozilla/5.0 (Linux; U; Android 10; en-US; SM-A107F) AppleWebKit/537.36 (KHTML, like Gecko) Version/4.0 Chrome/100.0.4896.58 UCBrowser/13.7.0.1319 Mobile Safari/537.36',
    'uc',
    'android',
    'mobile',
  ],
  [`${android} ${blink} Chrome/114.0.5735.196 HuaweiBrowser/15.0.4.312 Mobile Safari/537.36`, 'huawei', 'android', 'mobile'],
  [`${android} ${blink} Chrome/112.0.5615.136 Mobile Safari/537.36 XiaoMi/MiuiBrowser/14.5.0-gn`, 'xiaomi', 'android', 'mobile'],
  [`${linux} ${blink} Silk/130.4.2 like Chrome/130.0.6723.102 Safari/537.36`, 'silk', 'linux', 'desktop'],
  ['Mozilla/5.0 (Windows NT 10.0; WOW64; Trident/7.0; rv:11.0) like Gecko', 'internet-explorer', 'windows', 'desktop'],
  [
    `${iPhone} ${webKit} Mobile/15E148 [FBAN/FBIOS;FBAV/530.0.0.32.106;FBBV/787654321;FBDV/iPhone15,2;FBMD/iPhone]`,
    'facebook',
    'ios',
    'mobile',
  ],
  [`${iPhone} ${webKit} Mobile/22F76 Instagram 390.0.0.28.85 (iPhone15,2; iOS 18_5; de_DE; de)`, 'instagram', 'ios', 'mobile'],
  [
    `Mozilla/5.0 (Linux; Android 10; SM-G973F Build/QQ3A.200805.001; wv) ${blink} Version/4.0 Chrome/85.0.4183.101 Mobile Safari/537.36 trill_2021806060`,
    'tiktok',
    'android',
    'mobile',
  ],
  [`${iPhone} ${webKit} Mobile/15E148 MicroMessenger/8.0.50(0x18003233) NetType/WIFI Language/zh_CN`, 'wechat', 'ios', 'mobile'],
  [`${iPhone} ${webKit} Mobile/15E148 Safari Line/15.9.0`, 'line', 'ios', 'mobile'],
  [`${iPhone} ${webKit} GSA/380.0.788317806 Mobile/15E148 Safari/604.1`, 'google-app', 'ios', 'mobile'],
  [`${iPhone} ${webKit} Mobile/15E148`, 'webview', 'ios', 'mobile'],
  [
    `Mozilla/5.0 (Linux; Android 14; Pixel 8 Build/UQ1A; wv) ${blink} Version/4.0 Chrome/130.0.0.0 Mobile Safari/537.36`,
    'webview',
    'android',
    'mobile',
  ],
  ['Mozilla/5.0 (Windows Phone 10.0; Android 6.0.1; Microsoft; Lumia 950) Mobile Edge/15.15063', 'edge', 'windows', 'mobile'],
  ['Mozilla/5.0 (BB10; Touch) AppleWebKit/537.35+ (KHTML, like Gecko) Mobile Safari/537.35+', undefined, undefined, 'mobile'],
  ['curl/8.10.1', undefined, undefined, undefined],
  ['python-requests/2.32.3', undefined, undefined, undefined],
  ['Wget/1.21.4 (linux-gnu)', undefined, undefined, undefined],
  ['', undefined, undefined, undefined],
])('A User-Agent tells browser, operating system and device: %s', ([userAgent, browser, os, device]) => {
  expect(told(agentOf(userAgent))).toEqual([browser, os, device]);
});

describe('client hints', () => {
  const reduced = `${linux} ${blink} Chrome/130.0.0.0 Safari/537.36`;
  const brands = (...names: string[]) => names.map((name) => `"${name}";v="130"`).join(', ');
  const grease = 'Not?A_Brand';

  test.for<[Partial<Agent>, string, string, string]>([
    [
      { brands: brands('Chromium', 'Google Chrome', grease), platform: '"Windows"', mobile: '?0' },
      'chrome',
      'windows',
      'desktop',
    ],
    [{ brands: brands(grease, 'Microsoft Edge', 'Chromium'), platform: '"macOS"', mobile: '?0' }, 'edge', 'macos', 'desktop'],
    [{ brands: brands('Opera', grease, 'Chromium'), platform: '"Android"', mobile: '?1' }, 'opera', 'android', 'mobile'],
    [
      { brands: brands('Chromium', 'Samsung Internet', grease), platform: '"Android"', mobile: '?0' },
      'samsung-internet',
      'android',
      'mobile',
    ],
    [{ brands: brands('Brave', grease, 'Chromium'), platform: '"Linux"', mobile: '?0' }, 'brave', 'linux', 'desktop'],
    [
      { brands: brands('Google Chrome', 'Vivaldi', grease), platform: '"Chrome OS"', mobile: '?0' },
      'vivaldi',
      'chromeos',
      'desktop',
    ],
    [{ platform: '"Chromium OS"' }, 'chrome', 'chromeos', 'desktop'],
    [{ platform: '"iOS"' }, 'chrome', 'ios', 'mobile'],
    // With unknown brands and malformed hints, the User-Agent decides.
    [{ brands: brands('Chromium', grease), platform: '"Unknown"', mobile: '' }, 'chrome', 'linux', 'desktop'],
    [{ brands: 'Microsoft Edge', platform: 'Windows', mobile: '1' }, 'chrome', 'linux', 'desktop'],
    [{ brands: '"__proto__"', platform: '"__proto__"', mobile: '?2' }, 'chrome', 'linux', 'desktop'],
    [{ platform: '"Windows", "macOS"' }, 'chrome', 'linux', 'desktop'],
  ])('Client hints take priority over the User-Agent: %j', ([hints, browser, os, device]) => {
    expect(told(agentOf(reduced, hints))).toEqual([browser, os, device]);
  });
});

/** Bowser's names of common browsers, systems and devices. */
const names: Readonly<Record<string, string>> = {
  Chrome: 'chrome',
  Chromium: 'chrome',
  Firefox: 'firefox',
  'Internet Explorer': 'internet-explorer',
  'Microsoft Edge': 'edge',
  Opera: 'opera',
  Safari: 'safari',
  'Samsung Internet for Android': 'samsung-internet',
  'Yandex Browser': 'yandex',
  Android: 'android',
  'Chrome OS': 'chromeos',
  iOS: 'ios',
  Linux: 'linux',
  macOS: 'macos',
  Windows: 'windows',
  desktop: 'desktop',
  mobile: 'mobile',
  tablet: 'mobile',
};

test('The most common user agents are recognised as by Bowser, a library of ten times the size.', () => {
  const differences = topUserAgents.flatMap((userAgent) => {
    const { browser, os, platform } = Bowser.parse(userAgent);
    const agent = agentOf(userAgent);
    // Bowser takes any WebKit for Safari, even an app without a version, and knows no device of Chrome OS.
    const isApp = browser.name === 'Electron' || (browser.name === 'Safari' && !/Version\//.test(userAgent));
    return [
      ...(isApp || names[browser.name ?? ''] === browserOf(agent) ? [] : [[userAgent, browser.name, browserOf(agent)]]),
      ...(names[os.name ?? ''] === osOf(agent) ? [] : [[userAgent, os.name, osOf(agent)]]),
      ...(os.name === 'Chrome OS' || names[platform.type ?? ''] === deviceOf(agent)
        ? []
        : [[userAgent, platform.type, deviceOf(agent)]]),
    ];
  });
  expect(topUserAgents.length).toBeGreaterThan(50);
  expect(differences).toEqual([]);
});

test('Whatever a visitor sends, browser, system and device are known ones or undefined.', () => {
  const pieces = fc.constantFrom(
    'Mozilla/5.0 ',
    'Version/',
    'Mobile/',
    'Safari/',
    '1',
    '.',
    ' ',
    '(',
    'Android',
    'iPhone',
    '"',
    '\0',
    'é',
  );
  const text = fc.oneof(
    fc.string({ unit: anyCharacter }),
    fc.array(pieces, { maxLength: 300 }).map((list) => list.join('')),
  );
  fc.assert(
    fc.property(text, text, text, text, (userAgent, brands, platform, mobile) => {
      const agent = { userAgent, brands, platform, mobile };
      expect([...browsers, undefined]).toContain(browserOf(agent));
      expect([undefined, 'ios', 'android', 'windows', 'macos', 'linux', 'chromeos']).toContain(osOf(agent));
      expect([undefined, 'mobile', 'desktop']).toContain(deviceOf(agent));
    }),
    { numRuns: runs(200) },
  );
});
