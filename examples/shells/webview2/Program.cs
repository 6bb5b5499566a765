// The entry: one server, a profile of its own, and the first window at the page that a link names.
using System;
using System.IO;
using System.Linq;
using System.Windows.Forms;
using Microsoft.Web.WebView2.Core;

namespace Vedette.Shell
{
    public static class Program
    {
        /// <summary>Of a build for one installation; `--server=https://…` is for trying.</summary>
        private const string Server = "https://vedette.example";
        private const string Option = "--server=";

        [STAThread]
        public static void Main(string[] args)
        {
            Application.EnableVisualStyles();
            var named = args.FirstOrDefault(one => one.StartsWith(Option, StringComparison.Ordinal));
            var pages = new OwnPages(named == null ? Server : named.Substring(Option.Length));
            var link = args.FirstOrDefault(one => one.StartsWith(OwnPages.Scheme + ":", StringComparison.Ordinal));
            EventHandler begin = null;
            begin = (sender, e) =>
            {
                Application.Idle -= begin;
                Open(pages, pages.Linked(link) ?? pages.Start);
            };
            // WebView2 needs the loop of messages.
            Application.Idle += begin;
            Application.Run();
        }

        private static async void Open(OwnPages pages, string page)
        {
            var local = Environment.GetFolderPath(Environment.SpecialFolder.LocalApplicationData);
            var environment = await CoreWebView2Environment.CreateAsync(null, Path.Combine(local, "VedetteShell"));
            var window = new ShellWindow(environment, pages);
            window.Show();
            (await window.Prepare()).Navigate(page);
        }
    }
}
