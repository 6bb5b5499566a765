// Simplified Chinese: the built-in privacy policy and service agreement of an installation.
import type { DocumentTexts } from '../en/document-texts.ts';

export const documents: DocumentTexts = {
  plainName: '本系统',
  privacy: {
    title: '隐私政策',
    parts: [
      {
        heading: '责任主体',
        text: '由运行{product}的个人或组织决定摄像机录制的内容、查看人员和录像保留期限。关于本页内容的任何问题，请向其咨询。',
      },
      {
        heading: '保存的信息',
        text: '您的用户名、绑定的邮箱或手机号、无法还原的密码散列值、您的设置、登录过的浏览器，以及查看和修改操作的日志。',
      },
      {
        heading: '录像',
        text: '图像和声音仅保存在本系统的设备上，到期自动删除；所属设备或账号被删除时，录像一并删除。',
      },
      {
        heading: '信息提供',
        text: '除摄像机所有者授权的人员外，不向任何人提供。{product}不会向开发者回传任何信息。邮件和短信由管理员配置的服务发送。',
      },
      {
        heading: '您的权利',
        text: '您可以在个人中心查看和修改信息、结束任一登录会话，也可以注销账号并删除其全部内容。审计日志会保留，因为可删减的日志无法作为凭据。',
      },
    ],
  },
  agreement: {
    title: '服务协议',
    parts: [
      {
        heading: '说明',
        text: '{product}是基于 Apache License 2.0 的自由软件。运行它的个人或组织向您提供服务，本页以外的事项由双方约定。',
      },
      {
        heading: '您的义务',
        text: '请妥善保管密码。仅在允许的范围内查看和录像，须遵守摄像机所在地的法律，尊重被拍摄者的权利。',
      },
      {
        heading: '免责声明',
        text: '按许可证约定，软件按现状提供，不作任何担保。录像可能失败，系统会提示已知的每一处中断。',
      },
      { heading: '终止', text: '您可以随时注销账号，管理员也可以停用账号。账号删除时，其设备、录像和分享一并删除。' },
    ],
  },
};
