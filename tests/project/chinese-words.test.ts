// Chinese texts have one word for one thing, the punctuation of Chinese, and the verbs that their English has.
import { readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { embeddedPlayer as englishPlayer } from '@vedette/phrases/en/embedded-player.ts';
import { pack as englishPack } from '@vedette/phrases/en/pack.ts';
import { documents } from '@vedette/phrases/zh-CN/documents.ts';
import { embeddedPlayer as chinesePlayer } from '@vedette/phrases/zh-CN/embedded-player.ts';
import { pack as chinesePack } from '@vedette/phrases/zh-CN/pack.ts';
import { describe, expect, it } from 'vitest';
import { root } from './source-files.ts';

interface Pair {
  readonly key: string;
  readonly english: string;
  readonly chinese: string;
}

function pairsOf(english: Readonly<Record<string, string>>, chinese: Readonly<Record<string, string>>): Pair[] {
  return Object.entries(english).map(([key, text]) => ({ key, english: text, chinese: chinese[key] ?? '' }));
}

const pairs = [...pairsOf(englishPack, chinesePack), ...pairsOf(englishPlayer, chinesePlayer)];
const places = pairs.filter(({ chinese }) => chinese !== '').map(({ key, chinese }) => ({ place: key, text: chinese }));

const manual = path.join(root, 'docs/manual/zh-CN');
const pages = readdirSync(manual).map((name) => ({ place: name, text: readFileSync(path.join(manual, name), 'utf8') }));
const builtIn = [...documents.privacy.parts, ...documents.agreement.parts].map(({ heading, text }) => ({
  place: heading,
  text,
}));

/** The word that all texts use, and what is not written in its place. */
const WORDS: readonly (readonly [word: string, instead: RegExp])[] = [
  ['您', /你/],
  ['账号', /帐|账户/],
  ['报警', /警报|告警/],
  ['移动侦测', /移动检测|变动检测|移动探测/],
  ['预置点', /预置位|预设点/],
  ['抓图', /快照|抓拍/],
  ['分享', /共享/],
  ['转分享', /(?<!不)再分享/],
  ['移交', /转移(?!到)/],
  ['撤销 for a grant, 取消 for an offer, 停止分享 for a share', /收回|撤回/],
  ['重置', /重设/],
  ['系统管理员', /操作员/],
  ['通知渠道', /通知方式|报警通道/],
  ['台摄像机', /[路个]摄像机/],
  ['设备树', /资源树/],
  ['升级包', /固件包/],
  ['越界', /越线/],
  ['审计日志', /操作日志/],
  ['人机验证', /图形验证码/],
  ['身份验证器', /(?<!身份)验证器/],
  ['回调地址', /重定向地址/],
  ['假日', /节假日/],
  ['“…”', /[「」『』]/],
];

/** What an English phrase says, and what its Chinese then says. */
const VERBS: readonly (readonly [english: RegExp, chinese: RegExp])[] = [
  [/could not be loaded/, /加载失败/],
  [/^Delete(?! closes)/, /删除|注销/],
  [/\bRevok/i, /撤销/],
  [/^Edit\b/, /编辑/],
  // A contact is bound and unbound; protection of recordings is a lock.
  [/^Remove\b/, /移除|解绑|解锁/],
  [/^Sign out/, /退出/],
];

describe('Chinese', () => {
  it('has one word for one thing, in phrases, documents and manual', () => {
    const wrong = [...places, ...builtIn, ...pages].flatMap(({ place, text }) =>
      WORDS.flatMap(([word, instead]) => {
        const found = instead.exec(text)?.[0];
        return found === undefined ? [] : [`${place}: ${found}, write ${word}`];
      }),
    );
    expect(wrong).toEqual([]);
  });

  it('uses the verb of its English', () => {
    const wrong = pairs.flatMap(({ key, english, chinese }) =>
      VERBS.some(([says, then]) => says.test(english) && !then.test(chinese)) ? [`${key}: ${english} ${chinese}`] : [],
    );
    expect(wrong).toEqual([]);
  });

  it('ends with a full stop where its English does', () => {
    const wrong = pairs.filter(({ english, chinese }) => english.endsWith('.') !== chinese.endsWith('。'));
    expect(wrong).toEqual([]);
  });

  it('has Chinese punctuation, and a space between Chinese and Latin letters or digits', () => {
    const wrong = places.filter(({ text }) =>
      /\p{Script=Han}[,;:?!()]|[,;:?!()]\p{Script=Han}|\p{Script=Han}[A-Za-z0-9]|[A-Za-z0-9%]\p{Script=Han}|\} %/u.test(
        text,
      ),
    );
    expect(wrong).toEqual([]);
  });

  // Names of accounts are Latin letters and digits, providers are brands, the name of a quota is a phrase, and the name of a disk is typed as it stands.
  it('quotes the names that people give, which would run into the sentence', () => {
    const bare =
      /^(?:notice\.|mailConsent|identity\.(?:signIn|proof)|layouts\.by$|marks\.by|config\.formatType$|consumption\.budget$)/;
    const wrong = places.filter(
      ({ place, text }) => !bare.test(place) && /\p{Script=Han} ?\{name\}|\{name\} ?\p{Script=Han}/u.test(text),
    );
    expect(wrong).toEqual([]);
  });
});
