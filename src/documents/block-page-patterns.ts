export const CHALLENGE_MARKS: readonly RegExp[] = [
  // The first pattern is Cloudflare's. It does not match `scripts/jsd`, which all pages behind Cloudflare load.
  /_cf_chl_opt|\/cdn-cgi\/challenge-platform\/[^"']{0,40}orchestrate|cf-browser-verification|id="?challenge-(?:form|error-text)/,
  /id=["']?px-captcha|captcha\.px-cdn\.net|_pxBlockedUrl|window\._pxHostUrl/,
  /(?:geo|ct|interstitial)\.captcha-delivery\.com/,
  /errors\.edgesuite\.net|sec-(?:if-)?cpt-(?:container|if)|\/_sec\/cp_challenge\//,
  /_Incapsula_Resource\?[^"']{0,200}(?:CWUDNSAI|incident_id)|Incapsula incident ID/i,
  /window\.gokuProps|AwsWafIntegration\.(?:saveReferrer|checkForceRefresh|getToken)|\.awswaf\.com\/[^"']{1,200}\/captcha\.js/,
  /id="?anubis_(?:challenge|version|base_prefix)|\/\.within\.website\/x\/cmd\/anubis\//,
  /\/\.well-known\/ddos-guard\/(?:js-challenge|check|id)|ddg-captcha|\bdata-ddg-origin\b/,
  /sucuri_cloudproxy_js|Sucuri WebSite Firewall - Access Denied/,
  /\/149e9513-01fa-4fb0-aad4-566afd725d1b\/|KPSDK\.(?:configure|scriptStart)/,
  /distil_r_captcha|\/distil_(?:r_blocked|identify)/,
  /\/\.well-known\/vercel\/security\//,
  /wappass\.baidu\.com\/static\/captcha|_____tmd_____\/punish|\/punish\?x5secdata|id="?nocaptcha"?[^>]{0,200}baxia/,
];

export const CHALLENGE_TITLES: readonly RegExp[] = [
  /^(?:just a moment|one moment, please|please wait|attention required!?|access denied|ddos-guard|pardon our interruption)[.…!]*(?:\s{0,5}[|–—-]\s.{0,60})?$/i,
  /^(?:making sure you(?:'|’|&#39;|&#x27;)re not a bot|checking your browser|verifying your (?:browser|request)|vercel security checkpoint)\b.{0,60}$/i,
  /^(?:robot or human|are you a robot|are you human|human verification|security (?:check|verification)|bot verification|captcha)\b.{0,40}$/i,
  /^.{0,20}(?:安全验证|人机验证|访问验证|滑动验证|访问过于频繁|访问频繁|身份验证中)(?:页面?|中心)?$/,
];

export const CHALLENGE_WORDS: readonly RegExp[] = [
  /unusual traffic from your (?:computer|network|connection)/i,
  /(?:verify|confirm|prove|make sure) (?:that )?you(?:'|’)?(?: a|')?re (?:a )?(?:human|not a (?:ro)?bot)/i,
  /(?:enable|turn on) (?:javascript|js) (?:and (?:cookies|disable any ad ?blocker)|to continue)/i,
  /checking (?:if the site connection is secure|your browser before accessing)|press (?:&|and) hold to confirm/i,
  /you don(?:'|’)t have permission to access .{1,200} on this server/i,
  /you have been blocked|your (?:request|access) (?:has been|was|is) (?:blocked|denied)|automated (?:access|requests|queries)/i,
  /访问过于频繁|访问(?:行为)?(?:存在)?异常|操作过于频繁|环境异常.{0,10}验证|请?(?:完成|进行|通过)(?:以下|下方|安全|滑块|拼图)?验证|拖动(?:下方)?滑块|人机验证|安全验证/,
];

export const PAYWALL_WORDS: readonly RegExp[] = [
  /(?:subscribe|sign up|register|log ?in|become a (?:member|subscriber)|upgrade|join)[^.!?]{0,60} to (?:continue|keep) reading/i,
  /to (?:continue|keep) reading,? (?:this|the|please|you|subscribe|log|sign|start|become)/i,
  /(?:subscribe|upgrade|purchase|buy access|start your (?:free )?trial)[^.!?]{0,40} (?:to|and) (?:read|unlock|access|get) (?:the )?(?:full|rest|whole|entire|this|unlimited)/i,
  /this (?:article|story|content|post|page) is (?:only )?(?:for|available to|reserved for|exclusive to) (?:paying |paid |our )?(?:subscribers|members)/i,
  /(?:subscribers?|members?)[- ]only (?:content|article|story)|already a (?:subscriber|member)\?/i,
  /(?:订阅|付费|购买|开通会员|成为会员|升级会员|登录|登陆|订阅会员)后?(?:即可|可|才能|方可|继续|查看|以)(?:继续)?(?:阅读|查看|浏览)?(?:全文|余下|更多|完整|剩余)?|(?:本文|本内容|余下内容|剩余内容|全文)(?:为|需|须|仅限|仅供)(?:要)?(?:付费|订阅|会员|购买)|还有.{0,6}%?.{0,4}(?:精彩)?内容.{0,6}(?:付费|订阅|会员)/,
];

/** Patterns of login pages; a page must match two. */
export const LOGIN_WORDS: readonly RegExp[] = [
  /(?:验证码|短信|扫码|密码|手机号?|微信|账号)(?:登录|登陆)|其他方式登录/,
  /登录.{1,20}[，,]\s?(?:您|你)?(?:可以|即可)?(?:享受|查看|获取|体验)|(?:请先?|请您先?|需要?先?)(?:登录|登陆)|(?:登录|登陆)后(?:即可|可以?|才能|继续)/,
  /(?:登录|登陆)\s?[/／或]\s?注册|未注册.{0,20}(?:自动)?(?:注册|登录)|没有账[号户]|获取(?:短信)?验证码|忘记密码|注册即代表/,
  /\b(?:please |you (?:must|need to|have to) )(?:sign|log) ?in\b|\b(?:sign|log) ?in to (?:continue|your account|see|view|read)\b/i,
  /\b(?:sign|log) ?in with (?:google|apple|facebook|email|sso)\b|\bcontinue with (?:google|apple|facebook|email|sso)\b/i,
  /\b(?:don(?:'|’)t have an account|new here|create an account|forgot (?:your )?password)\b/i,
];

export const MISSING_TITLES: readonly RegExp[] = [
  /^(?:error |http )?404(?: error)?(?:\s{0,5}[|:–—-]\s{0,5}|[.!]?$| (?=(?:page|file|not)\b)).{0,60}$/i,
  /^(?:(?:sorry|oops|whoops)[,!.]* )?(?:(?:the|this) )?(?:page|file|document|article)(?: you (?:requested|were looking for))? (?:was |could |can )?(?:not|n(?:'|’)t|doesn(?:'|’)t|does not|cannot)(?: be)? (?:found|exist)\b.{0,60}$/i,
  /^not found(?:\s{0,5}[|–—-]\s.{0,60})?$/i,
  /^.{0,12}(?:页面|网页|文章|内容)(?:不存在|未找到|没有找到|找不到|已(?:被)?删除|走丢了|飞走了).{0,20}$/,
];

export const CONSENT_TITLES =
  /^(?:before you continue(?: to .{0,40})?|bevor sie zu .{0,40} weitergehen|avant d(?:'|’)accéder à .{0,40}|your privacy choices|yahoo is part of the yahoo family of brands)$/i;
