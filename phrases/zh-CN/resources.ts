// Simplified Chinese: what an account has and uses.
import type { resources as english } from '../en/resources.ts';
import type { Topic } from '../pack.ts';

export const resources: Topic<typeof english> = {
  'screen.resources': '资源',
  'keys.goResources': '前往资源',
  'resources.sections': '资源的各部分',
  'resources.title': '用量与上限',
  'resources.error': '资源加载失败。',
  'resources.outdated': '以下数据不是最新的。',
  'resources.resource': '资源',
  'resources.used': '已用',
  'resources.total': '上限',
  'resources.validUntil': '计算至',
  'resources.unlimited': '无上限',
  'resources.lasting': '删除为止',
  'resources.of.devices': '设备',
  'resources.of.channels': '通道',
  'resources.of.recordingBytes': '录像',
  'resources.of.egressBytes': '发送给观看者',
  'resources.of.streamMinutes': '观看时长',
  'resources.of.cdnBytes': '发送到 CDN',
  'resources.of.cdnMinutes': 'CDN 直播时长',
};
