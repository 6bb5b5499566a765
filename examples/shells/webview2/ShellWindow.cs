// One window: WebView2 with the page of the server, locked to its origin, and the bridge.
using System;
using System.Collections.Generic;
using System.Diagnostics;
using System.Linq;
using System.Text.Json;
using System.Threading.Tasks;
using System.Windows.Forms;
using Microsoft.Web.WebView2.Core;
using Microsoft.Web.WebView2.WinForms;

namespace Vedette.Shell
{
    public sealed class ShellWindow : Form
    {
        private static int open;
        private readonly WebView2 view = new WebView2 { Dock = DockStyle.Fill };
        private readonly CoreWebView2Environment environment;
        private readonly OwnPages pages;

        public ShellWindow(CoreWebView2Environment environment, OwnPages pages)
        {
            this.environment = environment;
            this.pages = pages;
            Text = "Vedette";
            ClientSize = new System.Drawing.Size(1280, 800);
            Controls.Add(view);
            open += 1;
        }

        protected override void OnFormClosed(FormClosedEventArgs e)
        {
            base.OnFormClosed(e);
            open -= 1;
            if (open == 0) Application.Exit();
        }

        /// <summary>Everything is in place before a page is loaded.</summary>
        public async Task<CoreWebView2> Prepare()
        {
            await view.EnsureCoreWebView2Async(environment);
            var core = view.CoreWebView2;
            core.Settings.AreHostObjectsAllowed = false;
            core.Settings.AreDevToolsEnabled = false;
            core.Settings.IsPasswordAutosaveEnabled = false;
            core.Settings.IsGeneralAutofillEnabled = false;
            Lock(core);
            Join(core);
            core.DocumentTitleChanged += (sender, e) => Text = core.DocumentTitle;
            core.WindowCloseRequested += (sender, e) => Close();
            // The page begins a new launch.
            core.ProcessFailed += (sender, e) =>
            {
                if (e.ProcessFailedKind == CoreWebView2ProcessFailedKind.RenderProcessExited) core.Reload();
            };
            return core;
        }

        private void Lock(CoreWebView2 core)
        {
            core.NavigationStarting += (sender, e) => e.Cancel = !pages.IsOwn(e.Uri);
            core.FrameNavigationStarting += (sender, e) => e.Cancel = !pages.IsOwn(e.Uri);
            core.PermissionRequested += (sender, e) =>
            {
                var isAllowed = pages.MayHave(e.PermissionKind, e.Uri);
                e.State = isAllowed ? CoreWebView2PermissionState.Allow : CoreWebView2PermissionState.Deny;
            };
            core.NewWindowRequested += OpenWindow;
        }

        /// <summary>A window of the console gets the same lock and a bridge of its own; any other gets none.</summary>
        private async void OpenWindow(object sender, CoreWebView2NewWindowRequestedEventArgs e)
        {
            e.Handled = true;
            if (!pages.IsOwn(e.Uri)) return;
            var deferral = e.GetDeferral();
            try
            {
                var window = new ShellWindow(environment, pages);
                window.Show();
                e.NewWindow = await window.Prepare();
            }
            finally
            {
                deferral.Complete();
            }
        }

        /// <summary>The page finds `chrome.webview` in every document: each message is judged by the document that sent it.</summary>
        private void Join(CoreWebView2 core)
        {
            Action<string> send = json =>
            {
                if (pages.IsOwn(core.Source)) core.PostWebMessageAsJson(json);
            };
            var bridge = new Bridge(send, Handlers());
            core.WebMessageReceived += (sender, e) =>
            {
                if (pages.IsOwn(e.Source)) bridge.Receive(e.WebMessageAsJson);
            };
        }

        /// <summary>Files are not among the topics: WebView2 saves them itself.</summary>
        private IReadOnlyDictionary<string, Func<JsonElement, object>> Handlers()
        {
            Func<JsonElement, object> taken = data => new object();
            var handlers = new Dictionary<string, Func<JsonElement, object>>
            {
                { "account/status", taken },
                { "language/current", taken },
                { "window/current", taken },
                { "window/raise", Raise },
                { "link/open", OpenLink },
            };
            handlers["system/info"] = data => new
            {
                bridge = 1,
                shell = new { name = "vedette-webview2", version = Application.ProductVersion, platform = "win32" },
                topics = handlers.Keys.ToArray(),
                native = new { codecs = new string[0], overlay = "none" },
            };
            return handlers;
        }

        /// <summary>A notice of an alarm was chosen; WebView2 shows those of the page itself.</summary>
        private object Raise(JsonElement data)
        {
            if (WindowState == FormWindowState.Minimized) WindowState = FormWindowState.Normal;
            Activate();
            return new object();
        }

        private static object OpenLink(JsonElement data)
        {
            JsonElement url;
            Uri address;
            var isText = data.ValueKind == JsonValueKind.Object
                && data.TryGetProperty("url", out url)
                && url.ValueKind == JsonValueKind.String;
            if (!isText) throw new BadPayload("url", "required");
            if (!Uri.TryCreate(data.GetProperty("url").GetString(), UriKind.Absolute, out address) || address.Scheme != "https")
                throw new BadPayload("url", "notAllowed");
            Process.Start(new ProcessStartInfo(address.AbsoluteUri) { UseShellExecute = true });
            return new object();
        }
    }
}
