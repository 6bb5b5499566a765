// Simplified Chinese: the manual inside the console.
import type { manual as english } from '../en/manual.ts';
import type { Topic } from '../pack.ts';

export const manual: Topic<typeof english> = {
  'manual.help': '帮助',
  'manual.title': '使用手册',
  'keys.manual': '打开或关闭本页帮助',
  'manual.contents': '目录',
  'manual.search': '搜索手册',
  'manual.results_one': '{count} 个结果',
  'manual.results_other': '{count} 个结果',
  'manual.resultList': '搜索结果',
  'manual.noResults': '没有找到“{keyWord}”。',
  'manual.noResultsDetail': '请只输入一个词，例如“预置点”或“录像”。',
  'manual.failed': '使用手册加载失败。',
  'manual.noPage': '手册中没有此页。',
  'manual.asPage': '以完整页面打开',
  'manual.print': '打印',
  'manual.enlarge': '放大：{name}',
  'manual.documentation': '安装、运维与 API 文档（英文）',
  'manual.chapterStart': '入门',
  'manual.chapterWatch': '监看',
  'manual.chapterRecordings': '录像',
  'manual.chapterAlarms': '报警',
  'manual.chapterDevices': '设备',
  'manual.chapterPeople': '人员与权限',
  'manual.chapterSystem': '系统',
};
