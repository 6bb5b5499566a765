// The service worker of web push: shows an alarm's message, and leads to the alarm when it is pressed. It caches nothing.
self.addEventListener('push', (event) => {
  let told = {};
  try {
    told = event.data?.json() ?? {};
  } catch (error) {
    console.warn('a push message could not be read', error);
  }
  const { title = 'Vedette', body = '', tag, severity, alarmId = '' } = told;
  const options = {
    body,
    tag,
    icon: '/icons/vedette-192.png',
    requireInteraction: severity === 'critical',
    data: { alarmId },
  };
  event.waitUntil(self.registration.showNotification(title, options));
});

self.addEventListener('notificationclick', (event) => {
  event.notification.close();
  const alarm = String(event.notification.data?.alarmId ?? '');
  const address = `/homepage/alarmMsg${alarm === '' ? '' : `?alarm=${encodeURIComponent(alarm)}`}`;
  event.waitUntil(
    (async () => {
      const pages = await self.clients.matchAll({ type: 'window', includeUncontrolled: true });
      const [page] = pages;
      if (page === undefined) return self.clients.openWindow(address);
      await page.focus();
      return page.navigate(address);
    })(),
  );
});
