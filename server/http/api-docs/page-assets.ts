// Style and search of the page of the calls; both are let in by the page's nonce.

export const STYLE = `:root{color-scheme:light dark;font:15px/1.5 system-ui,sans-serif}body{max-width:70rem;margin:0 auto;padding:1.5rem}
nav ul{display:flex;flex-wrap:wrap;gap:.25rem 1rem;list-style:none;padding:0}
search{position:sticky;top:0;display:flex;gap:1rem;align-items:center;padding:.75rem 0;background:Canvas}
search input{font:inherit;padding:.4rem .6rem;min-width:18rem}details{border-top:1px solid #8884;padding:.4rem 0}
summary{cursor:pointer}dt{font-weight:600;margin-top:.4rem}dd{margin:0;overflow-x:auto}
pre{overflow:auto;max-height:24rem;padding:.5rem;background:#8881;border-radius:4px;font-size:13px}
table{border-collapse:collapse;font-size:14px}th,td{text-align:start;vertical-align:top;padding:.15rem .75rem .15rem 0;border-bottom:1px solid #8883}
td{overflow-wrap:break-word}td:nth-child(3){white-space:nowrap}section,details,tr{scroll-margin-top:4.5rem}:target>summary,tr:target{background:#ff02}[hidden]{display:none}`;

/** Shows the calls whose text has every word; an address with a call opens that. */
export const SEARCH_SCRIPT = `
const field = document.getElementById('search');
const blocks = [...document.querySelectorAll('details')].map((block) => ({ block, text: block.textContent.toLowerCase() }));
const topics = [...document.querySelectorAll('[data-topic]')];
const search = () => {
  const words = field.value.toLowerCase().split(/\\s+/).filter(Boolean);
  let found = 0;
  for (const { block, text } of blocks) {
    block.hidden = !words.every((word) => text.includes(word));
    found += block.hidden ? 0 : 1;
  }
  for (const topic of topics) topic.hidden = !topic.querySelector('details:not([hidden])');
  document.getElementById('found').textContent = words.length === 0 ? '' : String(found);
};
const openTarget = () => {
  const target = document.getElementById(decodeURIComponent(location.hash.slice(1)));
  if (target instanceof HTMLDetailsElement) target.open = true;
};
field.addEventListener('input', search);
addEventListener('hashchange', openTarget);
addEventListener('keydown', (event) => {
  if (event.key !== '/' || event.target === field) return;
  event.preventDefault();
  field.focus();
});
search();
openTarget();
`;
