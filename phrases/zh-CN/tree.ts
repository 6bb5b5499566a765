// Simplified Chinese: the organisation, device and channel tree.
import type { tree as english } from '../en/tree.ts';
import type { Topic } from '../pack.ts';

export const tree: Topic<typeof english> = {
  'tree.label': '组织和设备',
  'tree.search': '搜索摄像机',
  'tree.loading': '正在加载设备树',
  'tree.empty': '还没有设备。',
  'tree.emptyOrganizations': '还没有组织。',
  'tree.error': '设备树加载失败。',
  'tree.noMatch': '没有与“{keyWord}”匹配的内容。',
  'tree.matches_one': '{count} 个结果',
  'tree.matches_other': '{count} 个结果',
  'tree.playing': '播放中',
  'tree.playbacking': '正在回放',
  'tree.root': '全部设备',
  'tree.loadingChildren': '加载中',
  'tree.childrenFailed': '加载失败，请重新展开。',
};
