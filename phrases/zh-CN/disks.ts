// Simplified Chinese: the recording disks in the administrator's System screen.
import type { disks as english } from '../en/disks.ts';
import type { Topic } from '../pack.ts';

export const disks: Topic<typeof english> = {
  'disks.title': '录像磁盘',
  'disks.lead':
    '新录像按各磁盘的可用空间分散写入。某块磁盘故障或取出时，其他磁盘继续录像；磁盘恢复后，其录像会重新出现。',
  'disks.add': '添加磁盘',
  'disks.new': '新磁盘',
  'disks.folder': '磁盘上的文件夹',
  'disks.span': '录像时间 {from} 至 {to}',
  'disks.none': '没有录像',
  'disks.freeOnAll': '各磁盘共剩余 {free}',
  'disks.held': '录像 {used}',
  'disks.usage': '{folder} 的空间使用情况',
  'disks.empty': '清空',
  'disks.stopEmptying': '停止清空',
  'disks.useAgain': '重新用于录像',
  'disks.stateEmptying': '正在清空',
  'disks.stateEmpty': '已清空',
  'disks.remove': '移除',
  'disks.removeTitle': '移除此磁盘？',
  'disks.removeDetail': '其录像会留在 {folder} 中，但不再显示，也不再自动删除。如需保留，请先清空此磁盘。',
  'disks.awayHint': '其录像会保留，磁盘恢复后重新显示。',
  'disks.emptying': '请勿取出磁盘。待移动文件数：{files}（{size}）。',
  'disks.emptyingWaits': '清空暂停：其他磁盘空间不足，或文件正在使用、无法读取。剩余文件数：{files}（{size}）。',
  'disks.leftovers': '录像已全部移走。文件夹中还有未列出的文件，请在取出磁盘之前检查。',
  'disks.emptied': '此磁盘已清空。请在此处移除并保存，然后即可取出。',
};
