// Simplified Chinese: one sentence per answer code, and what a device did (reason of 2316 and 2317).
import type { errors as englishErrors, reasons as englishReasons } from '../en/errors.ts';
import type { Topic } from '../pack.ts';

export const errors: Topic<typeof englishErrors> = {
  errCode_200: '操作成功',
  errCode_1000: '服务器出现错误，请稍后再试。',
  errCode_1001: '登录状态已失效，请重新登录。',
  errCode_1002: '登录已过期，请重新登录。',
  errCode_1003: '部分内容填写有误，请检查。',
  errCode_1004: '您没有此操作的权限。',
  errCode_1005: '操作过于频繁，请稍后再试。',
  errCode_1006: '设备不支持此功能。',
  errCode_1007: '内容不存在，或您无权查看。',
  errCode_1008: '该设备属于其他账号。',
  errCode_1009: '设备不存在，或您无权查看。',
  errCode_1010: '其他人刚刚修改过，请查看最新内容后再保存。',
  errCode_1011: '配额已用完。',
  errCode_1012: '服务繁忙，请稍后再试。',
  errCode_1013: '请先完成验证。',
  errCode_1014: '验证失败，请重试。',
  errCode_1015: '验证码错误。',
  errCode_1016: '该名称已被使用。',
  errCode_1017: '分享已结束。',
  errCode_1018: '{userName} 正在与该设备通话。',
  errCode_1021: '{userName} 正在控制该摄像机。',
  errCode_1030: '该组织不为空，请先选择其中内容的去处。',
  errCode_1437: '不能将设备转移给自己。',
  errCode_2004: '用户名或密码错误。',
  errCode_2024: '您已添加过该设备。',
  errCode_2029: '该设备已分享给您。',
  errCode_2031: '密码错误次数过多，账号已锁定，请稍后再试。',
  errCode_2076: '登录需要双重验证。',
  errCode_2316: '设备拒绝了请求。',
  errCode_2317: '设备响应超时，请检查地址、电源和网络。',
};

export const reasons: Topic<typeof englishReasons> = {
  reason_deviceAuth: '摄像机拒绝了该用户名或密码，请检查摄像机自身的账号。',
  reason_unreachable: '该地址没有响应，请检查地址、端口和网络。',
  reason_timeout: '设备响应超时，请检查电源和网络。',
  reason_offline: '设备离线。',
  reason_refusedAddress: '该地址不允许用于摄像机。系统管理员可在“系统 › 摄像机网络”中放行。',
  reason_wrongProtocol: '该地址有响应，但不支持 ONVIF 或 RTSP。',
  reason_noVideo: '设备有响应，但没有视频。',
  reason_unsupportedCodec: '不支持该视频编码，请使用 H.264、H.265 或 Motion JPEG。',
  reason_fault: '设备报告故障。',
  reason_siteAway: '目前无法连接到该设备所在的站点，站点会继续自行录像。',
};
